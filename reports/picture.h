// The timeline picture of a run for terminals: lanes and words, row by row.
#pragma once

#include <string>

#include "reports/run_report.h"
#include "reports/text_style.h"

namespace locklapse::reports {

// More steps than these are thinned out, and the picture says so.
inline constexpr std::size_t kPictureStepsMax = 400;

std::string draw_picture(const RunReport& run, const TextStyle& style);

}  // namespace locklapse::reports
