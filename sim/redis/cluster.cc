// A cluster node's life: what it starts with, its timer, what reaches it.
#include "sim/redis/cluster.h"

#include <cassert>

namespace locklapse::redis {

using namespace cluster;  // NOLINT: the vocabulary of this class

namespace {

constexpr std::int64_t kTickMs = 100;
constexpr std::uint64_t kTicksPerPing = 10;
constexpr std::int64_t kWritableDelayMs = 2'000;

}  // namespace

const char* name_of(ClusterEventKind kind) {
  switch (kind) {
    case ClusterEventKind::kMaybeFailing:
      return "pfail";
    case ClusterEventKind::kReachable:
      return "reachable";
    case ClusterEventKind::kFailing:
      return "fail";
    case ClusterEventKind::kFailureCleared:
      return "fail-cleared";
    case ClusterEventKind::kElectionScheduled:
      return "election-scheduled";
    case ClusterEventKind::kElectionStarted:
      return "election-started";
    case ClusterEventKind::kVoted:
      return "voted";
    case ClusterEventKind::kPromoted:
      return "promoted";
    case ClusterEventKind::kBecameReplica:
      return "became-replica";
    case ClusterEventKind::kStateUp:
      return "cluster-ok";
    case ClusterEventKind::kStateDown:
      return "cluster-down";
  }
  return "";
}

ClusterNode::ClusterNode(std::pmr::memory_resource& memory, const ClusterConfig& config,
                         ClusterServer& server, JitterSource jitter, ClusterObserver* observer)
    : config_(config),
      server_(server),
      jitter_(jitter),
      observer_(observer),
      peers_(&memory),
      reports_(&memory) {
  assert(config.nodes.contains(config.id));
  // No more than there are: the state of a run is copied again and again.
  std::size_t end = 0;
  for (const NodeId node : config.nodes) end = index(node) + 1;
  peers_.resize(end);
  for (const NodeId node : config.nodes) peer(node).known = true;
  reports_.resize(peers_.size() * peers_.size());
  owners_.fill(kNoNode);
  migrating_to_.fill(kNoNode);
  importing_from_.fill(kNoNode);
}

void ClusterNode::set_replica(NodeId node, NodeId master) { peer(node).master = master; }

void ClusterNode::set_slots(NodeId node, RangeSet slots, std::uint64_t config_epoch) {
  for (const RangeId range : slots) give(range, node);
  peer(node).config_epoch = config_epoch;
  if (config_epoch > current_epoch_) current_epoch_ = config_epoch;
}

void ClusterNode::start(WallTime at, Start how) {
  const std::int64_t now_ms = at.ms();
  for (const NodeId node : config_.nodes) {
    Peer& each = peer(node);
    each.linked = false;
    each.ping_sent_ms = each.voted_ms = each.data_ms = 0;
    each.pong_ms = now_ms;
    if (each.failing) each.failing_since_ms = now_ms;
  }
  reports_.assign(reports_.size(), 0);
  not_claimed_ = {};
  up_ = how == Start::kSettled;
  first_state_update_ms_ = up_ ? now_ms - kWritableDelayMs : 0;
  among_minority_ms_ = 0;
  election_ms_ = 0;
  votes_ = 0;
  votes_asked_ = false;
  todo_ = {.failover = false, .state = true};
  next_tick_in_ = config_.first_tick_after;
}

void ClusterNode::wake(WallTime at, Outbox& outbox) {
  const Now now{at, at.ms(), outbox};
  next_tick_in_ = milliseconds(kTickMs);
  ++ticks_;
  for (const NodeId node : config_.nodes) {
    if (node != config_.id && !peer(node).linked) connect(node, now);
  }
  if (ticks_ % kTicksPerPing == 0) ping_oldest(now);
  for (const NodeId node : config_.nodes) {
    if (node != config_.id) check_silence(node, now);
  }
  handle_failover(now);
  if (!up_) todo_.state = true;
  finish(now);
}

void ClusterNode::receive(const Packet& packet, WallTime at, Outbox& outbox) {
  const Now now{at, at.ms(), outbox};
  if (!config_.nodes.contains(packet.peer)) return;
  Peer& from = peer(packet.peer);
  if (packet.on_receivers_link && (!from.linked || from.connection != packet.connection)) return;
  if (std::holds_alternative<LinkDown>(packet.body)) {
    if (packet.on_receivers_link) from.linked = false;
  } else if (std::holds_alternative<Connected>(packet.body)) {
    // The wait for a pong began when it was asked for first, whatever became of that link.
    const std::int64_t waits_since_ms = from.ping_sent_ms;
    send_ping(packet.peer, now);
    if (waits_since_ms != 0) from.ping_sent_ms = waits_since_ms;
  } else if (const auto* message = std::get_if<Message>(&packet.body)) {
    on_message(packet.peer, packet, *message, now);
  }
  finish(now);
}

void ClusterNode::finish(const Now& now) {
  const Todo todo = todo_;
  todo_ = {};
  if (todo.failover) handle_failover(now);
  if (todo.state || todo_.state) update_state(now);
  todo_ = {};
}

void ClusterNode::tell(ClusterEventKind kind, WallTime at, NodeId about,
                       std::int64_t number) const {
  if (observer_ == nullptr) return;
  observer_->on_cluster_event({kind, config_.id, at, about, current_epoch_, number});
}

}  // namespace locklapse::redis
