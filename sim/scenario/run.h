// Runs scenarios: one world after another in one arena, with one script engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/arena.h"
#include "sim/history/history.h"
#include "sim/history/verdict.h"
#include "sim/locks/strategy.h"
#include "sim/redis/backend_source.h"
#include "sim/redis/lua_engine.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/vocabulary.h"
#include "sim/world/guard.h"
#include "sim/world/world.h"

namespace locklapse::scenario {

struct RunOptions {
  std::string strategy;     // REQUIRES: known
  std::string guard;        // REQUIRES: parse_guard() takes it
  std::uint64_t seed = 0;   // of latencies and jitters within their ranges
};

struct RunResult {
  RunOptions options;
  std::unique_ptr<KeptHistory> history;
  Verdict verdict;
  std::uint64_t trace_hash = 0;
  std::optional<bool> as_expected;        // empty: the scenario expects nothing of this strategy
  std::vector<std::string> mismatches;
};

class Runner {
 public:
  Runner() = default;
  explicit Runner(const RunLimits& limits) : limits_(limits) {}

  // Runs once, judges, and holds the verdict against what the scenario expects.
  RunResult run(const Scenario& scenario, const RunOptions& options) { return run(scenario, options, model_); }
  // The same with nodes that come from elsewhere. REQUIRES: the source outlives the runner's next run.
  RunResult run(const Scenario& scenario, const RunOptions& options, redis::BackendSource& nodes);

  // Runs once; the history is a view that lives until the next call. For whoever runs very often.
  History replay(const Scenario& scenario, const Strategy& strategy, const Guard& guard, Chooser& chooser) {
    return replay(scenario, strategy, guard, chooser, model_);
  }

 private:
  History replay(const Scenario& scenario, const Strategy& strategy, const Guard& guard, Chooser& chooser,
                 redis::BackendSource& nodes);

  Arena arena_;
  redis::LuaEngine scripts_;
  redis::ModelSource model_{scripts_};
  RunLimits limits_;
};

// The strategies and guards that scenario files may name.
Vocabulary vocabulary();

}  // namespace locklapse::scenario
