#include "sim/scenario/bytes.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "sim/scenario/scenario.h"

namespace locklapse::scenario {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// How many bytes the UTF-8 sequence at `at` has; 0 if it is none. Overlong forms, surrogates and
// values beyond U+10FFFF are none.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const unsigned char lead = byte_at(text, at);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (at + bytes > text.size()) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte_at(text, at + i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte_at(text, at + 1);
  if (lead == 0xe0 && second < 0xa0) return 0;
  if (lead == 0xed && second > 0x9f) return 0;
  if (lead == 0xf0 && second < 0x90) return 0;
  if (lead == 0xf4 && second > 0x8f) return 0;
  return bytes;
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// UTF-16 and UTF-32 are told by their marks; without one they fail as control characters or UTF-8.
std::string_view byte_order_mark(std::string_view text) {
  using namespace std::string_view_literals;
  if (starts_with(text, "\xef\xbb\xbf"sv)) return "a UTF-8 byte order mark";
  if (starts_with(text, "\xff\xfe"sv)) return "a UTF-16 or UTF-32 byte order mark";
  if (starts_with(text, "\xfe\xff"sv)) return "a UTF-16 byte order mark";
  return {};
}

}  // namespace

bool scan_bytes(std::string_view text, int source, Diagnostics& diagnostics) {
  if (text.size() > kFileBytesMax) {
    diagnostics.add({source, 0, 0},
                    fmt::format("{} bytes; allowed: up to {}", text.size(), kFileBytesMax));
    return false;
  }
  if (const std::string_view bom = byte_order_mark(text); !bom.empty()) {
    diagnostics.add({source, 1, 1}, fmt::format("{}; allowed: plain UTF-8 without one", bom));
    return false;
  }
  Mark mark{source, 1, 1};
  bool indenting = true;
  for (std::size_t at = 0; at < text.size();) {
    const unsigned char c = byte_at(text, at);
    const std::size_t bytes = utf8_length(text, at);
    if (bytes == 0) {
      diagnostics.add(mark, fmt::format("the byte 0x{:02x} is not UTF-8; allowed: UTF-8", c));
      return false;
    }
    if ((c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f) {
      diagnostics.add(mark,
                      fmt::format("the control character 0x{:02x}; allowed: printable text, or an "
                                  "escape such as \"\\x{:02x}\" in double quotes",
                                  c, c));
      return false;
    }
    if (c == '\t' && indenting) {
      diagnostics.add(mark, "a tab as indentation; allowed: spaces");
      return false;
    }
    if (c == '\n') {
      mark = {source, mark.line + 1, 1};
      indenting = true;
    } else {
      mark.column += static_cast<int>(bytes);
      indenting = indenting && c == ' ';
    }
    at += bytes;
  }
  return true;
}

}  // namespace locklapse::scenario
