#include "reports/escape.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/display_width.h"
#include "reports/unicode_ranges.h"

namespace locklapse::reports {
namespace {

bool is_letter_or_digit(char32_t value) {
  return (value >= '0' && value <= '9') || (value >= 'a' && value <= 'z') ||
         (value >= 'A' && value <= 'Z');
}

bool is_noncharacter(char32_t value) {
  return (value & 0xfffe) == 0xfffe || (value >= 0xfdd0 && value <= 0xfdef);
}

// Controls (C0, DEL, C1), invisible characters, line and paragraph separators, noncharacters.
bool must_be_spelled(const CodePoint& point) {
  return !point.valid || point.value < 0x20 || (point.value >= 0x7f && point.value < 0xa0) ||
         point.value == 0x2028 || point.value == 0x2029 || is_format(point.value) ||
         is_noncharacter(point.value);
}

std::string spelled(const CodePoint& point) {
  if (point.value == '\n') return "\\n";
  if (point.value == '\r') return "\\r";
  if (point.value == '\t') return "\\t";
  const auto value = static_cast<unsigned>(point.value);
  if (!point.valid || value < 0x80) return fmt::format("\\x{:02x}", value);
  return fmt::format("\\u{{{:x}}}", value);
}

// Walks over `text` and appends what `each` makes of every code point and its bytes.
template <typename Each>
std::string mapped(std::string_view text, Each each) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    const auto bytes = static_cast<std::size_t>(point.bytes);
    each(point, text.substr(0, bytes), result);
    text.remove_prefix(bytes);
  }
  return result;
}

// Mermaid takes the word "end", in any case, for the end of a block: its first letter becomes a
// code.
void spell_end(std::string& text) {
  const auto letter = [&](std::size_t at) {
    return at < text.size() && is_letter_or_digit(static_cast<unsigned char>(text[at]));
  };
  for (std::size_t i = 0; i + 3 <= text.size(); ++i) {
    const auto lower = [&](std::size_t k) { return static_cast<char>(text[i + k] | 0x20); };
    if (lower(0) != 'e' || lower(1) != 'n' || lower(2) != 'd') continue;
    if ((i > 0 && letter(i - 1)) || letter(i + 3)) continue;
    const std::string code = fmt::format("#{};", static_cast<int>(text[i]));
    text.replace(i, 1, code);
    i += code.size();
  }
}

}  // namespace

std::string printable(std::string_view text, bool unicode) {
  return mapped(text, [&](const CodePoint& point, std::string_view bytes, std::string& result) {
    if (must_be_spelled(point) || (!unicode && point.value >= 0x80)) {
      result += spelled(point);
    } else {
      result += bytes;
    }
  });
}

std::string xml_text(std::string_view text) {
  return mapped(text, [](const CodePoint& point, std::string_view bytes, std::string& result) {
    if (point.valid && (point.value == '\n' || point.value == '\t')) {
      result += fmt::format("&#{};", static_cast<unsigned>(point.value));
    } else if (must_be_spelled(point)) {
      result += spelled(point);
    } else if (point.value == '&' || point.value == '<' || point.value == '>' ||
               point.value == '"' || point.value == '\'') {
      result += fmt::format("&#{};", static_cast<unsigned>(point.value));
    } else {
      result += bytes;
    }
  });
}

std::string mermaid_text(std::string_view text) {
  constexpr std::string_view kHarmless = " .,:_/()='*+?!-";
  const std::string safe = printable(text);
  std::string result =
      mapped(safe, [&](const CodePoint& point, std::string_view bytes, std::string& out) {
        const bool harmless = point.value >= 0x80 || is_letter_or_digit(point.value) ||
                              kHarmless.find(static_cast<char>(point.value)) != kHarmless.npos;
        if (harmless) {
          out += bytes;
        } else {
          out += fmt::format("#{};", static_cast<unsigned>(point.value));
        }
      });
  spell_end(result);
  return result;
}

std::string markdown_code(std::string_view text, bool in_table) {
  std::string safe = printable(text);
  if (safe.empty()) return "";
  std::size_t run = 0;
  std::size_t longest = 0;
  std::string cell;
  for (const char c : safe) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|' && in_table) cell += '\\';
    cell += c;
  }
  const std::string fence(longest + 1, '`');
  // One space inside the fence is dropped on display; without it a backtick would join the fence.
  const bool spaced = cell.front() == '`' || cell.back() == '`' || cell.front() == ' ';
  return fence + (spaced ? " " : "") + cell + (spaced ? " " : "") + fence;
}

std::string grep_word(std::string_view text) {
  if (text.empty()) return "-";
  std::string word = printable(text, false);
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
}

}  // namespace locklapse::reports
