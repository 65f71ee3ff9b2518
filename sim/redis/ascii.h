// Case rules of the protocol: ASCII only, and words end at a NUL as C strings do.
#pragma once

#include <string_view>

namespace locklapse::redis {

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

// What a C function would read of these bytes.
constexpr std::string_view until_nul(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

// Whether `text`, read as a C string in any case, is `word`. REQUIRES: word is in lower case.
constexpr bool is_word(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (to_lower(text[i]) != word[i]) return false;
  }
  return text.size() == word.size() || text[word.size()] == '\0';
}

}  // namespace locklapse::redis
