#include "sim/scenario/command_line.h"

#include <fmt/format.h>

#include "sim/scenario/diagnostics.h"

namespace locklapse::scenario {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Takes one quoted stretch off `rest`, which begins with its opening quote. False when it never
// closes.
bool take_quoted(std::string_view& rest, std::string& argument) {
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return true;
    }
    const bool escape =
        rest[i] == '\\' && i + 1 < rest.size() && (rest[i + 1] == '"' || rest[i + 1] == '\\');
    if (escape) ++i;
    argument += rest[i];
  }
  return false;
}

}  // namespace

ParsedCommand parse_command_line(std::string_view text) {
  std::vector<std::string> argv;
  std::string_view rest = text;
  while (true) {
    while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
    if (rest.empty()) break;
    if (argv.size() == kArgumentsMax) {
      return {std::nullopt,
              fmt::format("more than {0} arguments; allowed: up to {0}", kArgumentsMax)};
    }
    std::string& argument = argv.emplace_back();
    while (!rest.empty() && !is_blank(rest.front())) {
      if (rest.front() != '"') {
        argument += rest.front();
        rest.remove_prefix(1);
      } else if (!take_quoted(rest, argument)) {
        return {
            std::nullopt,
            fmt::format("{} has a quote that does not close; allowed: pairs of \"", quoted(text))};
      }
    }
  }
  if (argv.empty() || argv.front().empty()) {
    return {std::nullopt,
            fmt::format("{} is no command; allowed: a command line, as in DEL lock:order:123",
                        quoted(text))};
  }
  return {std::move(argv), {}};
}

std::string spell_command(const std::vector<std::string>& argv) {
  std::string out;
  for (const std::string& argument : argv) {
    if (!out.empty()) out += ' ';
    const bool bare = !argument.empty() && argument.find_first_of(" \t\n\r\"") == std::string::npos;
    if (bare) {
      out += argument;
      continue;
    }
    out += '"';
    for (char c : argument) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }
  return out;
}

}  // namespace locklapse::scenario
