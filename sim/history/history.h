// A history: who took part and what happened, in order. Verdicts and pictures are made from it alone.
//
// Two forms with one reader's interface: a History is a view (over a running world's arena, or over a
// KeptHistory), a KeptHistory owns its bytes and can outlive the run. A history may as well be read from
// a file or from the logs of a real incident.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/event.h"
#include "sim/core/time.h"

namespace locklapse {

// Names and plan of a run, beside the events.
struct Cast {
  std::span<const ClientInfo> clients;
  std::span<const std::string_view> processes;
  std::span<const std::string_view> hosts;
  std::span<const std::string_view> nodes;
  // By node: the master whose replica it is when the run starts, kNoPlace for a master. Empty: every node
  // is a master.
  std::span<const PlaceId> masters;
  std::span<const std::string_view> resources;
  std::span<const std::string_view> faults;    // one plain line each, in the order of the scenario
  std::int64_t stock = 0;                      // units in the resource at the start
  std::int64_t take = 0;                       // units a write takes
  bool has_resource = false;
  bool free_while_key_exists = false;          // a strategy whose key stands for a free lock (list-token)
};

struct History {
  Cast cast;
  std::span<const Event> events;
  Time end;                 // the instant at which the run stopped
  bool complete = true;     // false when a bound (events, memory) cut the run short

  std::string_view client_name(ClientId id) const {
    return id == kNoClient ? std::string_view("operator") : cast.clients[id].name;
  }
};

class KeptHistory {
 public:
  explicit KeptHistory(const History& history);
  KeptHistory(const KeptHistory&) = delete;
  KeptHistory& operator=(const KeptHistory&) = delete;

  const History& view() const { return view_; }

 private:
  std::pmr::monotonic_buffer_resource memory_;
  std::vector<Event> events_;
  std::vector<ClientInfo> clients_;
  std::vector<std::string_view> names_[5];
  std::vector<PlaceId> masters_;
  History view_;
};

// A 64-bit hash of everything in the history: equal histories, equal hashes, on every platform.
std::uint64_t trace_hash(const History& history);

// The word a report or a JSON event uses for a kind: "entered", "key-written".
std::string_view event_name(EventKind kind);
std::string_view phase_name(Phase phase);

}  // namespace locklapse
