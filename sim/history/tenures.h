// Whose a lock's key was, from when to when, as Redis had it: the intervals that causes are read from.
//
// A tenure begins when an acquisition makes the key its own and ends when its TTL runs out, when it is
// removed or overwritten, or when another acquisition joins under the same token. It belongs to the
// acquisition that began it, whatever the token says: a fixed token names nobody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/history/attempts.h"
#include "sim/history/history.h"

namespace locklapse {

enum class TenureEnd : std::uint8_t {
  kOpen,          // still there when the history ends
  kTtl,
  kRemoved,       // by the command of Tenure::ended_by
  kOverwritten,   // by another acquisition with a token of its own
  kJoined,        // another acquisition took it under the same token
};

// What one command did to a tenure after its beginning.
struct Touch {
  std::size_t event;             // index into History::events: the key event
  bool unowned = false;          // it was not the tenure's own acquisition that did it
};

struct Tenure {
  std::string_view key;
  ClientId client = kNoClient;   // kNoClient: an operator made the key
  std::uint32_t attempt = 0;
  std::string_view token;
  Time from;
  Time to;                       // the end of the history while open
  TenureEnd end = TenureEnd::kOpen;
  std::size_t begun_by = 0;      // event index
  std::size_t ended_by = 0;      // event index; meaningless while open
  std::int64_t deadline_ms = -1; // by the node's wall clock; -1: no TTL
  Time deadline_set{};           // when it was set last
  std::size_t deadline_event = 0;
  std::int64_t count = 0;        // hold count of a reentrant lock
  bool joined = false;           // it began by joining: whoever it joined shares its token
  std::vector<Touch> touches;
};

// Tenures of the keys that some client of the cast locks, in order of beginning.
std::vector<Tenure> find_tenures(const History& history, const AttemptIndex& attempts);

}  // namespace locklapse
