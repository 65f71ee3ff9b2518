#include "sim/core/event_queue.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace locklapse {

EventQueue::~EventQueue() {
  if (bottom_ != nullptr) memory_.deallocate(bottom_, capacity_ * sizeof(Entry), alignof(Entry));
  if (wheel_ == nullptr) return;
  for (int level = 0; level < kLevels; ++level) {
    while (wheel_->occupied[level] != 0) {
      free_ring(detach(level, std::countr_zero(wheel_->occupied[level])));
    }
  }
  while (free_chunks_ != nullptr) {
    Chunk* chunk = free_chunks_;
    free_chunks_ = chunk->next;
    memory_.deallocate(chunk, sizeof(Chunk), alignof(Chunk));
  }
  memory_.deallocate(wheel_, sizeof(Wheel), alignof(Wheel));
}

// --- The bottom --------------------------------------------------------------------------------

void EventQueue::insert_in_bottom(const Entry& entry) {
  // With nothing in the wheel the bottom is the whole queue again.
  if (in_wheel_ == 0) bottom_last_ = kLastTime;
  append_to_bottom(entry);
  if (bottom_size() > bottom_max_) spill();
}

// Puts an entry behind all that are not later: a push at the far end, as most are, moves nothing.
void EventQueue::append_to_bottom(const Entry& entry) {
  if (tail_ == capacity_) make_room_in_bottom();
  std::size_t place = tail_++;
  while (place > head_ && bottom_[place - 1].at_ns > entry.at_ns) {
    bottom_[place] = bottom_[place - 1];
    --place;
  }
  bottom_[place] = entry;
}

void EventQueue::make_room_in_bottom() {
  const std::size_t size = bottom_size();
  // Popping leaves room in front; moving into it is worth it when it is a good part of the array.
  if (head_ >= capacity_ / 4 && head_ > 0) {
    std::memmove(bottom_, bottom_ + head_, size * sizeof(Entry));
  } else {
    const std::size_t capacity = std::max(kFirstCapacity, capacity_ * 2);
    auto* grown = static_cast<Entry*>(memory_.allocate(capacity * sizeof(Entry), alignof(Entry)));
    if (bottom_ != nullptr) {
      std::memcpy(grown, bottom_ + head_, size * sizeof(Entry));
      memory_.deallocate(bottom_, capacity_ * sizeof(Entry), alignof(Entry));
    }
    bottom_ = grown;
    capacity_ = capacity;
  }
  head_ = 0;
  tail_ = size;
}

// What cannot be spilled, or came as one flood of ties, is not looked at again until it has doubled.
void EventQueue::set_bottom_max() { bottom_max_ = std::max(kBottomMax, 2 * bottom_size()); }

void EventQueue::spill() {
  // An empty wheel can start anywhere not after what is still to come.
  if (in_wheel_ == 0) base_ = last_popped_ns_;
  const std::size_t from = spill_from();
  if (from != tail_) {
    bottom_last_ = bottom_[from].at_ns - 1;
    for (std::size_t i = from; i < tail_; ++i) add_to_wheel(bottom_[i]);
    tail_ = from;
  }
  set_bottom_max();
}

// Where to cut the bottom: about its middle, between two different times, and not before base_. A
// bottom that holds one time only goes to the wheel as a whole, where more ties cost nothing.
std::size_t EventQueue::spill_from() const {
  const auto first_at_or_after = [this](std::int64_t at_ns) {
    const Entry* first = std::lower_bound(
        bottom_ + head_, bottom_ + tail_, at_ns,
        [](const Entry& entry, std::int64_t t) { return entry.at_ns < t; });
    return static_cast<std::size_t>(first - bottom_);
  };
  const std::int64_t front = bottom_[head_].at_ns;
  const std::int64_t back = bottom_[tail_ - 1].at_ns;
  const std::int64_t middle = bottom_[head_ + bottom_size() / 2].at_ns;
  const std::int64_t cut = middle != front ? middle : front == back ? front : front + 1;
  return first_at_or_after(std::max(cut, base_));
}

// --- The wheel ---------------------------------------------------------------------------------

void EventQueue::add_to_wheel(const Entry& entry) {
  if (wheel_ == nullptr) {
    wheel_ = static_cast<Wheel*>(memory_.allocate(sizeof(Wheel), alignof(Wheel)));
    wheel_->levels = 0;
    std::fill_n(wheel_->occupied, kLevels, std::uint64_t{0});
  }
  const auto differing = static_cast<std::uint64_t>(entry.at_ns ^ base_) | 1;
  const int level = (63 - std::countl_zero(differing)) / kDigitBits;
  const int slot = static_cast<int>(entry.at_ns >> (level * kDigitBits)) & (kSlots - 1);
  const std::uint64_t bit = std::uint64_t{1} << slot;
  Chunk*& last = wheel_->last[level][slot];
  if ((wheel_->occupied[level] & bit) == 0) {
    wheel_->occupied[level] |= bit;
    wheel_->levels |= 1u << level;
    last = take_chunk();
    last->next = last;
  } else if (last->count == kChunkEntries) {
    Chunk* added = take_chunk();
    added->next = last->next;
    last->next = added;
    last = added;
  }
  last->entries[last->count++] = entry;
  ++in_wheel_;
}

