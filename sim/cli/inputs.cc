#include "sim/cli/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>

#include "reports/escape.h"
#include "sim/cli/known.h"
#include "sim/cli/message.h"
#include "sim/scenario/read.h"

namespace locklapse::cli {
namespace {

namespace fs = std::filesystem;

// Every *.yaml below `root`. False after telling what could not be read.
bool add_directory(const std::string& root, std::vector<std::string>& files) {
  std::error_code error;
  std::vector<std::string> found;
  fs::recursive_directory_iterator at(root, error);
  while (!error && at != fs::recursive_directory_iterator()) {
    std::error_code ignored;  // what cannot be looked at fails with its own message when it is read
    const bool directory = at->is_directory(ignored);
    if (!directory && at->path().extension() == ".yaml") found.push_back(at->path().string());
    at.increment(error);
  }
  if (error) {
    tell(fmt::format("{}: cannot be read: {}", reports::printable(root), error.message()));
    return false;
  }
  if (found.empty()) {
    tell(fmt::format("{}: no scenario in it; allowed: a directory with *.yaml files",
                     reports::printable(root)));
    return false;
  }
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
  return true;
}

void tell_errors(const scenario::Result& result, const std::string& path) {
  for (const std::string& error : result.errors) {
    const std::string line = error + "\n";  // FILE:LINE:COLUMN first, where editors look for it
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
  if (result.errors_left_out > 0) {
    tell(fmt::format("{}: {} more errors are not shown", reports::printable(path),
                     result.errors_left_out));
  }
}

}  // namespace

std::optional<std::vector<std::string>> scenario_files(std::span<const std::string> paths) {
  std::vector<std::string> files;
  bool fine = true;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      fine = add_directory(path, files) && fine;
    } else {
      files.push_back(path);
    }
  }
  if (!fine) return std::nullopt;
  return files;
}

std::optional<std::vector<Input>> read_inputs(std::span<const std::string> paths,
                                              std::span<const std::string> sets) {
  const auto files = scenario_files(paths);
  if (!files) return std::nullopt;
  std::vector<Input> inputs;
  std::map<std::string, int> names;
  bool fine = true;
  for (const std::string& file : *files) {
    scenario::Result result = scenario::read_scenario(file, known_names(), sets);
    if (!result.ok()) {
      tell_errors(result, file);
      fine = false;
      continue;
    }
    ++names[result.scenario->name];
    inputs.push_back({result.scenario->name, std::move(*result.scenario)});
  }
  if (!fine) return std::nullopt;
  for (Input& input : inputs) {
    if (names[input.scenario.name] > 1) input.name = input.scenario.path;
  }
  return inputs;
}

}  // namespace locklapse::cli
