#include "sim/live/reply_size.h"

#include <fmt/format.h>

#include <charconv>

#include "sim/live/error.h"

namespace locklapse::live {

std::size_t reply_size(std::string_view bytes) {
  std::size_t end = 0;
  // How many values are still to come: one, plus those that arrays announce.
  for (long long open = 1; open > 0; --open) {
    const std::size_t line_end = bytes.find('\n', end);
    if (line_end == std::string_view::npos) return 0;
    const char type = bytes[end];
    long long number = 0;
    switch (type) {
      case '+': case '-': case ':': case '_': case '#': case ',': case '(':
        break;
      case '$': case '=': case '!': case '*': case '~': case '>': case '%': case '|':
        std::from_chars(bytes.data() + end + 1, bytes.data() + line_end, number);
        break;
      default:
        throw Error(fmt::format("redis-server sends what is no reply: {}", bytes.substr(end, 40)));
    }
    end = line_end + 1;
    if (number < 0) continue;
    if (type == '$' || type == '=' || type == '!') {
      end += static_cast<std::size_t>(number) + 2;
      if (end > bytes.size()) return 0;
    } else {
      // An attribute comes before the value that it belongs to.
      open += (type == '%' || type == '|' ? 2 * number : number) + (type == '|' ? 1 : 0);
    }
  }
  return end;
}

}  // namespace locklapse::live
