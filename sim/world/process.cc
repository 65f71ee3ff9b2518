#include "sim/world/process.h"

namespace locklapse {

void Roots::start(Task<> task) {
  roots_.remove_if([](const Root& root) { return root.ended; });
  roots_.emplace_back(std::move(task));
  Root& root = roots_.back();
  root.task.start(root);
}

}  // namespace locklapse
