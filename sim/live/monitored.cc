#include "sim/live/monitored.h"

#include <charconv>

namespace locklapse::live {

namespace {

// The byte that a backslash and what follows it stand for; takes them off `text`.
char take_escaped(std::string_view& text) {
  const char kind = text[1];
  text.remove_prefix(2);
  switch (kind) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'a': return '\a';
    case 'b': return '\b';
    case 'x': {
      unsigned byte = 0;
      const std::size_t digits = text.size() < 2 ? text.size() : 2;
      std::from_chars(text.data(), text.data() + digits, byte, 16);
      text.remove_prefix(digits);
      return static_cast<char>(byte);
    }
    default: return kind;  // a quotation mark or a backslash
  }
}

}  // namespace

std::vector<std::string> monitored_words(std::string_view line) {
  const std::size_t start = line.find("] \"");
  if (start == std::string_view::npos) return {};
  line.remove_prefix(start + 2);
  std::vector<std::string> words;
  while (!line.empty() && line.front() == '"') {
    line.remove_prefix(1);
    std::string& word = words.emplace_back();
    while (!line.empty() && line.front() != '"') {
      if (line.front() == '\\' && line.size() > 1) {
        word.push_back(take_escaped(line));
      } else {
        word.push_back(line.front());
        line.remove_prefix(1);
      }
    }
    if (line.empty()) return {};
    line.remove_prefix(line.size() > 1 ? 2 : 1);
  }
  return line.empty() ? words : std::vector<std::string>{};
}

}  // namespace locklapse::live
