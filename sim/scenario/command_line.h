// A Redis command line as an operator types it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace locklapse::scenario {

inline constexpr std::size_t kArgumentsMax = 64;

struct ParsedCommand {
  std::optional<std::vector<std::string>> argv;  // at least one argument
  std::string error;
};

// Splits on blanks. Double quotes keep blanks together; within them \" and \\ stand for " and \.
ParsedCommand parse_command_line(std::string_view text);

// Back to one line that parse_command_line() would split alike.
std::string spell_command(const std::vector<std::string>& argv);

}  // namespace locklapse::scenario
