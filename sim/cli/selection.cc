#include "sim/cli/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/cli/known.h"
#include "sim/cli/message.h"
#include "sim/scenario/diagnostics.h"

namespace locklapse::cli {
namespace {

std::vector<std::string> split_commas(const std::vector<std::string>& values) {
  std::vector<std::string> words;
  for (const std::string& value : values) {
    std::size_t from = 0;
    while (true) {
      const std::size_t comma = value.find(',', from);
      words.push_back(value.substr(from, comma - from));
      if (comma == std::string::npos) break;
      from = comma + 1;
    }
  }
  return words;
}

void add_once(std::vector<std::string>& list, std::string word) {
  if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(std::move(word));
}

bool select_strategies(std::string_view verb, const std::vector<std::string>& values,
                       Selection& out) {
  const auto& known = known_names();
  for (std::string& word : split_commas(values)) {
    if (word == "all") {
      out.all_strategies = true;
    } else if (std::string error = refuse_strategy(word, known); !error.empty()) {
      refuse_usage(verb, "--strategy: " + error);
      return false;
    } else {
      add_once(out.strategies, std::move(word));
    }
  }
  if (out.all_strategies) out.strategies = known.strategies;
  return true;
}

bool select_guards(std::string_view verb, const std::vector<std::string>& values, Selection& out) {
  const auto& known = known_names();
  for (const std::string& word : split_commas(values)) {
    if (word == "all") {
      out.all_guards = true;
      continue;
    }
    scenario::NormalGuard normal = scenario::normal_guard(word, known);
    if (!normal.value) {
      refuse_usage(verb, "--guard: " + normal.error);
      return false;
    }
    add_once(out.guards, std::move(*normal.value));
  }
  if (out.all_guards) {
    std::vector<std::string> all = known.guards;
    for (std::string& guard : out.guards)
      add_once(all, std::move(guard));  // combinations asked for
    out.guards = std::move(all);
  }
  return true;
}

}  // namespace

std::vector<std::string> Selection::strategies_for(const scenario::Scenario& scenario) const {
  return strategies.empty() ? std::vector<std::string>{scenario.lock.strategy} : strategies;
}

std::vector<std::string> Selection::guards_for(const scenario::Scenario& scenario) const {
  if (!scenario.resource) return {"none"};
  return guards.empty() ? std::vector<std::string>{scenario.resource->guard} : guards;
}

std::optional<Selection> select(std::string_view verb, const std::vector<std::string>& strategies,
                                const std::vector<std::string>& guards) {
  Selection out;
  if (!select_strategies(verb, strategies, out)) return std::nullopt;
  if (!select_guards(verb, guards, out)) return std::nullopt;
  return out;
}

std::optional<std::uint64_t> parse_seed(std::string_view verb, std::string_view text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error == std::errc() && end == text.data() + text.size()) return seed;
  refuse_usage(verb, fmt::format("--seed: {}; allowed: a whole number from 0 to {}",
                                 scenario::quoted(text), UINT64_MAX));
  return std::nullopt;
}

}  // namespace locklapse::cli
