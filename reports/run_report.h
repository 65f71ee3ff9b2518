// What every report is made from: one run of one scenario under one strategy and guard.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/history/history.h"
#include "sim/history/verdict.h"

namespace locklapse::reports {

struct RunReport {
  std::string scenario;             // its file name without folder and extension, or the path as given
  std::string title;
  std::string story;
  std::string strategy;
  std::string guard;
  std::string backend = "model";
  std::uint64_t seed = 0;
  std::uint64_t trace_hash = 0;
  std::optional<bool> as_expected;              // empty: nothing was expected
  // Shown, but no part of the result: the scenario expects nothing of this strategy or guard, though
  // something of others.
  bool demonstration = false;
  std::vector<std::string> mismatches;          // one line each: what was expected, what came
  const History* history = nullptr;
  const Verdict* verdict = nullptr;
};

}  // namespace locklapse::reports
