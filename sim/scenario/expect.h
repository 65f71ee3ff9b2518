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
// Under a guard other than the scenario's own, and of which the expectation says nothing, harm may differ:
// outcome, causes and damage are not compared then.
std::vector<std::string> compare(const Expectation& expectation, std::string_view guard,
                                 std::string_view own_guard, const History& history, const Verdict& verdict);

}  // namespace locklapse::scenario
