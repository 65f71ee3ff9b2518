// A range of scores in a sorted set, as ZCOUNT, ZRANGEBYSCORE and ZREMRANGEBYSCORE take it.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include "sim/redis/number.h"
#include "sim/redis/object.h"

namespace locklapse::redis {

struct ScoreRange {
  double low = 0;
  double high = 0;
  bool without_low = false;
  bool without_high = false;

  bool parse(std::string_view low_text, std::string_view high_text) {
    return parse_score_bound(low_text, low, without_low) &&
           parse_score_bound(high_text, high, without_high);
  }

  bool empty() const { return low > high || (low == high && (without_low || without_high)); }

  // The members of the range are [begin, end).
  SortedSet::Members::const_iterator begin(const SortedSet& set) const {
    return empty() ? set.members().end() : first_from(set, low, without_low);
  }
  SortedSet::Members::const_iterator end(const SortedSet& set) const {
    return empty() ? set.members().end() : first_from(set, high, !without_high);
  }

 private:
  // The first member whose score is at least `score`, or above it.
  static SortedSet::Members::const_iterator first_from(const SortedSet& set, double score,
                                                       bool above) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (above && score == kInfinity) return set.members().end();
    return set.members().lower_bound({above ? std::nextafter(score, kInfinity) : score, {}});
  }
};

}  // namespace locklapse::redis
