// locklapse list: what there is to choose from, one a line: the name, then what it means.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reports/escape.h"
#include "sim/cli/inputs.h"
#include "sim/cli/message.h"
#include "sim/cli/output.h"
#include "sim/cli/verbs.h"
#include "sim/history/cause.h"
#include "sim/locks/strategy.h"
#include "sim/scenario/fault_kinds.h"
#include "sim/world/guard.h"

namespace locklapse::cli {
namespace {

constexpr const char* kHelp = R"(
Examples:
  locklapse list strategies
  locklapse list scenarios scenarios/                    the files below a directory, with their titles
)";

constexpr std::string_view kKinds[] = {"strategies", "guards", "faults", "causes", "scenarios"};

struct ListVerb {
  std::string kind;
  std::string directory;
  std::string output;
};

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows known_rows(std::string_view kind) {
  Rows rows;
  if (kind == "strategies") {
    for (const Strategy* strategy : all_strategies())
      rows.emplace_back(strategy->info().name, strategy->info().meaning);
  } else if (kind == "guards") {
    for (const GuardInfo& guard : all_guards()) rows.emplace_back(guard.name, guard.meaning);
  } else if (kind == "faults") {
    for (const auto& fault : scenario::fault_kinds()) rows.emplace_back(fault.name, fault.meaning);
  } else {
    for (int i = 0; i < kCauses; ++i) {
      const auto cause = static_cast<Cause>(i);
      rows.emplace_back(cause_name(cause), cause_meaning(cause));
    }
  }
  return rows;
}

Status list(const ListVerb& verb) {
  if (choose("list", "kind", verb.kind, kKinds) < 0) return Status::kUsage;
  Rows rows;
  if (verb.kind == "scenarios") {
    const std::vector<std::string> paths{verb.directory.empty() ? "scenarios" : verb.directory};
    const auto inputs = read_inputs(paths, {});
    if (!inputs) return Status::kBadInput;
    for (const Input& input : *inputs) {
      rows.emplace_back(reports::printable(input.scenario.path),
                        reports::printable(input.scenario.title));
    }
  } else if (!verb.directory.empty()) {
    return refuse_usage("list", "a directory goes with scenarios only");
  } else {
    rows = known_rows(verb.kind);
  }
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  Output output(verb.output);
  for (const auto& [name, meaning] : rows)
    output.write(fmt::format("{:<{}}  {}\n", name, width, meaning));
  return output.finish() ? Status::kFine : Status::kOurFault;
}

}  // namespace

void add_list(CLI::App& app, Chosen& chosen) {
  auto verb = std::make_shared<ListVerb>();
  CLI::App* command =
      app.add_subcommand("list", "list strategies, guards, faults, causes or scenarios");
  command->add_option("KIND", verb->kind, "strategies, guards, faults, causes, scenarios")
      ->type_name("")
      ->required();
  command->add_option("DIR", verb->directory, "for scenarios: where; ./scenarios by default")
      ->type_name("");
  command->add_option("-o,--output", verb->output, "write into FILE instead of stdout")
      ->type_name("FILE");
  command->footer(kHelp);
  command->callback([verb, &chosen] { chosen = [verb] { return list(*verb); }; });
}

}  // namespace locklapse::cli
