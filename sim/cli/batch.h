// Runs scenarios under strategies and guards, and says what the exit status makes of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "reports/run_report.h"
#include "sim/cli/inputs.h"
#include "sim/cli/selection.h"
#include "sim/cli/status.h"
#include "sim/live/live_source.h"
#include "sim/scenario/run.h"

namespace locklapse::cli {

// One run and what reports need of it. The report points into the result.
struct Run {
  std::unique_ptr<scenario::RunResult> result;
  reports::RunReport report;
};

// Of runs that no real server can play, only `runs` and `not_runnable` know.
struct Tally {
  std::size_t runs = 0;
  std::size_t as_expected = 0;
  std::size_t not_as_expected = 0;
  std::size_t nothing_expected = 0;
  std::size_t confirmed = 0;
  std::size_t not_runnable = 0;
  std::size_t disagreeing = 0;
  Status status = Status::kFine;  // the worst of all that count
};

struct BatchOptions {
  std::uint64_t seed = 0;
  bool keep_events = true;  // false: reports need the cast and the verdict only; saves memory
  bool show_progress = false;
  live::LiveSource* nodes = nullptr;  // real servers that play every run too; null: the model alone
};

// What reports need of a run.
Run report_on(const Input& input, scenario::RunResult result);

Run run_one(scenario::Runner& runner, const Input& input, const scenario::RunOptions& options);

// Every scenario under every strategy and guard selected for it, in that order; `each` may keep the
// run.
//
// What a run does to the status: as expected, fine; not as expected, violated. Where nothing was
// expected its outcome counts, except that with `all` the runs a scenario says nothing about do not
// count if it says something about others: those are demonstrations. One that a real server plays otherwise
// than the model is violated; what none can play does not count, unless that is all there is: undecided.
Tally run_batch(std::span<const Input> inputs, const Selection& selection,
                const BatchOptions& options, const std::function<void(Run)>& each);

// The reports of kept runs, in a row, as the report functions want them.
std::vector<reports::RunReport> reports_of(std::span<const Run> runs);

}  // namespace locklapse::cli
