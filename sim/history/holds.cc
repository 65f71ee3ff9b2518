#include "sim/history/holds.h"

namespace locklapse {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

void apply(const Event& event, Hold& hold) {
  switch (event.kind) {
    case EventKind::kLeft:
      if (!hold.open) break;
      hold.left = event.at;
      hold.open = false;
      hold.how_left = event.text;
      break;
    case EventKind::kTold:
      if (!hold.told) hold.told = event.at;
      break;
    case EventKind::kReleasing: hold.releasing = event.at; break;
    case EventKind::kReleased:
      hold.released = event.at;
      hold.release = event.number;
      hold.release_reply = event.text;
      break;
    default: break;
  }
}

}  // namespace

std::vector<Hold> find_holds(const History& history, const AttemptIndex& attempts) {
  std::vector<Hold> holds;
  std::vector<std::size_t> of_try(attempts.size(), kNone);
  std::vector<std::size_t> last(history.cast.clients.size(), kNone);
  for (const Event& event : history.events) {
    const std::size_t slot = attempts.slot(event.client, event.attempt);
    if (slot == AttemptIndex::kNoSlot) continue;
    if (event.kind == EventKind::kEntered) {
      of_try[slot] = last[event.client] = holds.size();
      Hold& hold = holds.emplace_back();
      hold.client = event.client;
      hold.attempt = event.attempt;
      hold.locked = event.extra == 0;
      hold.entered = event.at;
      hold.left = history.end;
      continue;
    }
    // A crash ends whatever its client was in, also when an inner try was the last to be counted.
    const bool crashed = event.kind == EventKind::kLeft && event.text == "crashed";
    const std::size_t index = crashed ? last[event.client] : of_try[slot];
    if (index != kNone) apply(event, holds[index]);
  }
  return holds;
}

}  // namespace locklapse
