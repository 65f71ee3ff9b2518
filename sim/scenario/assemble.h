// Builds the world of a scenario: hosts, processes, the node, the resource, clients with their lives, and
// the faults. Cheap enough to be done for every run: nothing is looked up by name.
#pragma once

#include "sim/core/arena.h"
#include "sim/core/choice.h"
#include "sim/history/history.h"
#include "sim/locks/strategy.h"
#include "sim/redis/backend_source.h"
#include "sim/scenario/scenario.h"
#include "sim/world/guard.h"
#include "sim/world/world.h"

namespace locklapse::scenario {

// The world lives in the arena. REQUIRES: the arena is the current one; scenario, strategy, chooser and nodes
// outlive the world.
World& assemble(const Scenario& scenario, const Strategy& strategy, const Guard& guard, Arena& arena,
                Chooser& chooser, redis::BackendSource& nodes);

// The history of a world that has run; a view that lives as long as the arena's contents.
History history_of(World& world, const Scenario& scenario, const Strategy& strategy, RunEnd end);

}  // namespace locklapse::scenario
