// The kernel: true time, and what happens when.
//
// Everything that takes place in a run is a callback the kernel makes, in the order of (true time,
// sequence). A callback due now runs after everything already due now. Callbacks addressed to a Gate
// (a process or a thread) wait while the gate is closed and run, in order, at the instant it opens.
//
// Contract
//   - Cancelling is by generation: a Timer that has run or was cancelled is stale and cancel() on it does
//     nothing. A stale entry costs its place in the queue until its time comes, or until stale entries
//     outnumber live ones and the queue is compacted.
//   - No allocation per event once the queue has grown to its working size.
#pragma once

#include <coroutine>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "sim/core/event_queue.h"
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

  bool is_open() const { return closings_ == 0 && (outer_ == nullptr || outer_->is_open()); }
  // Closings nest: a gate closed twice needs two openings.
  void close() { ++closings_; }
  void open();
  // Undoes every closing, for a process that starts anew.
  void reset();

 private:
  friend class Kernel;
  Gate& innermost_closed() { return closings_ != 0 ? *this : outer_->innermost_closed(); }
  void release_parked();

  Kernel& kernel_;
  Gate* outer_;
  int closings_ = 0;
  std::pmr::vector<Timer> parked_;
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

  // Runs the next callback unless there is none or it lies after `until`; then time is `until`.
  bool step(Time until);
  // Runs everything up to and including `until`.
  void run(Time until) {
    while (step(until)) {
    }
  }
  // Whether nothing is pending (stale entries and parked callbacks apart).
  bool idle() const { return live_ == 0; }
  std::uint64_t steps() const { return steps_; }

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
  Sleep sleep(Gate* gate, Duration delay) { return Sleep(*this, gate, now_ + delay); }

 private:
  friend class Gate;
  static constexpr std::uint32_t kNoSlot = 0xffff'ffff;

  struct Slot {
    Callback callback;
    void* target;
    std::uint64_t argument;
    Gate* gate;
    std::uint32_t generation;
    std::uint32_t next_free;
  };

  static void resume(void* coroutine, std::uint64_t) {
    std::coroutine_handle<>::from_address(coroutine).resume();
  }
  Timer occupy(Gate* gate, Callback callback, void* target, std::uint64_t argument);
  void vacate(std::uint32_t slot);
  bool is_live(std::uint32_t slot, std::uint32_t generation) const {
    return slots_[slot].generation == generation;
  }
  void dispatch(Timer timer);
  void repost(Timer timer) { ready_.push_back(timer); }
  void drop_stale();

  Time now_{};
  std::uint64_t sequence_ = 0;
  std::uint64_t steps_ = 0;
  std::size_t live_ = 0;
  EventQueue queue_;
  std::pmr::vector<Slot> slots_;
  std::uint32_t free_slot_ = kNoSlot;
  // Due now, first in first out; everything in queue_ that is due now was pushed earlier.
  std::pmr::vector<Timer> ready_;
  std::size_t ready_head_ = 0;
};

}  // namespace locklapse
