// What each client and each lock key is doing at a point of a history: the state that lanes show.
//
// A Lanes object walks a history forwards, event by event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/history/history.h"
#include "sim/history/verdict.h"

namespace locklapse::reports {

enum class Doing : std::uint8_t { kNothing, kTrying, kWaiting, kInside, kReleasing };

struct ClientLane {
  Doing doing = Doing::kNothing;
  bool paused = false;   // its process stands still
  bool stalled = false;  // its working thread does
  bool crashed = false;
  std::string_view token;  // of its latest try
};

// The lock's key on one node.
struct KeyLane {
  PlaceId node = 0;
  std::string_view key;
  std::string_view token;      // empty when the key is not there
  ClientId owner = kNoClient;  // the client whose token it is
  bool owned = false;
};

class Lanes {
 public:
  explicit Lanes(const History& history);

  // Takes in events up to and including `event`. REQUIRES: not before an earlier call's.
  void advance(std::size_t event);

  const std::vector<ClientLane>& clients() const { return clients_; }
  // Every (key, node) that any event of the history writes or removes and that is some client's
  // lock, in order of first appearance. The list is complete from the start.
  const std::vector<KeyLane>& keys() const { return keys_; }
  // The lane of an event about a key; keys().size() if it has none.
  std::size_t lane_of(const Event& event) const;
  // Whose acquisition a token stands for, as far as is known by now.
  ClientId client_of(std::string_view token) const;

 private:
  void take_client(const Event& event);
  void learn_token(const Event& event);
  void take_process(const Event& event);
  void take_key(const Event& event);

  const History& history_;
  std::size_t next_ = 0;
  std::vector<ClientLane> clients_;
  std::vector<KeyLane> keys_;
  std::map<std::string_view, ClientId> clients_by_token_;
};

bool is_key_event(EventKind kind);

// Whether `client` is in an overlap at `at`; the index of the first such overlap, or -1.
int overlap_at(const Verdict& verdict, ClientId client, Time at);
// Whether anyone is.
int overlap_at(const Verdict& verdict, Time at);

}  // namespace locklapse::reports
