// An operating-system process: what a pause stops and a crash ends as a whole.
//
// It owns the coroutines of every client in it. A pause closes its gate: work, timers and waiting replies
// of all its threads come due when it opens. A crash destroys the coroutines: what they had sent is
// still on its way.
#pragma once

#include <list>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "sim/core/event.h"
#include "sim/core/kernel.h"
#include "sim/core/task.h"
#include "sim/world/clock.h"

namespace locklapse {

// The coroutines that somebody started and nobody awaits.
class Roots {
 public:
  explicit Roots(std::pmr::memory_resource& memory) : roots_(&memory) {}

  // Runs the task up to its first suspension and keeps it until it ends or is cancelled.
  void start(Task<> task);
  // Destroys them all. REQUIRES: none of them is running.
  void cancel_all() { roots_.clear(); }

 private:
  struct Root final : Completion {
    explicit Root(Task<> t) : task(std::move(t)) {}
    std::coroutine_handle<> on_completed() noexcept override {
      ended = true;
      return std::noop_coroutine();
    }
    Task<> task;
    bool ended = false;
  };
  std::pmr::list<Root> roots_;
};

struct Process {
  Process(Kernel& kernel, std::pmr::memory_resource& memory, std::string_view process_name, PlaceId host_id)
      : name(process_name), host(host_id), gate(kernel, memory) {}

  std::string_view name;
  PlaceId host;
  Gate gate;
  bool crashed = false;
  std::uint32_t life = 0;   // how often it has crashed: what was planned in an earlier life is void
};

}  // namespace locklapse
