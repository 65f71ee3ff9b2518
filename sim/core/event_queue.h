// The kernel's queue of things to come, ordered by (true time, order of pushing).
//
// A ladder of two parts. The *bottom* is a short sorted array of whatever comes first; with at most
// kBottomMax entries pending, as in most runs, it is the whole queue. What lies after `bottom_last_`
// stands in the *wheel*: eleven levels of 64 slots, where an entry's level is the highest six-bit digit
// in which its time differs from `base_`, and its slot is that digit:
//
//   digits of base_    ... 0 2 5 1        an entry at ... 0 2 9 3  goes to level 1, slot 9
//                            ^ level 2    an entry at ... 0 7 0 0  goes to level 2, slot 7
//
// When the bottom has run empty, the earliest slot (lowest level, then lowest slot) is sorted into it,
// or, when it holds too much, spread over the levels below. An entry moves down a few times in its life
// and never up, except when the bottom overflows: then the bottom's later half goes to the wheel.
//
// Contract
//   - pop() yields entries in ascending at_ns; two entries of one instant come out in the order in which
//     they were pushed (a slot is first in first out, and all sorting is stable).
//   - 0 <= at_ns, and no entry is earlier than the last one popped.
//   - next(until) looks no further than `until`. As long as nothing is pushed earlier than an `until`
//     asked for before, every operation is cheap, whatever ties there are; otherwise the order is still
//     right, but the bottom may grow.
//   - An empty queue costs nothing to make. All memory comes from the resource and is kept for reuse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory_resource>

namespace locklapse {

class EventQueue {
 public:
  struct Entry {
    std::int64_t at_ns;
    std::uint32_t slot;
    std::uint32_t generation;
  };

  explicit EventQueue(std::pmr::memory_resource& memory) : memory_(memory) {}
  ~EventQueue();
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  bool empty() const { return size() == 0; }
  std::size_t size() const { return bottom_size() + in_wheel_; }

  void push(const Entry& entry) {
    if (entry.at_ns > bottom_last_ && in_wheel_ != 0) {
      add_to_wheel(entry);
    } else {
      insert_in_bottom(entry);
    }
  }

  // The earliest entry if it is not after `until_ns`, or null. Valid until the next call.
  const Entry* next(std::int64_t until_ns) {
    if (head_ == tail_ && (in_wheel_ == 0 || !load(until_ns))) return nullptr;
    const Entry* first = bottom_ + head_;
    return first->at_ns <= until_ns ? first : nullptr;
  }
  // REQUIRES: !empty().
  const Entry& top() { return *next(kLastTime); }
  // Removes what next() has just given. REQUIRES: that was not null.
  void drop_next() { last_popped_ns_ = bottom_[head_++].at_ns; }
  // REQUIRES: !empty().
  Entry pop() {
    const Entry entry = top();
    drop_next();
    return entry;
  }

  // Removes every entry for which is_stale(context, entry), leaving the others in order.
  void remove_if(bool (*is_stale)(const void* context, const Entry& entry), const void* context);

 private:
  static constexpr std::int64_t kLastTime = std::numeric_limits<std::int64_t>::max();
  static constexpr std::size_t kBottomMax = 48;
  static constexpr std::size_t kFirstCapacity = 64;
  static constexpr int kDigitBits = 6;
  static constexpr int kSlots = 1 << kDigitBits;
  static constexpr int kLevels = 11;  // 66 bits: every non-negative time
  static constexpr std::uint32_t kChunkEntries = 15;

  // A slot's entries stand in a ring of chunks, all full but the last.
  struct Chunk {
    Chunk* next;  // the last chunk's is the first one
    std::uint32_t count;
    Entry entries[kChunkEntries];
  };
  struct Wheel {
    std::uint32_t levels;              // bit l: level l is not empty
    std::uint64_t occupied[kLevels];   // bit s: slot s of the level is not empty
    Chunk* last[kLevels][kSlots];      // valid for occupied slots only
  };

  std::size_t bottom_size() const { return tail_ - head_; }
  void insert_in_bottom(const Entry& entry);
  void append_to_bottom(const Entry& entry);
  void make_room_in_bottom();
  void set_bottom_max();
  void spill();
  std::size_t spill_from() const;

  void add_to_wheel(const Entry& entry);
  bool load(std::int64_t until_ns);
  void load_slot(Chunk* last);
  void load_neighbours(int level, int slot);
  void spread_slot(Chunk* last);
  Chunk* detach(int level, int slot);
  Chunk* take_chunk();
  void free_ring(Chunk* last);
  static std::size_t count_up_to(const Chunk* last, std::size_t limit);

  std::pmr::memory_resource& memory_;
  // The bottom: bottom_[head_ .. tail_), ascending; every entry up to and including bottom_last_.
  Entry* bottom_ = nullptr;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  std::size_t capacity_ = 0;
  std::size_t bottom_max_ = kBottomMax;  // more than that: spill
  std::int64_t bottom_last_ = kLastTime;
  std::int64_t last_popped_ns_ = 0;
  // The wheel: every entry after bottom_last_. Invariant: base_ <= bottom_last_ + 1.
  Wheel* wheel_ = nullptr;
  std::size_t in_wheel_ = 0;
  std::int64_t base_ = 0;
  Chunk* free_chunks_ = nullptr;
};

}  // namespace locklapse
