// UTF-8 as a terminal shows it: decoding, and widths in columns.
//
// Combining marks take no column, CJK and emoji two, anything else one. Text is expected to be
// printable (escape.h); a control character or an invalid byte counts as one column here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace locklapse::reports {

struct CodePoint {
  char32_t value = 0;  // the byte itself when invalid
  int bytes = 1;       // 1 when invalid: decoding goes on with the next byte
  bool valid = true;
};

// The code point at the start of `text`. Overlong forms, surrogates and values over U+10FFFF are
// invalid. REQUIRES: text is not empty.
CodePoint decode_utf8(std::string_view text);

int code_point_width(char32_t value);
int display_width(std::string_view text);

// `text`, cut to at most `width` columns with `ellipsis` in place of what was cut.
std::string fit(std::string_view text, int width, std::string_view ellipsis);
// `text` followed by spaces up to `width` columns; unchanged if it is wider.
std::string pad(std::string_view text, int width);
std::string pad_left(std::string_view text, int width);

// Lines of at most `width` columns, broken at spaces, or inside a word that is wider than a line.
// Never empty.
std::vector<std::string> wrap(std::string_view text, int width);

}  // namespace locklapse::reports
