#include "sim/cli/terminal.h"

#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace locklapse::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

int terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const std::string_view columns = variable("COLUMNS");
  int width = 0;
  const auto [end, error] = std::from_chars(columns.data(), columns.data() + columns.size(), width);
  const bool fine = error == std::errc() && end == columns.data() + columns.size() && width > 0;
  return fine ? width : reports::TextStyle{}.width;
}

// A locale without a character set ("en_US") and no locale at all pass: what shows them today is
// UTF-8.
bool locale_is_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = variable(name);
    if (locale.empty()) continue;
    if (locale == "C" || locale == "POSIX") return false;
    const std::size_t dot = locale.find('.');
    if (dot == std::string_view::npos) return true;
    const std::string_view charset = locale.substr(dot + 1, 5);
    return strncasecmp(charset.data(), "utf-8", std::min<std::size_t>(charset.size(), 5)) == 0 ||
           strncasecmp(charset.data(), "utf8", std::min<std::size_t>(charset.size(), 4)) == 0;
  }
  return true;
}

}  // namespace

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }
bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

reports::TextStyle text_style(bool to_file) {
  reports::TextStyle style;
  style.unicode = locale_is_unicode();
  if (to_file) return style;
  style.colour = stdout_is_terminal() && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  style.width = std::clamp(terminal_width(), reports::kTextWidthMin, reports::kTextWidthMax);
  return style;
}

}  // namespace locklapse::cli
