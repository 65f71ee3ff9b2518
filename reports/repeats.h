// Runs of the same thing: refusals of one waiter, renewals of one holder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/history/history.h"

namespace locklapse::reports {

struct Repeat {
  std::uint32_t count = 1;
  Time first, last;
  Duration shortest{}, longest{};  // between two in a row
};

struct Repeats {
  std::map<std::size_t, Repeat> runs;  // by the index of the run's first event (refused, renewed)
  std::vector<bool> folded;            // events of the second and later members
};

Repeats find_repeats(const History& history);

// " 31 times, every 1 s"; empty for a count of one.
std::string repeat_words(const Repeat& repeat);

}  // namespace locklapse::reports
