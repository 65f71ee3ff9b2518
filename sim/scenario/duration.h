// Durations as people write them: "30s", "1.5s", "250ms". Exact integers, never floating point.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/core/time.h"

namespace locklapse::scenario {

inline constexpr std::string_view kUnits = "ns us ms s min h";

struct ParsedDuration {
  std::optional<Duration> value;
  std::string error;  // what was found and what is allowed; empty if `value` is set
};

// [+|-]DIGITS[.DIGITS]UNIT without blanks. Refused: no unit or an unknown one, more digits than the
// nanosecond can carry, magnitudes beyond kDurationMax.
ParsedDuration parse_duration(std::string_view text);

// "35 s", "1.5 s", "250 ms": the largest of s, ms, us, ns that leaves a whole part. Exact.
std::string spell_duration(Duration duration);

}  // namespace locklapse::scenario
