#include "sim/history/holds.h"

namespace locklapse {

namespace {

Hold* latest(std::vector<Hold>& holds, ClientId client, std::uint32_t attempt) {
  for (auto hold = holds.rbegin(); hold != holds.rend(); ++hold) {
    if (hold->client == client && (attempt == 0 || hold->attempt == attempt)) return &*hold;
  }
  return nullptr;
}

void leave(Hold& hold, const Event& event) {
  hold.left = event.at;
  hold.open = false;
  hold.how_left = event.text;
}

}  // namespace

std::vector<Hold> find_holds(const History& history) {
  std::vector<Hold> holds;
  for (const Event& event : history.events) {
    if (event.kind == EventKind::kEntered) {
      Hold& hold = holds.emplace_back();
      hold.client = event.client;
      hold.attempt = event.attempt;
      hold.locked = event.extra == 0;
      hold.entered = event.at;
      hold.left = history.end;
      continue;
    }
    const bool about_a_hold = event.kind == EventKind::kLeft || event.kind == EventKind::kReleasing ||
                              event.kind == EventKind::kReleased || event.kind == EventKind::kTold;
    if (!about_a_hold) continue;
    // A crash ends whatever its client was in, also when an inner try was the last to be counted.
    const bool crashed = event.kind == EventKind::kLeft && event.text == "crashed";
    Hold* hold = latest(holds, event.client, crashed ? 0 : event.attempt);
    if (hold == nullptr) continue;
    if (event.kind == EventKind::kLeft && hold->open) leave(*hold, event);
    if (event.kind == EventKind::kTold && !hold->told) hold->told = event.at;
    if (event.kind == EventKind::kReleasing) hold->releasing = event.at;
    if (event.kind == EventKind::kReleased) {
      hold->released = event.at;
      hold->release = event.number;
      hold->release_reply = event.text;
    }
  }
  return holds;
}

const Hold* find_hold(const std::vector<Hold>& holds, ClientId client, std::uint32_t attempt) {
  for (const Hold& hold : holds) {
    if (hold.client == client && hold.attempt == attempt) return &hold;
  }
  return nullptr;
}

}  // namespace locklapse
