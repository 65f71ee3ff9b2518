// The kernel: true time, and what happens when.
//
// Everything that takes place in a run is a callback the kernel makes, in the order of (true time,
// sequence). A callback due now runs after everything already due now. Callbacks addressed to a Gate
// (a process or a thread) wait while the gate is closed and run, in order, at the instant it opens.
//
// Contract
//   - Callbacks that waited at a gate were due before anything that is due now, so they run before it:
//     a process that wakes sees what was addressed to it in the order in which it was due.
//   - Cancelling is by generation: a Timer that has run or was cancelled is stale and cancel() on it does
//     nothing. A stale entry costs its place in the queue until its time comes, or until stale entries
//     outnumber live ones and the queue is compacted.
//   - No allocation per event once the queue has grown to its working size.
//   - A gate outlives whatever is addressed to it.
#pragma once

#include <coroutine>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <vector>

#include "sim/core/event_queue.h"
#include "sim/core/fifo.h"
#include "sim/core/time.h"

namespace locklapse {

class Kernel;

// What a kernel calls: a plain function, so that a pending event is plain bytes in the arena.
using Callback = void (*)(void* target, std::uint64_t argument);

// Names one pending callback.
struct Timer {
  std::uint32_t slot = 0xffff'ffff;
  std::uint32_t generation = 0;
};

// A door in front of a process or a thread. While it, or the gate around it, is closed, callbacks
// addressed to it wait.
class Gate {
 public:
  Gate(Kernel& kernel, std::pmr::memory_resource& memory, Gate* outer = nullptr)
      : kernel_(kernel), outer_(outer), parked_(&memory) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  bool is_open() const {
    const Gate* gate = this;
    while (gate != nullptr && gate->closings_ == 0) gate = gate->outer_;
    return gate == nullptr;
  }
  // Closings nest: a gate closed twice needs two openings.
  void close() { ++closings_; }
  void open();
  // Undoes every closing, for a process that starts anew.
  void reset();

 private:
  friend class Kernel;
  // What waits here. `order` counts callbacks as they first came to a closed gate, so that one which
  // comes from an outer gate to an inner one still stands before those that came after it.
  struct Parked {
    Timer timer;
    std::uint64_t order;
  };

  // The innermost closed gate, or null.
  Gate* closed_one() {
    Gate* gate = this;
    while (gate != nullptr && gate->closings_ == 0) gate = gate->outer_;
    return gate;
  }
  void park(const Parked& parked);
  void release_parked();

  Kernel& kernel_;
  Gate* outer_;
  int closings_ = 0;
  std::pmr::vector<Parked> parked_;
};

class Kernel {
 public:
  explicit Kernel(std::pmr::memory_resource& memory);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  Time now() const { return now_; }

  // Calls callback(target, argument) at `at` (now, if that has passed), through `gate` unless null.
  Timer at(Time at, Gate* gate, Callback callback, void* target, std::uint64_t argument = 0);
  // The same at this instant, after all that is already due.
  Timer post(Gate* gate, Callback callback, void* target, std::uint64_t argument = 0);
  // Resumes a suspended coroutine.
  Timer resume_at(Time at, Gate* gate, std::coroutine_handle<> coroutine) {
    return this->at(at, gate, &resume, coroutine.address());
  }
  Timer resume_soon(Gate* gate, std::coroutine_handle<> coroutine) {
    return post(gate, &resume, coroutine.address());
  }
  void cancel(Timer timer);

  // Runs the next callback. When there is none, or it lies after `until`, time becomes `until` and the
  // answer is false.
  bool step(Time until);
  // Runs everything up to and including `until`.
  void run(Time until) {
    while (step(until)) {
    }
  }
  // Whether nothing is pending (stale entries and callbacks that wait at a gate apart).
  bool idle() const { return pending_ == 0; }
  // Callbacks run so far.
  std::uint64_t steps() const { return steps_; }
  // Entries the queue of later events holds, stale ones included.
  std::size_t queued() const { return queue_.size(); }

  // A co_await-able pause: resumes after `delay` of true time, through the gate.
  class Sleep {
   public:
    Sleep(Kernel& kernel, Gate* gate, Time until) : kernel_(kernel), gate_(gate), until_(until) {}
    ~Sleep() { kernel_.cancel(timer_); }
    Sleep(const Sleep&) = delete;
    Sleep& operator=(const Sleep&) = delete;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> coroutine) {
      timer_ = kernel_.resume_at(until_, gate_, coroutine);
    }
    void await_resume() noexcept { timer_ = Timer{}; }

   private:
    Kernel& kernel_;
    Gate* gate_;
    Time until_;
    Timer timer_;
  };
  // A sleep past the end of time lasts until the end of time.
  Sleep sleep(Gate* gate, Duration delay) {
    const std::int64_t left_ns = std::numeric_limits<std::int64_t>::max() - now_.ns;
    return Sleep(*this, gate, now_ + (delay.ns < left_ns ? delay : Duration{left_ns}));
  }

 private:
  friend class Gate;
  static constexpr std::uint32_t kNoSlot = 0xffff'ffff;
  static constexpr std::size_t kCompactFrom = 64;  // stale entries that are not worth a compaction

  // Where the entry of an occupied slot stands.
  enum Place : std::uint32_t { kQueued, kDue, kParked };

  struct Slot {
    Callback callback;
    void* target;
    std::uint64_t argument;
    Gate* gate;
    std::uint32_t generation;
    std::uint32_t link;  // occupied: a Place; free: the next free slot
  };

  static void resume(void* coroutine, std::uint64_t) {
    std::coroutine_handle<>::from_address(coroutine).resume();
  }
  Timer occupy(Gate* gate, Callback callback, void* target, std::uint64_t argument, Place place);
  void vacate(std::uint32_t slot);
  bool is_live(Timer timer) const { return slots_[timer.slot].generation == timer.generation; }
  bool dispatch(Timer timer, std::uint64_t order);
  void release(const Gate::Parked& parked);
  void compact();

  Time now_{};
  std::uint64_t steps_ = 0;
  std::uint64_t parkings_ = 0;
  std::size_t pending_ = 0;  // live, and not waiting at a gate
  std::size_t stale_ = 0;    // entries of queue_ that were cancelled
  EventQueue queue_;
  std::pmr::vector<Slot> slots_;
  std::uint32_t free_slot_ = kNoSlot;
  // What is due now, in this order: what a gate let go, what queue_ holds for this instant (all of it
  // pushed before the instant came), what became due since.
  Fifo<Gate::Parked> released_;
  Fifo<Timer> ready_;
};

}  // namespace locklapse
