// Options that verbs share, so that they read alike everywhere.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace locklapse::cli {

struct CommonOptions {
  std::vector<std::string> paths;
  std::vector<std::string> strategies;
  std::vector<std::string> guards;
  std::vector<std::string> sets;
  std::string seed = "0";
  std::string output;
};

// --set, --seed, -o
void add_common(CLI::App& verb, CommonOptions& options);
void add_strategy(CLI::App& verb, CommonOptions& options, const char* help);
void add_guard(CLI::App& verb, CommonOptions& options, const char* help);
void add_paths(CLI::App& verb, CommonOptions& options);  // FILE|DIR...

}  // namespace locklapse::cli
