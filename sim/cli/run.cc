// locklapse run: replays scenarios and holds each run against what its scenario expects.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "reports/json.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/text.h"
#include "sim/cli/batch.h"
#include "sim/cli/common_options.h"
#include "sim/cli/message.h"
#include "sim/cli/output.h"
#include "sim/cli/terminal.h"
#include "sim/cli/verbs.h"

namespace locklapse::cli {
namespace {

constexpr const char* kHelp = R"(
Exit status: 0 as expected, or safe where nothing was expected; 1 violated or not as expected; 2 unknown, or
the run never exercised its point; 64 usage; 65 bad input; 70 a fault of our own. Of several runs the worst
counts, 1 before 2. With --strategy all (or --guard all), runs about which a scenario says nothing do not
count if it says something about others: they are demonstrations. With --backend redis a run that the real
server plays otherwise than the model counts as 1; one that it cannot play does not count, unless none can: 2.

Examples:
  locklapse run scenarios                                every scenario as its file says
  locklapse run abc.yaml --strategy all                  one story under every lock protocol
  locklapse run abc.yaml --set clients.B.at=25s          what if B came earlier?
  locklapse run scenarios --strategy all --format junit -o locklapse.xml
  locklapse run abc.yaml --backend redis                 does a real redis-server do the same?
)";

enum class Format { kText, kJson, kJunit, kMarkdown };
constexpr std::string_view kFormats[] = {"text", "json", "junit", "markdown"};

struct RunVerb : CommonOptions {
  std::string format = "text";
  std::string backend = "model";
  bool events = false;
};

std::string tally_line(const Tally& tally, bool confirmed) {
  std::string line = fmt::format("runs={} as_expected={} not_as_expected={} nothing_expected={}", tally.runs,
                                 tally.as_expected, tally.not_as_expected, tally.nothing_expected);
  if (confirmed) {
    line += fmt::format(" confirmed={} not_runnable={} disagreeing={}", tally.confirmed, tally.not_runnable,
                        tally.disagreeing);
  }
  return line + fmt::format(" status={}\n", static_cast<int>(tally.status));
}

// Text comes as it goes; the other formats are one document at the end.
Tally run_as_text(std::span<const Input> inputs, const Selection& selection, BatchOptions options,
                  Output& output) {
  const reports::TextStyle style = text_style(output.is_file());
  options.show_progress = output.is_file() || !stdout_is_terminal();
  bool first = true;
  const Tally tally = run_batch(inputs, selection, options, [&](Run run) {
    output.write((first ? "" : "\n") + reports::run_text(run.report, style));
    first = false;
  });
  const bool confirmed = options.nodes != nullptr;
  if (tally.runs > 1 || confirmed) output.write(tally_line(tally, confirmed));
  return tally;
}

Tally run_as_document(std::span<const Input> inputs, const Selection& selection,
                      BatchOptions options, Format format, bool events, Output& output) {
  options.keep_events = events;
  options.show_progress = true;
  std::vector<Run> runs;
  const Tally tally =
      run_batch(inputs, selection, options, [&](Run run) { runs.push_back(std::move(run)); });
  const std::vector<reports::RunReport> all = reports_of(runs);
  if (format == Format::kJson) output.write(reports::json_report(all, {events}));
  if (format == Format::kJunit) output.write(reports::junit_xml(all));
  if (format == Format::kMarkdown) output.write(reports::markdown_table(all));
  return tally;
}

Status run(const RunVerb& verb) {
  static constexpr std::string_view kBackends[] = {"model", "redis"};
  const int backend = choose("run", "backend", verb.backend, kBackends);
  if (backend < 0) return Status::kUsage;
  const int chosen = choose("run", "format", verb.format, kFormats);
  if (chosen < 0) return Status::kUsage;
  const auto format = static_cast<Format>(chosen);
  if (verb.events && format != Format::kJson) {
    return refuse_usage("run",
                        "--events goes with --format json; for a timeline use 'locklapse draw'");
  }
  const auto seed = parse_seed("run", verb.seed);
  const auto selection = select("run", verb.strategies, verb.guards);
  if (!seed || !selection) return Status::kUsage;
  const auto inputs = read_inputs(verb.paths, verb.sets);
  if (!inputs) return Status::kBadInput;

  Output output(verb.output);
  BatchOptions options;
  options.seed = *seed;
  live::LiveSource nodes;
  if (kBackends[backend] == "redis") options.nodes = &nodes;
  const Tally tally = format == Format::kText ? run_as_text(*inputs, *selection, options, output)
                                              : run_as_document(*inputs, *selection, options,
                                                                format, verb.events, output);
  return output.finish() ? tally.status : Status::kOurFault;
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
  auto verb = std::make_shared<RunVerb>();
  CLI::App* command =
      app.add_subcommand("run", "replay scenarios and compare with what they expect");
  add_paths(*command, *verb);
  add_strategy(*command, *verb,
               "a lock protocol instead of the scenario's own, or all; may be repeated");
  add_guard(*command, *verb, "a guard of the resource instead of the scenario's own, or all");
  command->add_option("--backend", verb->backend,
                      "model; redis: play every run on a real redis-server too, and compare")->type_name("B");
  command->add_option("--format", verb->format, "text, json, junit, markdown")->type_name("F");
  command->add_flag("--events", verb->events, "with --format json: the whole history of each run");
  add_common(*command, *verb);
  command->footer(kHelp);
  command->callback([verb, &chosen] { chosen = [verb] { return run(*verb); }; });
}

}  // namespace locklapse::cli
