#include "sim/cli/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/nearest.h"

namespace locklapse::cli {

void tell(std::string_view text) {
  const std::string line = fmt::format("locklapse: {}\n", text);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

Status refuse_usage(std::string_view verb, std::string_view text) {
  tell(text);
  tell(verb.empty() ? "see 'locklapse --help'" : fmt::format("see 'locklapse {} --help'", verb));
  return Status::kUsage;
}

int choose(std::string_view verb, std::string_view what, std::string_view word,
           std::span<const std::string_view> allowed, std::span<const std::string_view> later) {
  const auto at = std::find(allowed.begin(), allowed.end(), word);
  if (at != allowed.end()) return static_cast<int>(at - allowed.begin());
  if (std::find(later.begin(), later.end(), word) != later.end()) {
    refuse_usage(verb, fmt::format("{} {} is not supported yet; allowed: {}", what, word,
                                   scenario::listed(allowed)));
    return -1;
  }
  std::string text = fmt::format("unknown {} {}; allowed: {}", what, scenario::quoted(word),
                                 scenario::listed(allowed));
  if (const auto near = scenario::nearest(word, allowed)) {
    text += fmt::format("; did you mean {}?", scenario::quoted(*near));
  }
  refuse_usage(verb, text);
  return -1;
}

}  // namespace locklapse::cli
