// Who is down, and whether the cluster as a whole is.
#include <algorithm>

#include "sim/redis/cluster.h"

namespace locklapse::redis {

using namespace cluster;  // NOLINT: the vocabulary of this class

namespace {

constexpr int kReportValidityFactor = 2;  // times node-timeout
constexpr int kUndoFactor = 2;
constexpr std::int64_t kWritableDelayMs = 2'000;
constexpr std::int64_t kRejoinDelayMinMs = 500;
constexpr std::int64_t kRejoinDelayMaxMs = 5'000;

}  // namespace

int ClusterNode::count_reports(NodeId about, std::int64_t now_ms) {
  const std::int64_t validity_ms = config_.node_timeout_ms * kReportValidityFactor;
  int valid = 0;
  for (const NodeId by : config_.nodes) {
    std::int64_t& said_ms = report(about, by);
    if (said_ms == 0) continue;
    if (now_ms - said_ms > validity_ms) {
      said_ms = 0;
    } else {
      ++valid;
    }
  }
  return valid;
}

void ClusterNode::check_silence(NodeId node, const Now& now) {
  Peer& other = peer(node);
  const std::int64_t half_ms = config_.node_timeout_ms / 2;
  const std::int64_t ping_delay_ms = now.ms - other.ping_sent_ms;
  const std::int64_t data_delay_ms = now.ms - other.data_ms;
  // Perhaps only the connection is bad.
  if (other.linked && now.ms - other.linked_since_ms > config_.node_timeout_ms &&
      other.ping_sent_ms != 0 && ping_delay_ms > half_ms && data_delay_ms > half_ms) {
    disconnect(node, now);
  }
  if (other.linked && other.ping_sent_ms == 0 && now.ms - other.pong_ms > half_ms) {
    return send_ping(node, now);
  }
  if (other.ping_sent_ms == 0) return;
  if (std::min(ping_delay_ms, data_delay_ms) <= config_.node_timeout_ms) return;
  if (other.maybe_failing || other.failing) return;
  other.maybe_failing = true;
  todo_.state = true;
  tell(ClusterEventKind::kMaybeFailing, now.at, node);
}

void ClusterNode::mark_failing_if_agreed(NodeId node, const Now& now) {
  if (!peer(node).maybe_failing) return;
  const int agree = count_reports(node, now.ms) + (is_master() ? 1 : 0);
  if (agree < size_ / 2 + 1) return;
  set_failing(node, now);
  Message message = make_message(MessageKind::kFail);
  message.about = node;
  broadcast(message, now);
}

void ClusterNode::set_failing(NodeId node, const Now& now) {
  Peer& other = peer(node);
  other.maybe_failing = false;
  other.failing = true;
  other.failing_since_ms = now.ms;
  todo_.state = true;
  tell(ClusterEventKind::kFailing, now.at, node);
}

// A master that is back stays marked until it is clear that nobody takes its slots.
void ClusterNode::clear_failing_if_due(NodeId node, const Now& now) {
  Peer& other = peer(node);
  const bool owns = other.is_master() && other.has_slots();
  if (owns && now.ms - other.failing_since_ms <= config_.node_timeout_ms * kUndoFactor) return;
  other.failing = false;
  todo_.state = true;
  tell(ClusterEventKind::kFailureCleared, now.at, node);
}

void ClusterNode::update_state(const Now& now) {
  // A master that has just started leaves the others the time to tell it what has changed.
  if (first_state_update_ms_ == 0) first_state_update_ms_ = now.ms;
  if (is_master() && !up_ && now.ms - first_state_update_ms_ < kWritableDelayMs) return;

  bool up = true;
  if (config_.require_full_coverage) {
    for (const RangeId range : config_.layout.all()) {
      const NodeId owner = owners_[index(range)];
      if (owner == kNoNode || peer(owner).failing) up = false;
    }
  }
  size_ = 0;
  int reachable = 0;
  for (const NodeId node : config_.nodes) {
    const Peer& each = peer(node);
    if (!each.is_master() || !each.has_slots()) continue;
    ++size_;
    if (!each.failing && !each.maybe_failing) ++reachable;
  }
  if (reachable < size_ / 2 + 1) {
    up = false;
    among_minority_ms_ = now.ms;
  }
  if (up == up_) return;
  const std::int64_t rejoin_delay_ms =
      std::clamp(config_.node_timeout_ms, kRejoinDelayMinMs, kRejoinDelayMaxMs);
  if (up && is_master() && now.ms - among_minority_ms_ < rejoin_delay_ms) return;
  up_ = up;
  tell(up ? ClusterEventKind::kStateUp : ClusterEventKind::kStateDown, now.at, kNoNode);
}

}  // namespace locklapse::redis
