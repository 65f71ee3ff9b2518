// judge(history): every oracle's finding in one Verdict.
#pragma once

#include "sim/history/history.h"
#include "sim/history/verdict.h"

namespace locklapse {

Verdict judge(const History& history);

}  // namespace locklapse
