// Who was inside a critical section, from when to when: the intervals that overlaps are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/history/attempts.h"
#include "sim/history/history.h"

namespace locklapse {

struct Hold {
  ClientId client = kNoClient;
  std::uint32_t attempt = 0;
  bool locked = true;                    // false: it went on without the lock (fail open)
  Time entered;
  Time left;                             // the end of the history while it is still inside
  bool open = true;                      // still inside at the end
  std::string_view how_left;             // "done", "failed", "stopped", "crashed"
  std::optional<Time> releasing;         // set out to release
  std::optional<Time> released;          // the answer came, or the client stopped waiting for it
  std::optional<std::int64_t> release;   // 1 released, 0 refused, -1 no answer
  std::string_view release_reply;
  std::optional<Time> told;

  bool inside_at(Time t) const { return entered <= t && t < left; }
};

// In order of entering.
std::vector<Hold> find_holds(const History& history, const AttemptIndex& attempts);

}  // namespace locklapse
