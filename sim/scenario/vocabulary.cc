#include "sim/scenario/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/nearest.h"

namespace locklapse::scenario {
namespace {

std::vector<std::string_view> views(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

std::string unknown(std::string_view what, std::string_view name,
                    const std::vector<std::string>& allowed, std::string_view note) {
  const auto names = views(allowed);
  std::string error =
      fmt::format("unknown {} {}; allowed: {}{}", what, quoted(name), listed(names), note);
  if (const auto near = nearest(name, names))
    error += fmt::format("; did you mean {}?", quoted(*near));
  return error;
}

}  // namespace

NormalGuard normal_guard(std::string_view text, const Vocabulary& vocabulary) {
  const auto& guards = vocabulary.guards;
  std::vector<bool> chosen(guards.size(), false);
  std::size_t parts = 0;
  for (std::string_view rest = text;; ++parts) {
    const std::size_t plus = rest.find('+');
    const std::string_view part = rest.substr(0, plus);
    const auto guard = std::find(guards.begin(), guards.end(), part);
    if (guard == guards.end()) {
      return {std::nullopt, unknown("guard", part, guards, ", or several joined by '+'")};
    }
    const auto index = static_cast<std::size_t>(guard - guards.begin());
    if (chosen[index]) {
      return {std::nullopt, fmt::format("{} names {} twice; allowed: once", quoted(text), part)};
    }
    if (part == "none" && text != "none") {
      return {std::nullopt,
              fmt::format("{} joins none to others; allowed: none by itself", quoted(text))};
    }
    chosen[index] = true;
    if (plus == std::string_view::npos) break;
    rest.remove_prefix(plus + 1);
  }
  std::string name;
  for (std::size_t i = 0; i < guards.size(); ++i) {
    if (chosen[i]) name += (name.empty() ? "" : "+") + guards[i];
  }
  return {std::move(name), {}};
}

std::string refuse_strategy(std::string_view name, const Vocabulary& vocabulary) {
  const auto& known = vocabulary.strategies;
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  return unknown("strategy", name, known, "");
}

}  // namespace locklapse::scenario
