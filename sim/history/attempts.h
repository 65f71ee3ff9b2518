// Finds what belongs to one try: a history's events by (client, attempt), without searching.
//
// Histories run to a million events, and most questions of the oracles are about one acquisition; with
// this index they cost what that acquisition is long. Tries are numbered by *slots*, 0 .. size() - 1, so
// that other facts about them fit into plain arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/history/history.h"

namespace locklapse {

class AttemptIndex {
 public:
  static constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);

  explicit AttemptIndex(const History& history);

  std::size_t size() const { return begins_.size() - 1; }
  // kNoSlot for an operator, and for a try that the history does not have.
  std::size_t slot(ClientId client, std::uint32_t attempt) const {
    if (client >= first_.size() || attempt >= attempts_[client]) return kNoSlot;
    return first_[client] + attempt;
  }
  // Indices of the try's events, ascending.
  std::span<const std::uint32_t> events(std::size_t slot) const {
    if (slot == kNoSlot) return {};
    return {order_.data() + begins_[slot], begins_[slot + 1] - begins_[slot]};
  }
  // The token that the try went by; empty when it is not known.
  std::string_view token(std::size_t slot) const;

 private:
  bool counts(const Event& event) const {
    return event.client < first_.size() && event.attempt <= history_.events.size();
  }

  const History& history_;
  std::vector<std::size_t> first_;          // by client: the slot of its attempt 0
  std::vector<std::uint32_t> attempts_;     // by client: its highest attempt + 1
  std::vector<std::size_t> begins_;         // by slot, into order_; one more at the end
  std::vector<std::uint32_t> order_;
};

}  // namespace locklapse
