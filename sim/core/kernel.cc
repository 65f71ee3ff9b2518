#include "sim/core/kernel.h"

#include <algorithm>

namespace locklapse {

namespace {

// The order of a callback that has not waited at a gate yet.
constexpr std::uint64_t kNeverParked = 0;

}  // namespace

void Gate::open() {
  if (closings_ == 0) return;
  if (--closings_ == 0) release_parked();
}

void Gate::reset() {
  closings_ = 0;
  release_parked();
}

// Nearly always at the end: only a callback that another gate let go can be older than one here.
void Gate::park(const Parked& parked) {
  auto place = parked_.end();
  while (place != parked_.begin() && (place - 1)->order > parked.order) --place;
  parked_.insert(place, parked);
}

void Gate::release_parked() {
  for (const Parked& parked : parked_) kernel_.release(parked);
  parked_.clear();
}

Kernel::Kernel(std::pmr::memory_resource& memory)
    : queue_(memory), slots_(&memory), released_(memory), ready_(memory) {
  slots_.reserve(25);  // 1,000 bytes
}

Timer Kernel::occupy(Gate* gate, Callback callback, void* target, std::uint64_t argument,
                     Place place) {
  ++pending_;
  if (free_slot_ == kNoSlot) {
    slots_.push_back({callback, target, argument, gate, 0, place});
    return {static_cast<std::uint32_t>(slots_.size() - 1), 0};
  }
  const std::uint32_t index = free_slot_;
  Slot& slot = slots_[index];
  free_slot_ = slot.link;
  slot.callback = callback;
  slot.target = target;
  slot.argument = argument;
  slot.gate = gate;
  slot.link = place;
  return {index, slot.generation};
}

void Kernel::vacate(std::uint32_t index) {
  Slot& slot = slots_[index];
  ++slot.generation;
  slot.link = free_slot_;
  free_slot_ = index;
}

Timer Kernel::at(Time at, Gate* gate, Callback callback, void* target, std::uint64_t argument) {
  if (at <= now_) return post(gate, callback, target, argument);
  const Timer timer = occupy(gate, callback, target, argument, kQueued);
  queue_.push({at.ns, timer.slot, timer.generation});
  return timer;
}

Timer Kernel::post(Gate* gate, Callback callback, void* target, std::uint64_t argument) {
  const Timer timer = occupy(gate, callback, target, argument, kDue);
  ready_.push(timer);
  return timer;
}

void Kernel::cancel(Timer timer) {
  if (timer.slot == kNoSlot || !is_live(timer)) return;
  const std::uint32_t place = slots_[timer.slot].link;
  vacate(timer.slot);
  if (place != kParked) --pending_;
  if (place != kQueued) return;
  ++stale_;
  if (stale_ >= kCompactFrom && stale_ > queue_.size() / 2) compact();
}

// Each compaction removes more entries than it keeps, so a cancellation pays for less than two.
void Kernel::compact() {
  queue_.remove_if(
      [](const void* kernel, const EventQueue::Entry& entry) {
        return !static_cast<const Kernel*>(kernel)->is_live({entry.slot, entry.generation});
      },
      this);
  stale_ = 0;
}

bool Kernel::step(Time until) {
  for (;;) {
    if (!released_.empty()) {
      const Gate::Parked parked = released_.pop();
      if (is_live(parked.timer) && dispatch(parked.timer, parked.order)) return true;
      continue;
    }
    // Time does not move while anything is due, and never back.
    const Time horizon = ready_.empty() ? std::max(now_, until) : now_;
    if (const EventQueue::Entry* entry = queue_.next(horizon.ns)) {
      const Time at{entry->at_ns};
      const Timer timer{entry->slot, entry->generation};
      queue_.drop_next();
      if (!is_live(timer)) {
        --stale_;
        continue;
      }
      now_ = at;
      if (dispatch(timer, kNeverParked)) return true;
    } else if (!ready_.empty()) {
      const Timer timer = ready_.pop();
      if (is_live(timer) && dispatch(timer, kNeverParked)) return true;
    } else {
      now_ = horizon;
      return false;
    }
  }
}

// Makes a callback, unless its gate is closed: then it waits there. Whether it was made.
bool Kernel::dispatch(Timer timer, std::uint64_t order) {
  const Slot slot = slots_[timer.slot];
  --pending_;
  Gate* closed = slot.gate == nullptr ? nullptr : slot.gate->closed_one();
  if (closed != nullptr) {
    slots_[timer.slot].link = kParked;
    closed->park({timer, order != kNeverParked ? order : ++parkings_});
    return false;
  }
  vacate(timer.slot);
  ++steps_;
  slot.callback(slot.target, slot.argument);
  return true;
}

void Kernel::release(const Gate::Parked& parked) {
  if (!is_live(parked.timer)) return;
  slots_[parked.timer.slot].link = kDue;
  ++pending_;
  released_.push(parked);
}

}  // namespace locklapse
