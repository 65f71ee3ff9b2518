// Which strategies and guards a command line asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"

namespace locklapse::cli {

// Empty lists: what each scenario says itself.
struct Selection {
  std::vector<std::string> strategies;
  std::vector<std::string> guards;
  bool all_strategies = false;
  bool all_guards = false;

  std::vector<std::string> strategies_for(const scenario::Scenario& scenario) const;
  // A scenario without a resource has nothing to guard: it runs once, with none.
  std::vector<std::string> guards_for(const scenario::Scenario& scenario) const;
};

// "all", or names of which each may hold several separated by commas. Nothing after telling what is
// wrong.
std::optional<Selection> select(std::string_view verb, const std::vector<std::string>& strategies,
                                const std::vector<std::string>& guards);

// A decimal number from 0 to 2^64 - 1. Nothing after telling what is wrong.
std::optional<std::uint64_t> parse_seed(std::string_view verb, std::string_view text);

}  // namespace locklapse::cli
