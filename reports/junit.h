// Runs as a JUnit XML file, which CI systems show as tests: one suite per scenario, one case per
// strategy and guard.
//
// A case fails when the run is not as expected; where nothing was expected, when it is violated. A
// run that is unknown or never exercised its point is an error. One that a real redis-server has played otherwise
// than the model fails; one that none can play is skipped. Always well-formed XML 1.0.
#pragma once

#include <span>
#include <string>

#include "reports/run_report.h"

namespace locklapse::reports {

std::string junit_xml(std::span<const RunReport> runs);

}  // namespace locklapse::reports
