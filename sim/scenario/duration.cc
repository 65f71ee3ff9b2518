#include "sim/scenario/duration.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/nearest.h"
#include "sim/scenario/scenario.h"

namespace locklapse::scenario {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t ns;
};
constexpr std::array<Unit, 6> kUnitTable{{{"ns", 1},
                                          {"us", 1'000},
                                          {"ms", 1'000'000},
                                          {"s", 1'000'000'000},
                                          {"min", 60'000'000'000},
                                          {"h", 3'600'000'000'000}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view take_digits(std::string_view& rest) {
  std::size_t n = 0;
  while (n < rest.size() && is_digit(rest[n])) ++n;
  const std::string_view digits = rest.substr(0, n);
  rest.remove_prefix(n);
  return digits;
}

std::string unit_error(std::string_view text, std::string_view number, std::string_view unit) {
  if (unit.empty()) {
    return fmt::format("{} has no unit; allowed: {}; did you mean '{}s'?", quoted(text), kUnits,
                       number);
  }
  std::string error =
      fmt::format("{} has an unknown unit {}; allowed: {}", quoted(text), quoted(unit), kUnits);
  // What people write in other places. "m" is left open on purpose: minutes or milliseconds.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kMeant{
      {{"sec", "s"},
       {"secs", "s"},
       {"second", "s"},
       {"seconds", "s"},
       {"S", "s"},
       {"mins", "min"},
       {"minutes", "min"},
       {"hours", "h"},
       {"hr", "h"},
       {"millis", "ms"},
       {"msec", "ms"},
       {"MS", "ms"}}};
  if (unit == "m") return error + fmt::format("; did you mean '{0}min' or '{0}ms'?", number);
  for (const auto& [written, meant] : kMeant) {
    if (unit == written) return error + fmt::format("; did you mean '{}{}'?", number, meant);
  }
  return error;
}

std::string range_error(std::string_view text) {
  return fmt::format("{} is too long; allowed: up to {} days", quoted(text),
                     kDurationMax.ns / (24 * 3600 * 1'000'000'000LL));
}

// whole + fraction in units of `unit_ns`, or why not. Every step stays below 2^63: the whole part
// is held against kDurationMax before it is scaled, the fraction loses one digit and one factor at
// a time.
ParsedDuration combine(std::string_view text, std::string_view whole, std::string_view fraction,
                       std::int64_t unit_ns) {
  const std::int64_t units_max = kDurationMax.ns / unit_ns;
  std::int64_t units = 0;
  for (char c : whole) {
    units = units * 10 + (c - '0');
    if (units > units_max) return {std::nullopt, range_error(text)};
  }
  std::int64_t ns = units * unit_ns;
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  std::int64_t scale = unit_ns;
  for (char c : fraction) {
    if (scale % 10 != 0) {
      return {std::nullopt, fmt::format("{} is finer than a nanosecond; allowed: whole nanoseconds",
                                        quoted(text))};
    }
    scale /= 10;
    ns += (c - '0') * scale;
  }
  if (ns > kDurationMax.ns) return {std::nullopt, range_error(text)};
  return {Duration{ns}, {}};
}

}  // namespace

ParsedDuration parse_duration(std::string_view text) {
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  const std::string_view whole = take_digits(rest);
  std::string_view fraction;
  bool malformed = whole.empty();
  if (!rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
    malformed = malformed || fraction.empty();
  }
  if (malformed) {
    return {std::nullopt,
            fmt::format("{} is no duration; allowed: a number with a unit ({}), as in 30s",
                        quoted(text), kUnits)};
  }
  const std::string_view number = text.substr(0, text.size() - rest.size());
  for (const Unit& unit : kUnitTable) {
    if (rest != unit.name) continue;
    ParsedDuration parsed = combine(text, whole, fraction, unit.ns);
    if (parsed.value && negative) parsed.value = -*parsed.value;
    return parsed;
  }
  return {std::nullopt, unit_error(text, number.size() > 20 ? "30" : number, rest)};
}

std::string spell_duration(Duration duration) {
  // Magnitudes are unsigned, so the smallest value has one too.
  const std::uint64_t ns = duration.ns < 0 ? 0 - static_cast<std::uint64_t>(duration.ns)
                                           : static_cast<std::uint64_t>(duration.ns);
  const Unit* unit = &kUnitTable[0];
  for (const Unit& candidate : kUnitTable) {
    if (candidate.name == "min") break;  // seconds are the largest: "600 s" beside "35 s" compares
    if (ns >= static_cast<std::uint64_t>(candidate.ns)) unit = &candidate;
  }
  if (ns == 0) unit = &kUnitTable[3];
  const std::uint64_t scale = static_cast<std::uint64_t>(unit->ns);
  std::string out = fmt::format("{}{}", duration.ns < 0 ? "-" : "", ns / scale);
  if (ns % scale != 0) {
    std::string fraction = fmt::format("{:0{}}", ns % scale, fmt::formatted_size("{}", scale) - 1);
    while (fraction.back() == '0') fraction.pop_back();
    out += "." + fraction;
  }
  return out + " " + std::string(unit->name);
}

}  // namespace locklapse::scenario
