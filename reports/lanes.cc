#include "reports/lanes.h"

#include <algorithm>

namespace locklapse::reports {
namespace {

bool same_lane(const KeyLane& lane, const Event& event) {
  return lane.node == event.place && lane.key == event.text;
}

}  // namespace

bool is_key_event(EventKind kind) {
  return kind == EventKind::kKeyWritten || kind == EventKind::kKeyDeadline ||
         kind == EventKind::kKeyRemoved || kind == EventKind::kKeyExpired ||
         kind == EventKind::kKeyEvicted || kind == EventKind::kKeyLost ||
         kind == EventKind::kKeyRestored || kind == EventKind::kTtlEnded;
}

Lanes::Lanes(const History& history) : history_(history), clients_(history.cast.clients.size()) {
  const auto is_lock = [&](std::string_view key) {
    return std::any_of(history.cast.clients.begin(), history.cast.clients.end(),
                       [&](const ClientInfo& client) { return client.lock_name == key; });
  };
  for (const Event& event : history.events) {
    if (!is_key_event(event.kind) || lane_of(event) < keys_.size() || !is_lock(event.text))
      continue;
    keys_.push_back({event.place, event.text, {}, kNoClient, false});
  }
}

std::size_t Lanes::lane_of(const Event& event) const {
  if (!is_key_event(event.kind)) return keys_.size();
  const auto found = std::find_if(keys_.begin(), keys_.end(),
                                  [&](const KeyLane& lane) { return same_lane(lane, event); });
  return static_cast<std::size_t>(found - keys_.begin());
}

ClientId Lanes::client_of(std::string_view token) const {
  const auto found = clients_by_token_.find(token);
  return found == clients_by_token_.end() ? kNoClient : found->second;
}

void Lanes::advance(std::size_t event) {
  for (; next_ <= event && next_ < history_.events.size(); ++next_) {
    const Event& e = history_.events[next_];
    if (is_key_event(e.kind)) {
      take_key(e);
    } else {
      take_process(e);
      if (e.client < clients_.size()) take_client(e);
    }
  }
}

void Lanes::take_client(const Event& event) {
  ClientLane& lane = clients_[event.client];
  switch (event.kind) {
    case EventKind::kAttempt:
      if (lane.doing != Doing::kInside) lane.doing = Doing::kTrying;
      learn_token(event);
      break;
    case EventKind::kRefused:
    case EventKind::kUnknown:
      if (lane.doing != Doing::kInside) lane.doing = Doing::kWaiting;
      break;
    case EventKind::kEntered:
      lane.doing = Doing::kInside;
      learn_token(event);
      break;
    case EventKind::kReleasing:
      if (lane.doing != Doing::kInside) lane.doing = Doing::kReleasing;
      break;
    case EventKind::kLeft:
    case EventKind::kGaveUp:
    case EventKind::kReleased:
    case EventKind::kFinished:
      // A nested release is answered inside: only leaving ends a section.
      if (event.kind == EventKind::kReleased && lane.doing == Doing::kInside) break;
      lane.doing = Doing::kNothing;
      break;
    case EventKind::kStalled:
      lane.stalled = true;
      break;
    case EventKind::kUnstalled:
      lane.stalled = false;
      break;
    default:
      break;
  }
}

void Lanes::learn_token(const Event& event) {
  if (event.text.empty()) return;
  clients_by_token_[event.text] = event.client;
  clients_[event.client].token = event.text;
}

void Lanes::take_process(const Event& event) {
  const bool starts = event.kind == EventKind::kPaused;
  const bool crash = event.kind == EventKind::kCrashed;
  const bool restart = event.kind == EventKind::kRestarted;
  if (!starts && !crash && !restart && event.kind != EventKind::kResumed) return;
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    if (history_.cast.clients[i].process != event.place) continue;
    clients_[i].paused = starts;
    if (crash) clients_[i] = {Doing::kNothing, false, false, true, clients_[i].token};
    if (restart) clients_[i] = {};
  }
}

void Lanes::take_key(const Event& event) {
  const std::size_t index = lane_of(event);
  if (index == keys_.size()) return;
  KeyLane& lane = keys_[index];
  switch (event.kind) {
    case EventKind::kKeyWritten:
    case EventKind::kKeyRestored: {
      // Who writes its own token owns the key, even if someone else has used the same token before.
      const bool own =
          event.client < clients_.size() && clients_[event.client].token == event.detail;
      lane.owner = own ? event.client : client_of(event.detail);
      lane.token = event.detail;
      lane.owned = true;
      break;
    }
    case EventKind::kKeyRemoved:
    case EventKind::kKeyExpired:
    case EventKind::kKeyEvicted:
    case EventKind::kKeyLost:
    case EventKind::kTtlEnded:
      // A lazy removal long after the TTL must not end what a later owner has.
      if (event.kind == EventKind::kKeyExpired && lane.token != event.detail) break;
      lane.token = {};
      lane.owner = kNoClient;
      lane.owned = false;
      break;
    default:
      break;
  }
}

int overlap_at(const Verdict& verdict, ClientId client, Time at) {
  for (std::size_t i = 0; i < verdict.overlaps.size(); ++i) {
    const Overlap& o = verdict.overlaps[i];
    if ((o.first == client || o.second == client) && o.from <= at && at < o.to) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

int overlap_at(const Verdict& verdict, Time at) {
  for (std::size_t i = 0; i < verdict.overlaps.size(); ++i) {
    if (verdict.overlaps[i].from <= at && at < verdict.overlaps[i].to) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace locklapse::reports
