// The steps of a timeline that come from the verdict: where an overlap or a stuck lock begins,
// where damage is done.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/timeline.h"
#include "sim/history/history.h"
#include "sim/history/verdict.h"

namespace locklapse::reports {

// Adds a step for each finding after everything that happened by its instant.
// REQUIRES: `steps` are in order of time.
void add_finding_steps(std::vector<Step>& steps, const History& history, const Verdict& verdict,
                       std::span<const std::string> names);

}  // namespace locklapse::reports
