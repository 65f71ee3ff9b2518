// One client's connection to a cluster node: what READONLY, ASKING and MULTI have made of it, and
// whether its next command is let through to the server.
//
// A driver asks admit() before each command. What is refused is answered with the text given, and a
// transaction that it would have been queued in is broken by it, so that EXEC says EXECABORT.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/backend.h"
#include "sim/redis/cluster.h"

namespace locklapse::redis {

enum class Admission : std::uint8_t {
  kPass,      // to the server
  kAnswered,  // OK: READONLY, READWRITE, ASKING are the cluster's own
  kRefused,   // with an error; while in a transaction this breaks it
  kDiscard,   // EXEC is refused with an error, and with it the transaction is over
};

class ClusterSession {
 public:
  explicit ClusterSession(std::pmr::memory_resource& memory) : queued_keys_(&memory) {}

  // Whether the command goes through. `writes` is what the command table says of it. Of what is
  // refused, appends the error, as sent but without the '-', to `error`; `addresses` are where
  // nodes listen
  // ("127.0.0.1:7000"), by number.
  Admission admit(const ClusterNode& node, Argv argv, bool writes,
                  std::span<const std::string_view> addresses, std::pmr::string& error);

 private:
  bool read_only_ = false;
  bool asking_ = false;
  bool in_multi_ = false;
  bool queue_writes_ = false;
  std::pmr::vector<std::pmr::string> queued_keys_;
};

// The error that a routing is answered with, without the leading '-'. REQUIRES: the verdict is not
// kServe.
void append_redirection(const cluster::Routing& routing,
                        std::span<const std::string_view> addresses, std::pmr::string& error);

}  // namespace locklapse::redis
