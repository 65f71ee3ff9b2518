// A run of the model, played again with real redis-servers as its nodes.
#pragma once

#include "sim/cli/batch.h"
#include "sim/live/live_source.h"

namespace locklapse::cli {

// The real servers' run, and how it compares with the model's. Where none can be had, the model's with the reason.
Run run_confirmed(scenario::Runner& runner, live::LiveSource& nodes, const Input& input,
                  const scenario::RunOptions& options);

}  // namespace locklapse::cli
