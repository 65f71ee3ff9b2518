// The names that layers below lend to scenario files: which strategies and which guards there are.
//
// A parameter and not a call, so that the reader can be built, tested and fuzzed without any of
// them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace locklapse::scenario {

struct Vocabulary {
  std::vector<std::string> strategies;  // "set-lua"
  std::vector<std::string> guards;      // "none", "fence": those that '+' joins
};

struct NormalGuard {
  std::optional<std::string> value;  // its parts in the vocabulary's order: one name for one guard
  std::string error;                 // what was found and what is allowed; empty if `value` is set
};

// "none", one guard, or several different ones joined by '+'.
NormalGuard normal_guard(std::string_view text, const Vocabulary& vocabulary);

// Empty when there is such a strategy, or else what was found and what is allowed.
std::string refuse_strategy(std::string_view name, const Vocabulary& vocabulary);

}  // namespace locklapse::scenario
