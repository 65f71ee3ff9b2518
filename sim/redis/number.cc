#include "sim/redis/number.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace locklapse::redis {

namespace {

// strtod wants a terminated string. Longer texts than this are no numbers anybody writes.
struct Terminated {
  char bytes[NumberText::kCapacity];

  bool assign(std::string_view text) {
    if (text.size() >= sizeof(bytes)) return false;
    if (!text.empty()) std::memcpy(bytes, text.data(), text.size());
    bytes[text.size()] = '\0';
    return true;
  }
};

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

template <typename Float>
bool out_of_range(Float value) {
  return errno == ERANGE && (std::isinf(value) || value == 0);
}

template <typename Float, typename Convert>
bool parse_float(std::string_view text, Float& value, Convert convert) {
  Terminated copy;
  if (text.empty() || is_blank(text[0]) || !copy.assign(text)) return false;
  char* end = nullptr;
  errno = 0;
  value = convert(copy.bytes, &end);
  return static_cast<std::size_t>(end - copy.bytes) == text.size() && !out_of_range(value) &&
         !std::isnan(value);
}

}  // namespace

bool parse_int64(std::string_view text, std::int64_t& value) {
  if (text.empty() || text.size() > 20) return false;
  const bool negative = text[0] == '-';
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits == "0" && !negative) {
    value = 0;
    return true;
  }
  if (digits.empty() || digits[0] < '1' || digits[0] > '9') return false;
  std::uint64_t magnitude = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (magnitude > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) return false;
    magnitude = magnitude * 10 + digit;
  }
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (magnitude > kMax + (negative ? 1 : 0)) return false;
  value = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

bool parse_double(std::string_view text, double& value) {
  return parse_float(text, value, std::strtod);
}

bool parse_long_double(std::string_view text, long double& value) {
  return parse_float(text, value, std::strtold);
}

bool parse_score_bound(std::string_view text, double& value, bool& exclusive) {
  text = text.substr(0, text.find('\0'));
  exclusive = !text.empty() && text[0] == '(';
  Terminated copy;
  if (!copy.assign(text.substr(exclusive ? 1 : 0))) return false;
  char* end = nullptr;
  value = std::strtod(copy.bytes, &end);
  return *end == '\0' && !std::isnan(value);
}

ShortNumberText integer_text(std::int64_t value) {
  ShortNumberText text;
  text.size = static_cast<std::size_t>(
      std::to_chars(text.bytes, text.bytes + sizeof(text.bytes), value).ptr - text.bytes);
  return text;
}

ShortNumberText unsigned_text(std::uint64_t value) {
  ShortNumberText text;
  text.size = static_cast<std::size_t>(
      std::to_chars(text.bytes, text.bytes + sizeof(text.bytes), value).ptr - text.bytes);
  return text;
}

ShortNumberText double_text(double value) {
  ShortNumberText text;
  if (std::isinf(value)) {
    text.size = value > 0 ? 3 : 4;
    std::memcpy(text.bytes, value > 0 ? "inf" : "-inf", text.size);
    return text;
  }
  text.size =
      static_cast<std::size_t>(std::snprintf(text.bytes, sizeof(text.bytes), "%.17g", value));
  return text;
}

void long_double_text(long double value, NumberText& out) {
  const int written = std::snprintf(out.bytes, sizeof(out.bytes), "%.17Lf", value);
  out.size = written > 0 && static_cast<std::size_t>(written) < sizeof(out.bytes)
                 ? static_cast<std::size_t>(written)
                 : 0;
  if (std::memchr(out.bytes, '.', out.size) != nullptr) {
    while (out.bytes[out.size - 1] == '0') --out.size;
    if (out.bytes[out.size - 1] == '.') --out.size;
  }
  if (out.view() == "-0") {
    out.bytes[0] = '0';
    out.size = 1;
  }
}

}  // namespace locklapse::redis
