#include "sim/redis/glob.h"

#include <cstddef>
#include <utility>

namespace locklapse::redis {

namespace {

// Matches `c` against the class that starts after '[' at `at`; leaves `at` behind the class. A
// class without ']' ends with the pattern.
bool class_match(std::string_view pattern, std::size_t& at, char c) {
  const bool negated = at < pattern.size() && pattern[at] == '^';
  if (negated) ++at;
  bool found = false;
  while (at < pattern.size()) {
    const std::size_t left = pattern.size() - at;
    if (pattern[at] == '\\' && left >= 2) {
      ++at;
      found |= pattern[at] == c;
    } else if (pattern[at] == ']') {
      break;
    } else if (left >= 3 && pattern[at + 1] == '-') {
      // Bytes compare as signed, as plain char does on the machines where the facts were taken.
      auto low = static_cast<signed char>(pattern[at]);
      auto high = static_cast<signed char>(pattern[at + 2]);
      if (low > high) std::swap(low, high);
      at += 2;
      const auto byte = static_cast<signed char>(c);
      found |= byte >= low && byte <= high;
    } else {
      found |= pattern[at] == c;
    }
    ++at;
  }
  if (at < pattern.size()) ++at;
  return found != negated;
}

// Matches one byte against the pattern element at `at` (not '*'); leaves `at` behind it.
bool element_match(std::string_view pattern, std::size_t& at, char c) {
  switch (pattern[at]) {
    case '?':
      ++at;
      return true;
    case '[':
      ++at;
      return class_match(pattern, at, c);
    case '\\':
      if (pattern.size() - at >= 2) ++at;
      break;
    default:
      break;
  }
  return pattern[at++] == c;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  if (text.empty()) return pattern.empty();
  std::size_t p = 0;
  std::size_t t = 0;
  // Only the last star needs another try: a longer match for an earlier one leaves less text to the
  // rest.
  bool starred = false;
  std::size_t star_pattern = 0;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      while (p < pattern.size() && pattern[p] == '*') ++p;
      if (p == pattern.size()) return true;
      starred = true;
      star_pattern = p;
      star_text = t;
      continue;
    }
    if (p < pattern.size() && element_match(pattern, p, text[t])) {
      ++t;
      continue;
    }
    if (!starred) return false;
    p = star_pattern;
    t = ++star_text;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace locklapse::redis
