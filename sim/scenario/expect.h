// Holds a verdict against what a scenario expects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/history/history.h"
#include "sim/history/verdict.h"
#include "sim/scenario/scenario.h"

namespace locklapse::scenario {

// What the scenario expects of the strategy; null when nothing.
const Expectation* find_expectation(const Scenario& scenario, std::string_view strategy);

// One plain line per difference: "overlaps: expected A-B, got none". What the expectation says for this
// guard comes in place of what it says in general, field by field.
std::vector<std::string> compare(const Expectation& expectation, std::string_view guard,
                                 const History& history, const Verdict& verdict);

}  // namespace locklapse::scenario
