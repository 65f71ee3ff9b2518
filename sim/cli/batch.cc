#include "sim/cli/batch.h"

#include <utility>

#include "sim/cli/confirm.h"
#include "sim/cli/progress.h"

namespace locklapse::cli {
namespace {

Status status_of(const reports::RunReport& report) {
  if (report.as_expected) return *report.as_expected ? Status::kFine : Status::kViolated;
  if (report.demonstration) return Status::kFine;
  switch (report.verdict->outcome) {
    case Outcome::kSafe:
      return Status::kFine;
    case Outcome::kViolated:
      return Status::kViolated;
    case Outcome::kUnknown:
    case Outcome::kNotExercised:
      return Status::kUndecided;
  }
  return Status::kUndecided;
}

// Leaves the cast of a history and drops its events.
void forget_events(Run& run) {
  History cast_only = run.result->history->view();
  cast_only.events = {};
  run.result->history = std::make_unique<KeptHistory>(cast_only);
  run.report.history = &run.result->history->view();
}

void count(const reports::RunReport& report, Tally& tally) {
  ++tally.runs;
  if (report.confirmation) {
    switch (report.confirmation->agreement) {
      case reports::Agreement::kConfirmed:
        ++tally.confirmed;
        break;
      case reports::Agreement::kNotRunnable:
        ++tally.not_runnable;
        return;
      case reports::Agreement::kDisagreeing:
        ++tally.disagreeing;
        tally.status = Status::kViolated;
        break;
    }
  }
  if (!report.as_expected) {
    ++tally.nothing_expected;
  } else if (*report.as_expected) {
    ++tally.as_expected;
  } else {
    ++tally.not_as_expected;
  }
  tally.status = worse(tally.status, status_of(report));
}

}  // namespace

Run report_on(const Input& input, scenario::RunResult result) {
  Run run;
  run.result = std::make_unique<scenario::RunResult>(std::move(result));
  reports::RunReport& report = run.report;
  report.scenario = input.name;
  report.title = input.scenario.title;
  report.story = input.scenario.story;
  report.strategy = run.result->options.strategy;
  report.guard = run.result->options.guard;
  report.seed = run.result->options.seed;
  report.trace_hash = run.result->trace_hash;
  report.as_expected = run.result->as_expected;
  report.mismatches = run.result->mismatches;
  report.history = &run.result->history->view();
  report.verdict = &run.result->verdict;
  return run;
}

Run run_one(scenario::Runner& runner, const Input& input, const scenario::RunOptions& options) {
  return report_on(input, runner.run(input.scenario, options));
}

Tally run_batch(std::span<const Input> inputs, const Selection& selection,
                const BatchOptions& options, const std::function<void(Run)>& each) {
  std::size_t total = 0;
  for (const Input& input : inputs) {
    total += selection.strategies_for(input.scenario).size() *
             selection.guards_for(input.scenario).size();
  }
  Progress progress(total, options.show_progress && total > 1);
  Tally tally;
  scenario::Runner runner;
  for (const Input& input : inputs) {
    const bool swept = selection.all_strategies || selection.all_guards;
    const bool demonstration = swept && !input.scenario.expect.empty();
    for (const std::string& strategy : selection.strategies_for(input.scenario)) {
      for (const std::string& guard : selection.guards_for(input.scenario)) {
        progress.step(input.name + " " + strategy + " " + guard);
        const scenario::RunOptions how{strategy, guard, options.seed};
        Run run = options.nodes != nullptr ? run_confirmed(runner, *options.nodes, input, how)
                                           : run_one(runner, input, how);
        run.report.demonstration = demonstration && !run.report.as_expected;
        count(run.report, tally);
        if (!options.keep_events) forget_events(run);
        each(std::move(run));
      }
    }
  }
  if (tally.runs > 0 && tally.not_runnable == tally.runs) tally.status = Status::kUndecided;
  return tally;
}

std::vector<reports::RunReport> reports_of(std::span<const Run> runs) {
  std::vector<reports::RunReport> out;
  out.reserve(runs.size());
  for (const Run& run : runs) out.push_back(run.report);
  return out;
}

}  // namespace locklapse::cli
