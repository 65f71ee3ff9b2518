// The scenarios that FILE|DIR... on the command line stand for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace locklapse::cli {

struct Input {
  std::string name;  // file name without folder and extension; the path if two share that
  scenario::Scenario scenario;
};

// The *.yaml files: a file is itself, a directory all below it, sorted by path. Nothing after
// telling what is wrong with one of them.
std::optional<std::vector<std::string>> scenario_files(std::span<const std::string> paths);

// Reads them all. Nothing after telling every error in every file.
std::optional<std::vector<Input>> read_inputs(std::span<const std::string> paths,
                                              std::span<const std::string> sets);

}  // namespace locklapse::cli
