// The names that layers below lend to scenario files: which strategies and which guards there are.
//
// A parameter and not a call, so that the reader can be built, tested and fuzzed without any of them.
#pragma once

#include <string>
#include <vector>

namespace locklapse::scenario {

struct Vocabulary {
  std::vector<std::string> strategies;   // "set-lua"
  std::vector<std::string> guards;       // "none", "fence": those that '+' joins
};

}  // namespace locklapse::scenario
