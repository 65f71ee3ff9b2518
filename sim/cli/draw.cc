// locklapse draw: the picture of one run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "reports/mermaid.h"
#include "reports/text.h"
#include "sim/cli/batch.h"
#include "sim/cli/common_options.h"
#include "sim/cli/message.h"
#include "sim/cli/output.h"
#include "sim/cli/terminal.h"
#include "sim/cli/verbs.h"
#include "sim/scenario/diagnostics.h"

namespace locklapse::cli {
namespace {

constexpr const char* kHelp = R"(
Exit status: 0 drawn, whatever the verdict; 64 usage; 65 bad input; 70 a fault of our own.

Examples:
  locklapse draw abc.yaml                                a timeline in the terminal
  locklapse draw abc.yaml --strategy set-lua             the same story under another lock protocol
  locklapse draw abc.yaml --as mermaid -o abc.mmd        for a pull request
)";

struct DrawVerb : CommonOptions {
  std::string path;
  std::string as = "text";
};

// A scenario's own, unless the command line names one.
bool one_at_most(const std::vector<std::string>& values) {
  return values.empty() || (values.size() == 1 && values.front().find(',') == std::string::npos &&
                            values.front() != "all");
}

Status draw(const DrawVerb& verb) {
  static constexpr std::string_view kForms[] = {"text", "mermaid"};
  static constexpr std::string_view kLater[] = {"plantuml", "svg", "html", "perfetto"};
  const int form = choose("draw", "form", verb.as, kForms, kLater);
  if (form < 0) return Status::kUsage;
  if (!one_at_most(verb.strategies))
    return refuse_usage("draw", "--strategy: allowed: one strategy");
  if (!one_at_most(verb.guards)) return refuse_usage("draw", "--guard: allowed: one guard");
  const auto seed = parse_seed("draw", verb.seed);
  const auto selection = select("draw", verb.strategies, verb.guards);
  if (!seed || !selection) return Status::kUsage;
  const auto inputs = read_inputs(std::vector<std::string>{verb.path}, verb.sets);
  if (!inputs) return Status::kBadInput;
  if (inputs->size() != 1) {
    return refuse_usage("draw", fmt::format("{} scenarios in {}; allowed: one file", inputs->size(),
                                            scenario::quoted(verb.path)));
  }

  const Input& input = inputs->front();
  scenario::Runner runner;
  const Run run = run_one(runner, input,
                          {selection->strategies_for(input.scenario).front(),
                           selection->guards_for(input.scenario).front(), *seed});
  Output output(verb.output);
  output.write(form == 0 ? reports::draw_text(run.report, text_style(output.is_file()))
                         : reports::mermaid_diagram(run.report));
  return output.finish() ? Status::kFine : Status::kOurFault;
}

}  // namespace

void add_draw(CLI::App& app, Chosen& chosen) {
  auto verb = std::make_shared<DrawVerb>();
  CLI::App* command = app.add_subcommand("draw", "draw the timeline of one run");
  command->add_option("FILE", verb->path, "a scenario file")->type_name("")->required();
  add_strategy(*command, *verb, "a lock protocol instead of the scenario's own");
  add_guard(*command, *verb, "a guard of the resource instead of the scenario's own");
  command->add_option("--as", verb->as, "text, mermaid")->type_name("FORM");
  add_common(*command, *verb);
  command->footer(kHelp);
  command->callback([verb, &chosen] { chosen = [verb] { return draw(*verb); }; });
}

}  // namespace locklapse::cli
