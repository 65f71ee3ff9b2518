// Where a running world writes down what happens.
//
// Text is copied into the run's memory, so an event's views stay valid until the arena is reset; a
// history that must outlive its run is copied out (sim/history/history.h).
#pragma once

#include <cstring>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "sim/core/event.h"

namespace locklapse {

class Journal {
 public:
  explicit Journal(std::pmr::memory_resource& memory) : memory_(memory), events_(&memory) {
    events_.reserve(128);
  }

  // Appends an event whose views already live as long as the run.
  void add(const Event& event) { events_.push_back(event); }
  // A copy of `text` that lives as long as the run.
  std::string_view keep(std::string_view text) {
    if (text.empty()) return {};
    char* copy = static_cast<char*>(memory_.allocate(text.size(), 1));
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }

  const std::pmr::vector<Event>& events() const { return events_; }

 private:
  std::pmr::memory_resource& memory_;
  std::pmr::vector<Event> events_;
};

}  // namespace locklapse
