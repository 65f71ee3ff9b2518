// What another project does first: run a coroutine on virtual time.
#include "sim/core/arena.h"
#include "sim/core/kernel.h"
#include "sim/core/task.h"

namespace {

class Ignored final : public locklapse::Completion {
 public:
  std::coroutine_handle<> on_completed() noexcept override { return std::noop_coroutine(); }
};

locklapse::Task<> wait_a_minute(locklapse::Kernel& kernel) {
  co_await kernel.sleep(nullptr, locklapse::seconds(60));
}

}  // namespace

int main() {
  locklapse::Arena arena;
  const locklapse::Arena::Use use(arena);
  locklapse::Kernel kernel(arena);
  Ignored ignored;
  locklapse::Task<> task = wait_a_minute(kernel);
  task.start(ignored);
  while (kernel.step(locklapse::Time{locklapse::seconds(90).ns})) {
  }
  return task.done() ? 0 : 1;
}
