#include "sim/history/time_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

namespace locklapse {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kMinute = 60 * kSecond;
constexpr std::uint64_t kHour = 60 * kMinute;

std::uint64_t magnitude(std::int64_t ns) {
  return ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
}

// `ns` in units of `unit` ns, with the decimals it needs and no more.
std::string in_units(std::uint64_t ns, std::uint64_t unit, const char* name) {
  int digits = 0;
  for (std::uint64_t u = unit; u > 1; u /= 10) ++digits;
  std::string fraction;
  if (ns % unit != 0) {
    fraction = fmt::format(".{:0{}}", ns % unit, digits);
    while (fraction.back() == '0') fraction.pop_back();
  }
  return fmt::format("{}{} {}", ns / unit, fraction, name);
}

std::string magnitude_text(std::uint64_t ns) {
  if (ns == 0) return "0 s";
  if (ns < 1'000) return in_units(ns, 1, "ns");
  if (ns < 1'000'000) return in_units(ns, 1'000, "us");
  if (ns < kSecond) return in_units(ns, 1'000'000, "ms");
  if (ns % kHour == 0) return fmt::format("{} h", ns / kHour);
  if (ns % kMinute == 0 && ns >= 2 * kMinute) return fmt::format("{} min", ns / kMinute);
  if (ns < 10 * kMinute) return in_units(ns, kSecond, "s");
  const std::string minutes = fmt::format("{} min", ns / kMinute % 60);
  const std::string rest = ns % kMinute == 0 ? "" : " " + in_units(ns % kMinute, kSecond, "s");
  return ns < kHour ? minutes + rest : fmt::format("{} h {}{}", ns / kHour, minutes, rest);
}

}  // namespace

std::string duration_text(Duration duration) {
  return (duration.ns < 0 ? "-" : "") + magnitude_text(magnitude(duration.ns));
}

int decimals_needed(Time time) {
  const std::uint64_t fraction = magnitude(time.ns) % kSecond;
  if (fraction == 0) return 0;
  if (fraction % 1'000'000 == 0) return 3;
  return fraction % 1'000 == 0 ? 6 : 9;
}

std::string instant_text(Time time, int decimals) {
  // Written by hand: every sentence of evidence holds two or three of these.
  char digits[32];
  char* end = digits;
  const std::uint64_t ns = magnitude(time.ns);
  if (time.ns < 0) *end++ = '-';
  end = std::to_chars(end, digits + sizeof digits, ns / kSecond).ptr;
  if (decimals > 0) {
    *end++ = '.';
    std::uint64_t unit = kSecond / 10;
    for (int i = 0; i < decimals; ++i, unit /= 10) {
      *end++ = static_cast<char>('0' + ns / unit % 10);
    }
  }
  *end++ = ' ';
  *end++ = 's';
  return {digits, end};
}

std::string instant_text(Time time) { return instant_text(time, decimals_needed(time)); }

}  // namespace locklapse
