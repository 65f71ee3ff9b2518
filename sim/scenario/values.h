// Single values of a scenario file: text, names, durations, numbers, words from a list.
//
// Each function returns the value, or nothing after having added what is wrong with it. `what` is
// the key the value stands under, and opens the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/core/time.h"
#include "sim/scenario/diagnostics.h"
#include "sim/scenario/yaml.h"

namespace locklapse::scenario {

inline constexpr std::size_t kIdentifierBytesMax = 64;
inline constexpr std::int64_t kDriftPpmMax = 500'000;

enum class DurationRule : std::uint8_t {
  kSigned,
  kNotNegative,
  kPositive,
  kTtl,  // what PX takes: whole milliseconds, at least one
  kTtlOrZero,
};

// Any text with 1 .. bytes_max bytes.
std::optional<std::string> read_text(const Node& node, std::string_view what, std::size_t bytes_max,
                                     Diagnostics& diagnostics);

// A client, process, host or thread: letters, digits, '-' and '_', so that it can stand in a step.
std::optional<std::string> read_identifier(const Node& node, std::string_view what,
                                           Diagnostics& diagnostics);

// `none_allowed` only widens what errors say is allowed: see is_none().
std::optional<Duration> read_duration(const Node& node, std::string_view what, DurationRule rule,
                                      Diagnostics& diagnostics, bool none_allowed = false);

// Whether the value is the unquoted word `none`.
bool is_none(const Node& node);

std::optional<std::int64_t> read_integer(const Node& node, std::string_view what, std::int64_t min,
                                         std::int64_t max, Diagnostics& diagnostics,
                                         bool none_allowed = false);

// "100ppm", signed, within kDriftPpmMax.
std::optional<std::int64_t> read_drift(const Node& node, std::string_view what,
                                       Diagnostics& diagnostics);

// true or false, unquoted.
std::optional<bool> read_flag(const Node& node, std::string_view what, Diagnostics& diagnostics);

// The index of the word in `allowed`.
std::optional<std::size_t> read_word(const Node& node, std::string_view what,
                                     std::span<const std::string_view> allowed,
                                     Diagnostics& diagnostics);

}  // namespace locklapse::scenario
