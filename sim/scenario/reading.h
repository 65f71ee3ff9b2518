// The parts of the reader, one function per section of a scenario file. For read.cc only.
//
// Each fills its part of `scenario` and adds what is wrong to `diagnostics`. They run in the order
// of this header: later sections name what earlier ones define.
#pragma once

#include <string_view>
#include <vector>

#include "sim/scenario/fields.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/vocabulary.h"

namespace locklapse::scenario {

// Sections may be absent: then the pointer is null and the defaults of scenario.h stand.
struct Reading {
  const Vocabulary& vocabulary;
  Diagnostics& diagnostics;
  Scenario& scenario;
  Retry retry{};           // lock.retry: what clients start from
  ClientPolicy library{};  // client-library: what clients start from
};

// read_lock.cc
void read_lock(const Node* node, Reading& reading);
void read_library(const Node& node, ClientPolicy& policy, Diagnostics& diagnostics);
void read_retry(const Node& node, Retry& retry, Diagnostics& diagnostics);
void read_token(const Node& node, Token& token, Diagnostics& diagnostics);

// read_world.cc
void read_redis(const Node* node, Reading& reading);
void read_network(const Node* node, Reading& reading);
void read_resource(const Node* node, Reading& reading);
void read_hosts(const Node* node, Reading& reading);
void read_processes(const Node* node, Reading& reading);
std::size_t host_index(std::string_view name, Scenario& scenario);  // made if there is none
std::size_t process_index(std::string_view name,
                          Scenario& scenario);  // likewise, on a host of its name

// read_clients.cc
void read_clients(const Node* node, Reading& reading);

// read_faults.cc
void read_faults(const Node* node, Reading& reading);

// read_expect.cc
void read_expectations(const Node* node, Reading& reading);

std::vector<std::string_view> client_names(const Scenario& scenario);

// Whether a client, process or host may be called so: not as the server or an outsider is.
bool check_not_reserved(const Node& key, std::string_view what, Diagnostics& diagnostics);

}  // namespace locklapse::scenario
