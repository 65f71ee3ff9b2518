#include "sim/cli/known.h"

#include "sim/locks/lock.h"
#include "sim/world/guard.h"

namespace locklapse::cli {

const scenario::Vocabulary& known_names() {
  static const scenario::Vocabulary names = [] {
    scenario::Vocabulary out;
    for (const Lock* lock : all_locks()) out.strategies.emplace_back(lock->info().name);
    for (const GuardInfo& guard : all_guards()) out.guards.emplace_back(guard.name);
    return out;
  }();
  return names;
}

}  // namespace locklapse::cli
