// Strategies x scenarios: which lock protocol survives which failure, and what happens where it
// does not.
//
// Scenarios are rows and strategies are columns, both in the order in which the runs name them
// first. With more than one guard there is one row for each (scenario, guard). Two runs of one
// cell: the worse shows.
#pragma once

#include <span>
#include <string>

#include "reports/run_report.h"
#include "reports/text_style.h"

namespace locklapse::reports {

std::string matrix_text(std::span<const RunReport> runs, const TextStyle& style);
std::string matrix_markdown(std::span<const RunReport> runs);
std::string matrix_json(std::span<const RunReport> runs);

}  // namespace locklapse::reports
