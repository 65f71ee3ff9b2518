// What can be said of a scenario file before it is parsed: its bytes.
#pragma once

#include <string_view>

#include "sim/scenario/diagnostics.h"

namespace locklapse::scenario {

// Refuses what no scenario holds, and what would make the parser guess: too many bytes,
// a byte order mark, anything but UTF-8, control characters, tabs as indentation.
// Returns whether the text may be parsed.
bool scan_bytes(std::string_view text, int source, Diagnostics& diagnostics);

}  // namespace locklapse::scenario
