#include "sim/history/attempts.h"

#include <algorithm>

namespace locklapse {

AttemptIndex::AttemptIndex(const History& history)
    : history_(history), first_(history.cast.clients.size()), attempts_(first_.size(), 1) {
  for (const Event& event : history.events) {
    if (counts(event)) attempts_[event.client] = std::max(attempts_[event.client], event.attempt + 1);
  }
  std::size_t slots = 0;
  for (std::size_t client = 0; client < first_.size(); ++client) {
    first_[client] = slots;
    slots += attempts_[client];
  }
  // A counting sort: how many events each try has, where each begins, then the events in order.
  begins_.assign(slots + 1, 0);
  for (const Event& event : history.events) {
    if (counts(event)) ++begins_[first_[event.client] + event.attempt + 1];
  }
  for (std::size_t slot = 0; slot < slots; ++slot) begins_[slot + 1] += begins_[slot];
  order_.resize(begins_.back());
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  for (std::size_t i = 0; i < history.events.size(); ++i) {
    const Event& event = history.events[i];
    if (!counts(event)) continue;
    order_[next[first_[event.client] + event.attempt]++] = static_cast<std::uint32_t>(i);
  }
}

std::string_view AttemptIndex::token(std::size_t slot) const {
  for (const std::uint32_t index : events(slot)) {
    if (history_.events[index].kind == EventKind::kAttempt) return history_.events[index].text;
  }
  return {};
}

}  // namespace locklapse
