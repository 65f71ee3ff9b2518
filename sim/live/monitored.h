// The lines that a server sends to whoever monitors it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace locklapse::live {

// The words of a command, byte for byte, from a line such as
//   1767225600.000000 [0 lua] "set" "k\x00" "v"
// Empty where the line is no such line.
std::vector<std::string> monitored_words(std::string_view line);

}  // namespace locklapse::live
