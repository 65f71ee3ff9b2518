#include "sim/scenario/nearest.h"

#include <algorithm>
#include <vector>

namespace locklapse::scenario {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t longer = std::max(a.size(), b.size());
  const std::size_t shorter = std::min(a.size(), b.size());
  if (longer - shorter > limit)
    return limit + 1;  // also keeps hostile lengths out of the table below
  // Three rows of the classic table: a swap looks two rows back.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t best = row[0];
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
      best = std::min(best, row[j]);
    }
    if (best > limit) return limit + 1;
    before.swap(last);
    last.swap(row);
  }
  return std::min(last[b.size()], limit + 1);
}

std::optional<std::string_view> nearest(std::string_view name,
                                        std::span<const std::string_view> names) {
  constexpr std::size_t kNameMax = 64;
  if (name.empty() || name.size() > kNameMax) return std::nullopt;
  const std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
  std::optional<std::string_view> found;
  std::size_t best = limit + 1;
  for (std::string_view candidate : names) {
    const std::size_t distance = edit_distance(name, candidate, limit);
    // A name of one letter is one edit away from every other: that is no hint.
    if (distance >= best || distance >= std::max(name.size(), candidate.size())) continue;
    best = distance;
    found = candidate;
  }
  return found;
}

}  // namespace locklapse::scenario
