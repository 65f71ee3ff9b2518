// A fault in one plain line, as reports show it: "pause of A at 5 s for 35 s (gc)".
#pragma once

#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace locklapse::scenario {

// `target` is what the scenario calls that which is hit: a client, a process, a host or redis.
std::string fault_line(const Fault& fault, std::string_view target, const Scenario& scenario);

}  // namespace locklapse::scenario
