#include "sim/cli/common_options.h"

#include <CLI/CLI.hpp>

namespace locklapse::cli {
namespace {

// An option that may be given again and takes one value each time: `--set a=1 FILE` must not eat
// FILE.
void add_repeatable(CLI::App& verb, const char* name, std::vector<std::string>& target,
                    const char* type, const char* help) {
  verb.add_option(name, target, help)
      ->type_name(type)
      ->type_size(1)
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

}  // namespace

void add_common(CLI::App& verb, CommonOptions& options) {
  add_repeatable(verb, "--set", options.sets, "KEY=VALUE",
                 "change one value of every scenario: --set lock.ttl=10s, --set clients.B.at=32s, "
                 "--set faults.0.for=20s");
  verb.add_option("--seed", options.seed, "seed of what is left to chance; 0 by default")
      ->type_name("N");
  verb.add_option("-o,--output", options.output,
                  "write into FILE, whole or not at all, instead of stdout")
      ->type_name("FILE");
}

void add_strategy(CLI::App& verb, CommonOptions& options, const char* help) {
  add_repeatable(verb, "--strategy", options.strategies, "S", help);
}

void add_guard(CLI::App& verb, CommonOptions& options, const char* help) {
  add_repeatable(verb, "--guard", options.guards, "G", help);
}

void add_paths(CLI::App& verb, CommonOptions& options) {
  verb.add_option("FILE|DIR", options.paths, "scenario files, or directories searched for *.yaml")
      ->type_name("")
      ->required();
}

}  // namespace locklapse::cli
