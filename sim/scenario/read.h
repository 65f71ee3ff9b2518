// Reads a scenario file: YAML in, a Scenario or a list of errors out.
//
// Contract
//   - Never throws, and neither time nor memory grows out of hand on any input: bytes, nesting,
//   values,
//     clients, faults and errors are all bounded.
//   - Either `scenario` is set and keeps every invariant of scenario.h, or `errors` has at least
//   one line.
//   - An error is one line, "FILE:LINE:COLUMN: what was found; what is allowed; did you mean X?".
//   Lines
//     and columns count from 1, columns in bytes. What came from a `--set` is located as "--set
//     KEY=VALUE". Text from the file is escaped, so no scenario can write a terminal sequence.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/scenario/vocabulary.h"

namespace locklapse::scenario {

inline constexpr std::size_t kErrorsMax = 20;

struct Result {
  std::optional<Scenario> scenario;
  std::vector<std::string> errors;  // at most kErrorsMax, in the order of the file
  std::size_t errors_left_out = 0;  // how many more there were

  bool ok() const { return scenario.has_value(); }
};

// `sets` are overlays "KEY=VALUE" with a dotted path as KEY ("clients.B.at=32s"), applied in order
// before anything is checked; a later one wins.
Result read_scenario(const std::string& path, const Vocabulary& vocabulary,
                     std::span<const std::string> sets = {});

// The same for text at hand. `path` is only what errors and Scenario::path call it.
Result read_scenario_text(std::string_view text, const std::string& path,
                          const Vocabulary& vocabulary, std::span<const std::string> sets = {});

}  // namespace locklapse::scenario
