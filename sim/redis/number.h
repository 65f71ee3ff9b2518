// Numbers as Redis reads and prints them. The rules are stricter than the C library's where a
// client can see it: "01", " 1" and "1.0" are no integers, and a score prints with 17 significant
// digits.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace locklapse::redis {

// A strict signed 64-bit decimal: optional '-', no leading zeros, no blanks.
bool parse_int64(std::string_view text, std::int64_t& value);

// Whether a number that a client gives fits what Redis keeps in an int.
constexpr bool fits_int(std::int64_t value) {
  return value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
}

// A double or long double as strtod reads it, but without leading blanks, trailing bytes, NaN,
// overflow or underflow to zero.
bool parse_double(std::string_view text, double& value);
bool parse_long_double(std::string_view text, long double& value);

// One end of a score range: "5", "(5" (exclusive), "-inf". Reads like strtod: leading blanks pass.
bool parse_score_bound(std::string_view text, double& value, bool& exclusive);

// Text in a buffer of its own; view() is valid as long as the object lives.
struct NumberText {
  static constexpr std::size_t kCapacity = 5120;
  char bytes[kCapacity];
  std::size_t size = 0;
  std::string_view view() const { return {bytes, size}; }
};

// Short decimal forms; they fit into 32 bytes.
struct ShortNumberText {
  char bytes[32];
  std::size_t size = 0;
  std::string_view view() const { return {bytes, size}; }
};

ShortNumberText integer_text(std::int64_t value);
ShortNumberText unsigned_text(std::uint64_t value);
// "%.17g", and "inf" or "-inf".
ShortNumberText double_text(double value);
// Up to 17 decimals without trailing zeros, never an exponent: what INCRBYFLOAT stores.
void long_double_text(long double value, NumberText& out);

}  // namespace locklapse::redis
