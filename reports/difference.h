// What two runs of one scenario tell differently.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/run_report.h"

namespace locklapse::reports {

inline constexpr std::size_t kDifferencesShownMax = 10;

// Nothing where the histories are the same. Otherwise a line each: the outcome, the findings that only one of them
// has, and the first event that is not the same. Lines hold names as they are: whoever shows them escapes them.
std::vector<std::string> differences(const RunReport& redis, const RunReport& model,
                                     std::size_t lines_max = kDifferencesShownMax);

}  // namespace locklapse::reports
