// Runs as a short GitHub Markdown table, for a pull request comment or a step summary.
//
// Names are escaped: none can open markup, a mention, an HTML tag or another table cell.
#pragma once

#include <span>
#include <string>

#include "reports/run_report.h"

namespace locklapse::reports {

std::string markdown_table(std::span<const RunReport> runs);

}  // namespace locklapse::reports
