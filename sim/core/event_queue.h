// The kernel's queue of things to come, ordered by (true time, sequence).
//
// Contract
//   - pop() yields entries in ascending (at_ns, sequence); two entries of one instant come out in the
//     order in which they were pushed.
//   - Nothing is removed from the middle: the kernel cancels by generation and drops stale entries as
//     they surface.
//   - No entry may be earlier than the last one popped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace locklapse {

class EventQueue {
 public:
  struct Entry {
    std::int64_t at_ns;
    std::uint64_t sequence;
    std::uint32_t slot;
    std::uint32_t generation;
  };

  explicit EventQueue(std::pmr::memory_resource& memory) : heap_(&memory) {}

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  void push(const Entry& entry) {
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  // REQUIRES: !empty().
  const Entry& top() const { return heap_.front(); }
  // REQUIRES: !empty().
  Entry pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Entry entry = heap_.back();
    heap_.pop_back();
    return entry;
  }

 private:
  static bool later(const Entry& a, const Entry& b) {
    return a.at_ns != b.at_ns ? a.at_ns > b.at_ns : a.sequence > b.sequence;
  }

  std::pmr::vector<Entry> heap_;
};

}  // namespace locklapse