// Fills the empty bottom with what comes first in the wheel, unless that is after `until_ns` for sure.
bool EventQueue::load(std::int64_t until_ns) {
  head_ = tail_ = 0;
  for (;;) {
    const int level = std::countr_zero(wheel_->levels);
    if (level >= kLevels) std::abort();  // in_wheel_ says that the wheel is not empty
    const int slot = std::countr_zero(wheel_->occupied[level]);
    const int shift = level * kDigitBits;
    const auto width = std::int64_t{1} << shift;
    const auto level_mask = static_cast<std::int64_t>((std::uint64_t{kSlots} << shift) - 1);
    const std::int64_t start = (base_ & ~level_mask) | (static_cast<std::int64_t>(slot) << shift);
    if (start > until_ns) return false;
    Chunk* last = detach(level, slot);
    base_ = start;
    if (level == 0 || count_up_to(last, kBottomMax + 1) <= kBottomMax) {
      bottom_last_ = start + (width - 1);
      load_slot(last);
      if (level != 0) load_neighbours(level, slot);
      set_bottom_max();
      return true;
    }
    spread_slot(last);
  }
}

void EventQueue::load_slot(Chunk* last) {
  const Chunk* chunk = last;
  do {
    chunk = chunk->next;
    for (std::uint32_t i = 0; i < chunk->count; ++i) append_to_bottom(chunk->entries[i]);
    in_wheel_ -= chunk->count;
  } while (chunk != last);
  free_ring(last);
}

// Takes the slots after the loaded one as well while they are small, so that a thinly filled level is
// not loaded one entry at a time. base_ stays: it must not pass what may still be pushed.
void EventQueue::load_neighbours(int level, int slot) {
  const int shift = level * kDigitBits;
  while (wheel_->occupied[level] != 0) {
    const int next = std::countr_zero(wheel_->occupied[level]);
    const std::size_t room = kBottomMax / 2 - std::min(kBottomMax / 2, bottom_size());
    if (count_up_to(wheel_->last[level][next], room + 1) > room) return;
    bottom_last_ += static_cast<std::int64_t>(next - slot) << shift;
    slot = next;
    load_slot(detach(level, next));
  }
}

void EventQueue::spread_slot(Chunk* last) {
  const Chunk* chunk = last;
  do {
    chunk = chunk->next;
    in_wheel_ -= chunk->count;
    for (std::uint32_t i = 0; i < chunk->count; ++i) add_to_wheel(chunk->entries[i]);
  } while (chunk != last);
  free_ring(last);
}

EventQueue::Chunk* EventQueue::detach(int level, int slot) {
  wheel_->occupied[level] &= ~(std::uint64_t{1} << slot);
  if (wheel_->occupied[level] == 0) wheel_->levels &= ~(1u << level);
  return wheel_->last[level][slot];
}

EventQueue::Chunk* EventQueue::take_chunk() {
  Chunk* chunk = free_chunks_;
  if (chunk != nullptr) {
    free_chunks_ = chunk->next;
  } else {
    chunk = static_cast<Chunk*>(memory_.allocate(sizeof(Chunk), alignof(Chunk)));
  }
  chunk->count = 0;
  return chunk;
}

void EventQueue::free_ring(Chunk* last) {
  Chunk* first = last->next;
  last->next = free_chunks_;
  free_chunks_ = first;
}

// The number of entries in a slot, or `limit` when there are at least as many.
std::size_t EventQueue::count_up_to(const Chunk* last, std::size_t limit) {
  std::size_t count = last->count;
  for (const Chunk* chunk = last->next; chunk != last && count < limit; chunk = chunk->next) {
    count += chunk->count;
  }
  return std::min(count, limit);
}

void EventQueue::remove_if(bool (*is_stale)(const void*, const Entry&), const void* context) {
  std::size_t kept = head_;
  for (std::size_t i = head_; i < tail_; ++i) {
    if (!is_stale(context, bottom_[i])) bottom_[kept++] = bottom_[i];
  }
  tail_ = kept;
  if (in_wheel_ == 0) return;
  for (int level = 0; level < kLevels; ++level) {
    std::uint64_t slots = wheel_->occupied[level];
    for (; slots != 0; slots &= slots - 1) {
      Chunk* last = detach(level, std::countr_zero(slots));
      const Chunk* chunk = last;
      do {
        chunk = chunk->next;
        in_wheel_ -= chunk->count;
        for (std::uint32_t i = 0; i < chunk->count; ++i) {
          // Its place is the same as before: base_ has not moved since it was put there.
          if (!is_stale(context, chunk->entries[i])) add_to_wheel(chunk->entries[i]);
        }
      } while (chunk != last);
      free_ring(last);
    }
  }
}

}  // namespace locklapse
