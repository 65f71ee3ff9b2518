// What every report is made from: one run of one scenario under one strategy and guard.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/history/history.h"
#include "sim/history/verdict.h"

namespace locklapse::reports {

// Whether a real redis-server has played a run as the model plays it, event for event.
enum class Agreement : std::uint8_t { kConfirmed, kNotRunnable, kDisagreeing };

struct Confirmation {
  Agreement agreement = Agreement::kConfirmed;
  std::string why;                        // of kNotRunnable: what a real server cannot do
  std::vector<std::string> differences;   // of kDisagreeing, one line each
};

struct RunReport {
  std::string scenario;             // its file name without folder and extension, or the path as given
  std::string title;
  std::string story;
  std::string strategy;
  std::string guard;
  std::string backend = "model";    // whose history this is; also where another could not be run
  std::uint64_t seed = 0;
  std::uint64_t trace_hash = 0;
  std::optional<bool> as_expected;              // empty: nothing was expected
  // Shown, but no part of the result: the scenario expects nothing of this strategy or guard, though
  // something of others.
  bool demonstration = false;
  std::vector<std::string> mismatches;          // one line each: what was expected, what came
  std::optional<Confirmation> confirmation;     // empty: no real server was asked
  const History* history = nullptr;
  const Verdict* verdict = nullptr;
};

}  // namespace locklapse::reports
