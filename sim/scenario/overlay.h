// `--set KEY=VALUE`: changes one value of a scenario before it is checked.
#pragma once

#include <string_view>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/yaml.h"

namespace locklapse::scenario {

inline constexpr std::size_t kSetBytesMax = 4096;

// KEY is a dotted path of map keys and list indices ("clients.B.at", "faults.0.for"); maps that are
// not there are made. VALUE is YAML, so "30s", "none" and "{every: 1s}" all work. What it sets is
// marked with `source`. Returns false after adding an error.
bool apply_set(std::string_view set, int source, Node& root, Diagnostics& diagnostics);

}  // namespace locklapse::scenario
