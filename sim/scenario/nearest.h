// The name someone probably meant.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace locklapse::scenario {

// How many insertions, deletions, changes and swaps of neighbours turn `a` into `b`; `limit + 1`
// when that takes more than `limit`. ASCII letters count as equal whatever their case.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// The closest of `names`, or nothing when none is close: one edit for each three letters, at least
// one. Of equally close ones the first.
std::optional<std::string_view> nearest(std::string_view name,
                                        std::span<const std::string_view> names);

}  // namespace locklapse::scenario
