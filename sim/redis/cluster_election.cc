// A replica takes the place of its failing master when the majority of masters votes for it.
#include <algorithm>

#include "sim/redis/cluster.h"

namespace locklapse::redis {

using namespace cluster;  // NOLINT: the vocabulary of this class

namespace {

constexpr std::int64_t kElectionDelayMs = 500;  // lets the news of the failure spread
constexpr std::uint32_t kElectionJitterMs = 500;
constexpr std::int64_t kRankDelayMs = 1'000;
constexpr std::int64_t kElectionTimeoutMinMs = 2'000;

}  // namespace

// How many replicas of the same master are known to be further.
int ClusterNode::rank() {
  const std::int64_t offset = server_.replication_offset();
  int better = 0;
  for (const NodeId node : config_.nodes) {
    const Peer& each = peer(node);
    if (node == config_.id || each.master != self().master || each.no_failover) continue;
    if (each.offset > offset) ++better;
  }
  return better;
}

bool ClusterNode::may_fail_over(const Now& now) const {
  if (is_master() || config_.replica_no_failover) return false;
  const Peer& master = peer(self().master);
  if (!master.failing || !master.has_slots()) return false;
  if (config_.replica_validity_factor == 0) return true;
  std::int64_t age_ms = server_.seconds_without_master(now.at) * 1'000;
  if (age_ms > config_.node_timeout_ms) age_ms -= config_.node_timeout_ms;
  return age_ms <= config_.repl_ping_replica_period_s * 1'000 +
                       config_.node_timeout_ms * config_.replica_validity_factor;
}

void ClusterNode::handle_failover(const Now& now) {
  if (!may_fail_over(now)) return;
  const std::int64_t timeout_ms = std::max(config_.node_timeout_ms * 2, kElectionTimeoutMinMs);
  const std::int64_t age_ms = now.ms - election_ms_;
  if (age_ms > timeout_ms * 2) return schedule_election(now);
  if (!votes_asked_) {
    if (const int newer = rank(); newer > election_rank_) {
      election_ms_ += (newer - election_rank_) * kRankDelayMs;
      election_rank_ = newer;
    }
  }
  if (now.ms < election_ms_ || age_ms > timeout_ms) return;
  if (!votes_asked_) {
    election_epoch_ = ++current_epoch_;
    tell(ClusterEventKind::kElectionStarted, now.at, self().master);
    broadcast(make_message(MessageKind::kVoteRequest), now);
    votes_asked_ = true;
    todo_.state = true;
    return;
  }
  if (votes_ >= size_ / 2 + 1) replace_master(now);
}

void ClusterNode::schedule_election(const Now& now) {
  votes_ = 0;
  votes_asked_ = false;
  election_rank_ = rank();
  const std::int64_t delay_ms = kElectionDelayMs +
                                jitter_(JitterKind::kElectionDelay, kElectionJitterMs) +
                                election_rank_ * kRankDelayMs;
  election_ms_ = now.ms + delay_ms;
  tell(ClusterEventKind::kElectionScheduled, now.at, self().master, delay_ms);
  broadcast_pong(true, now);
}

void ClusterNode::replace_master(const Now& now) {
  Peer& me = self();
  const RangeSet slots = peer(me.master).slots;
  me.config_epoch = std::max(me.config_epoch, election_epoch_);
  me.master = kNoNode;
  for (const RangeId range : slots) give(range, config_.id);
  tell(ClusterEventKind::kPromoted, now.at, config_.id, static_cast<std::int64_t>(me.config_epoch));
  server_.promote(now.at);
  update_state(now);
  broadcast_pong(false, now);
}

// One vote in an epoch, and one for a given master's place in twice the node-timeout.
void ClusterNode::vote_if_right(NodeId candidate, const Message& request, const Now& now) {
  if (!is_master() || !self().has_slots()) return;
  if (request.current_epoch < current_epoch_ || last_vote_epoch_ == current_epoch_) return;
  if (peer(candidate).is_master()) return;
  Peer& master = peer(peer(candidate).master);
  if (!master.failing) return;
  if (now.ms - master.voted_ms < config_.node_timeout_ms * 2) return;
  for (const RangeId range : request.slots) {
    if (!unclaimed(range) && peer(owners_[index(range)]).config_epoch > request.config_epoch)
      return;
  }
  last_vote_epoch_ = current_epoch_;
  master.voted_ms = now.ms;
  send(candidate, make_message(MessageKind::kVote), now);
  tell(ClusterEventKind::kVoted, now.at, candidate);
}

}  // namespace locklapse::redis
