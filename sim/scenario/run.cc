#include "sim/scenario/run.h"

#include "sim/history/judge.h"
#include "sim/scenario/assemble.h"
#include "sim/scenario/expect.h"

namespace locklapse::scenario {

History Runner::replay(const Scenario& scenario, const Strategy& strategy, const Guard& guard, Chooser& chooser,
                       redis::BackendSource& nodes) {
  arena_.reset();
  const Arena::Use use(arena_);
  World& world = assemble(scenario, strategy, guard, arena_, chooser, nodes);
  const RunEnd end = world.run(Time{} + scenario.horizon, limits_);
  return history_of(world, scenario, strategy, end);
}

RunResult Runner::run(const Scenario& scenario, const RunOptions& options, redis::BackendSource& nodes) {
  SeededChooser chooser(options.seed);
  const History history =
      replay(scenario, *find_strategy(options.strategy), *parse_guard(options.guard), chooser, nodes);
  RunResult result;
  result.options = options;
  result.verdict = judge(history);
  result.trace_hash = trace_hash(history);
  result.history = std::make_unique<KeptHistory>(history);
  if (const Expectation* expected = find_expectation(scenario, options.strategy)) {
    const std::string_view own_guard = scenario.resource ? scenario.resource->guard : std::string_view("none");
    result.mismatches = compare(*expected, options.guard, own_guard, history, result.verdict);
    result.as_expected = result.mismatches.empty();
  }
  return result;
}

Vocabulary vocabulary() {
  Vocabulary words;
  for (const Strategy* strategy : all_strategies()) words.strategies.emplace_back(strategy->info().name);
  for (const GuardInfo& guard : all_guards()) words.guards.emplace_back(guard.name);
  return words;
}

}  // namespace locklapse::scenario
