#include "reports/display_width.h"

#include <algorithm>
#include <cstddef>

#include "reports/unicode_ranges.h"

namespace locklapse::reports {
namespace {

// How many bytes a lead byte announces; 0 for a byte that cannot lead.
int announced_bytes(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 0;
}

// The longest prefix of `text`, in bytes, that takes at most `width` columns.
std::size_t prefix_bytes(std::string_view text, int width) {
  std::size_t at = 0;
  int used = 0;
  while (at < text.size()) {
    const CodePoint point = decode_utf8(text.substr(at));
    used += code_point_width(point.value);
    if (used > width) break;
    at += static_cast<std::size_t>(point.bytes);
  }
  return at;
}

}  // namespace

CodePoint decode_utf8(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const CodePoint invalid{lead, 1, false};
  const int bytes = announced_bytes(lead);
  if (bytes == 1) return {lead, 1, true};
  if (bytes == 0 || text.size() < static_cast<std::size_t>(bytes)) return invalid;
  char32_t value = lead & (0xff >> (bytes + 1));
  for (int i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
    if ((next & 0xc0) != 0x80) return invalid;
    value = value << 6 | (next & 0x3f);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kSmallest[bytes] || value > 0x10ffff || surrogate) return invalid;
  return {value, bytes, true};
}

int code_point_width(char32_t value) {
  if (value < 0x300) return 1;
  if (is_combining(value)) return 0;
  return is_wide(value) ? 2 : 1;
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    width += code_point_width(point.value);
    text.remove_prefix(static_cast<std::size_t>(point.bytes));
  }
  return width;
}

std::string fit(std::string_view text, int width, std::string_view ellipsis) {
  if (display_width(text) <= width) return std::string(text);
  const int room = width - display_width(ellipsis);
  if (room < 0) return std::string(text.substr(0, prefix_bytes(text, std::max(width, 0))));
  return std::string(text.substr(0, prefix_bytes(text, room))) + std::string(ellipsis);
}

std::string pad(std::string_view text, int width) {
  const int missing = std::max(0, width - display_width(text));
  return std::string(text) + std::string(static_cast<std::size_t>(missing), ' ');
}

std::string pad_left(std::string_view text, int width) {
  const int missing = std::max(0, width - display_width(text));
  return std::string(static_cast<std::size_t>(missing), ' ') + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, int width) {
  std::vector<std::string> lines(1);
  int used = 0;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (word.empty()) continue;
    const int word_width = display_width(word);
    if (used > 0 && used + 1 + word_width > width) {
      lines.emplace_back();
      used = 0;
    }
    if (used > 0) {
      lines.back() += ' ';
      ++used;
    }
    // A word wider than a line is cut where the line ends; at least one code point goes on each
    // line.
    while (used == 0 && display_width(word) > width) {
      std::size_t bytes = prefix_bytes(word, width);
      if (bytes == 0) bytes = static_cast<std::size_t>(decode_utf8(word).bytes);
      lines.back() += word.substr(0, bytes);
      word.remove_prefix(bytes);
      if (word.empty()) break;
      lines.emplace_back();
    }
    lines.back() += word;
    used += display_width(word);
  }
  return lines;
}

}  // namespace locklapse::reports
