// locklapse matrix: strategies x scenarios, guards as a second axis.
#include "reports/matrix.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "sim/cli/batch.h"
#include "sim/cli/common_options.h"
#include "sim/cli/message.h"
#include "sim/cli/output.h"
#include "sim/cli/terminal.h"
#include "sim/cli/verbs.h"

namespace locklapse::cli {
namespace {

constexpr const char* kHelp = R"(
Exit status: 0 shown; 1 if a run is not as its scenario expects; 64 usage; 65 bad input; 70 a fault of our
own. A violation that no scenario says anything about is what the table is there to show: it does not count.

Examples:
  locklapse matrix scenarios                             every strategy against every scenario
  locklapse matrix abc.yaml --guard all                  one row for each guard of the resource
  locklapse matrix scenarios --format markdown -o matrix.md
)";

struct MatrixVerb : CommonOptions {
  std::string format = "text";
};

Status matrix(const MatrixVerb& verb) {
  static constexpr std::string_view kFormats[] = {"text", "markdown", "json"};
  static constexpr std::string_view kLater[] = {"html"};
  const int format = choose("matrix", "format", verb.format, kFormats, kLater);
  if (format < 0) return Status::kUsage;
  const auto seed = parse_seed("matrix", verb.seed);
  const std::vector<std::string> every_strategy{"all"};
  const auto selection =
      select("matrix", verb.strategies.empty() ? every_strategy : verb.strategies, verb.guards);
  if (!seed || !selection) return Status::kUsage;
  const auto inputs = read_inputs(verb.paths, verb.sets);
  if (!inputs) return Status::kBadInput;

  BatchOptions options;
  options.seed = *seed;
  options.keep_events = false;
  options.show_progress = true;
  std::vector<Run> runs;
  const Tally tally =
      run_batch(*inputs, *selection, options, [&](Run run) { runs.push_back(std::move(run)); });
  const std::vector<reports::RunReport> all = reports_of(runs);
  Output output(verb.output);
  if (format == 0) output.write(reports::matrix_text(all, text_style(output.is_file())));
  if (format == 1) output.write(reports::matrix_markdown(all));
  if (format == 2) output.write(reports::matrix_json(all));
  if (!output.finish()) return Status::kOurFault;
  return tally.not_as_expected > 0 ? Status::kViolated : Status::kFine;
}

}  // namespace

void add_matrix(CLI::App& app, Chosen& chosen) {
  auto verb = std::make_shared<MatrixVerb>();
  CLI::App* command =
      app.add_subcommand("matrix", "show which lock protocol survives which scenario");
  add_paths(*command, *verb);
  add_strategy(*command, *verb, "only this lock protocol; may be repeated; all by default");
  add_guard(*command, *verb, "a guard of the resource instead of the scenario's own, or all");
  command->add_option("--format", verb->format, "text, markdown, json")->type_name("F");
  add_common(*command, *verb);
  command->footer(kHelp);
  command->callback([verb, &chosen] { chosen = [verb] { return matrix(*verb); }; });
}

}  // namespace locklapse::cli
