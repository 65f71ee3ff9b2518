#include "sim/core/kernel.h"

namespace locklapse {

void Gate::open() {
  if (closings_ == 0) return;
  if (--closings_ == 0) release_parked();
}

void Gate::reset() {
  closings_ = 0;
  release_parked();
}

void Gate::release_parked() {
  for (const Timer& timer : parked_) kernel_.repost(timer);
  parked_.clear();
}

Kernel::Kernel(std::pmr::memory_resource& memory) : queue_(memory), slots_(&memory), ready_(&memory) {
  slots_.reserve(32);
  ready_.reserve(16);
}

Timer Kernel::occupy(Gate* gate, Callback callback, void* target, std::uint64_t argument) {
  ++live_;
  if (free_slot_ == kNoSlot) {
    slots_.push_back({callback, target, argument, gate, 0, kNoSlot});
    return {static_cast<std::uint32_t>(slots_.size() - 1), 0};
  }
  const std::uint32_t index = free_slot_;
  Slot& slot = slots_[index];
  free_slot_ = slot.next_free;
  slot.callback = callback;
  slot.target = target;
  slot.argument = argument;
  slot.gate = gate;
  return {index, slot.generation};
}

void Kernel::vacate(std::uint32_t index) {
  Slot& slot = slots_[index];
  ++slot.generation;
  slot.next_free = free_slot_;
  free_slot_ = index;
  --live_;
}

Timer Kernel::at(Time at, Gate* gate, Callback callback, void* target, std::uint64_t argument) {
  const Timer timer = occupy(gate, callback, target, argument);
  if (at <= now_) {
    ready_.push_back(timer);
  } else {
    queue_.push({at.ns, sequence_++, timer.slot, timer.generation});
  }
  return timer;
}

Timer Kernel::post(Gate* gate, Callback callback, void* target, std::uint64_t argument) {
  const Timer timer = occupy(gate, callback, target, argument);
  ready_.push_back(timer);
  return timer;
}

void Kernel::cancel(Timer timer) {
  if (timer.slot == kNoSlot || !is_live(timer.slot, timer.generation)) return;
  vacate(timer.slot);
}

void Kernel::drop_stale() {
  while (!queue_.empty() && !is_live(queue_.top().slot, queue_.top().generation)) queue_.pop();
}

bool Kernel::step(Time until) {
  for (;;) {
    drop_stale();
    // Queue entries of this instant were pushed before the instant came: they precede what is ready.
    if (!queue_.empty() && queue_.top().at_ns == now_.ns) {
      const EventQueue::Entry entry = queue_.pop();
      dispatch({entry.slot, entry.generation});
      return true;
    }
    if (ready_head_ < ready_.size()) {
      const Timer timer = ready_[ready_head_++];
      if (ready_head_ == ready_.size()) {
        ready_.clear();
        ready_head_ = 0;
      }
      if (!is_live(timer.slot, timer.generation)) continue;
      dispatch(timer);
      return true;
    }
    if (queue_.empty() || queue_.top().at_ns > until.ns) {
      if (now_ < until) now_ = until;
      return false;
    }
    now_ = Time{queue_.top().at_ns};
  }
}

void Kernel::dispatch(Timer timer) {
  const Slot slot = slots_[timer.slot];
  if (slot.gate != nullptr && !slot.gate->is_open()) {
    slot.gate->innermost_closed().parked_.push_back(timer);
    return;
  }
  vacate(timer.slot);
  ++steps_;
  slot.callback(slot.target, slot.argument);
}

}  // namespace locklapse
