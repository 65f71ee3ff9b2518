#include "sim/scenario/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/scenario/duration.h"
#include "sim/scenario/nearest.h"

namespace locklapse::scenario {
namespace {

bool is_identifier_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

// Adds an error and returns false unless the node is text.
bool expect_text(const Node& node, std::string_view what, std::string_view allowed,
                 Diagnostics& diagnostics) {
  if (node.kind == Node::Kind::kText) return true;
  diagnostics.add(node.mark, fmt::format("{}: {}; allowed: {}", what, found(node), allowed));
  return false;
}

// Empty when `value` keeps the rule, or else what is allowed.
std::string_view broken_rule(DurationRule rule, Duration value) {
  const bool whole_ms = value.ns % 1'000'000 == 0;
  switch (rule) {
    case DurationRule::kSigned:
      return {};
    case DurationRule::kNotNegative:
      return value.ns < 0 ? "0s or more" : "";
    case DurationRule::kPositive:
      return value.ns <= 0 ? "more than 0s" : "";
    case DurationRule::kTtl:
      return value.ns <= 0 || !whole_ms ? "1ms or more, in whole milliseconds" : "";
    case DurationRule::kTtlOrZero:
      return value.ns < 0 || !whole_ms ? "0s or more, in whole milliseconds" : "";
  }
  return {};
}

// Decimal digits with an optional sign, all of `text`. Nothing for anything else or on overflow.
std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (text.empty() || text.front() == '+') return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::string> read_text(const Node& node, std::string_view what, std::size_t bytes_max,
                                     Diagnostics& diagnostics) {
  const std::string allowed = fmt::format("text of 1 to {} bytes", bytes_max);
  if (!expect_text(node, what, allowed, diagnostics)) return std::nullopt;
  if (node.text.empty() || node.text.size() > bytes_max) {
    diagnostics.add(node.mark, fmt::format("{}: {} bytes of text; allowed: {}", what,
                                           node.text.size(), allowed));
    return std::nullopt;
  }
  return node.text;
}

std::optional<std::string> read_identifier(const Node& node, std::string_view what,
                                           Diagnostics& diagnostics) {
  const std::string allowed =
      fmt::format("1 to {} letters, digits, '-' and '_'", kIdentifierBytesMax);
  if (!expect_text(node, what, allowed, diagnostics)) return std::nullopt;
  const std::string& text = node.text;
  if (text.empty() || text.size() > kIdentifierBytesMax ||
      !std::all_of(text.begin(), text.end(), is_identifier_char)) {
    diagnostics.add(node.mark,
                    fmt::format("{}: {} is no name; allowed: {}", what, quoted(text), allowed));
    return std::nullopt;
  }
  return text;
}

bool is_none(const Node& node) {
  return node.kind == Node::Kind::kText && node.plain && node.text == "none";
}

std::optional<Duration> read_duration(const Node& node, std::string_view what, DurationRule rule,
                                      Diagnostics& diagnostics, bool none_allowed) {
  const std::string_view or_none = none_allowed ? ", or none" : "";
  if (!expect_text(node, what, fmt::format("a duration such as 30s{}", or_none), diagnostics)) {
    return std::nullopt;
  }
  ParsedDuration parsed = parse_duration(node.text);
  if (!parsed.value) {
    std::string error = std::move(parsed.error);
    constexpr std::string_view kNone[] = {"none"};
    if (none_allowed && nearest(node.text, kNone)) error += "; did you mean 'none'?";
    diagnostics.add(node.mark, fmt::format("{}: {}", what, error));
    return std::nullopt;
  }
  if (const std::string_view allowed = broken_rule(rule, *parsed.value); !allowed.empty()) {
    diagnostics.add(
        node.mark, fmt::format("{}: {}; allowed: {}{}", what, quoted(node.text), allowed, or_none));
    return std::nullopt;
  }
  return parsed.value;
}

std::optional<std::int64_t> read_integer(const Node& node, std::string_view what, std::int64_t min,
                                         std::int64_t max, Diagnostics& diagnostics,
                                         bool none_allowed) {
  const std::string allowed =
      fmt::format("a whole number from {} to {}{}", min, max, none_allowed ? ", or none" : "");
  if (!expect_text(node, what, allowed, diagnostics)) return std::nullopt;
  const auto value = parse_integer(node.text);
  if (!value || *value < min || *value > max) {
    diagnostics.add(node.mark,
                    fmt::format("{}: {}; allowed: {}", what, quoted(node.text), allowed));
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> read_drift(const Node& node, std::string_view what,
                                       Diagnostics& diagnostics) {
  const std::string allowed = fmt::format("a drift from -{0}ppm to {0}ppm", kDriftPpmMax);
  if (!expect_text(node, what, allowed, diagnostics)) return std::nullopt;
  std::string_view number = node.text;
  constexpr std::string_view kUnit = "ppm";
  const bool has_unit =
      number.size() > kUnit.size() && number.substr(number.size() - kUnit.size()) == kUnit;
  if (has_unit) number.remove_suffix(kUnit.size());
  const auto value = parse_integer(number);
  if (value && !has_unit) {
    diagnostics.add(node.mark, fmt::format("{}: {} has no unit; allowed: {}; did you mean '{}ppm'?",
                                           what, quoted(node.text), allowed, *value));
    return std::nullopt;
  }
  if (!value || *value < -kDriftPpmMax || *value > kDriftPpmMax) {
    diagnostics.add(node.mark,
                    fmt::format("{}: {}; allowed: {}", what, quoted(node.text), allowed));
    return std::nullopt;
  }
  return value;
}

std::optional<bool> read_flag(const Node& node, std::string_view what, Diagnostics& diagnostics) {
  if (!expect_text(node, what, "true, false", diagnostics)) return std::nullopt;
  if (node.plain && node.text == "true") return true;
  if (node.plain && node.text == "false") return false;
  std::string error = fmt::format("{}: {}; allowed: true, false", what, quoted(node.text));
  if (!node.plain && (node.text == "true" || node.text == "false")) {
    error += " (without quotes)";
  } else if (node.text == "yes" || node.text == "on" || node.text == "True" ||
             node.text == "TRUE") {
    error += "; did you mean 'true'?";
  } else if (node.text == "no" || node.text == "off" || node.text == "False" ||
             node.text == "FALSE") {
    error += "; did you mean 'false'?";
  }
  diagnostics.add(node.mark, std::move(error));
  return std::nullopt;
}

std::optional<std::size_t> read_word(const Node& node, std::string_view what,
                                     std::span<const std::string_view> allowed,
                                     Diagnostics& diagnostics) {
  const std::string prefix = fmt::format("{}:", what);
  if (node.kind != Node::Kind::kText) {
    diagnostics.add(node.mark,
                    fmt::format("{} {}; allowed: {}", prefix, found(node), listed(allowed)));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (node.text == allowed[i]) return i;
  }
  diagnostics.add_unknown(node.mark, prefix, node.text, allowed);
  return std::nullopt;
}

}  // namespace locklapse::scenario
