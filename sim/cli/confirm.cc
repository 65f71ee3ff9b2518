#include "sim/cli/confirm.h"

#include <utility>

#include "reports/difference.h"

namespace locklapse::cli {

Run run_confirmed(scenario::Runner& runner, live::LiveSource& nodes, const Input& input,
                  const scenario::RunOptions& options) {
  Run model = run_one(runner, input, options);
  nodes.begin_run();
  Run real = report_on(input, runner.run(input.scenario, options, nodes));
  const auto& failure = nodes.failure();
  if (failure && failure->not_runnable) {
    model.report.confirmation = {reports::Agreement::kNotRunnable, failure->why, {}};
    return model;
  }
  real.report.backend = "redis";
  std::vector<std::string> differences = reports::differences(real.report, model.report);
  if (failure) differences.insert(differences.begin(), failure->why);
  const auto agreement = differences.empty() ? reports::Agreement::kConfirmed : reports::Agreement::kDisagreeing;
  real.report.confirmation = {agreement, {}, std::move(differences)};
  return real;
}

}  // namespace locklapse::cli
