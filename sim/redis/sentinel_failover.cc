// The failover that an elected sentinel carries out, one state after another.
#include <algorithm>

#include "sim/redis/sentinel.h"
#include "sim/redis/sentinel_times.h"

namespace locklapse::redis {

using namespace sentinel;  // NOLINT: the vocabulary of this class

namespace {

// Whether `a` is the better one to promote.
bool better(const Instance& a, const Instance& b) {
  if (a.priority != b.priority) return a.priority < b.priority;
  if (a.offset != b.offset) return a.offset > b.offset;
  if ((a.run_id == 0) != (b.run_id == 0)) return b.run_id == 0;
  return a.run_id < b.run_id;
}

}  // namespace

void Sentinel::enter_state(FailoverState state, std::int64_t now_ms) {
  state_ = state;
  state_since_ms_ = now_ms;
}

void Sentinel::start_failover(const Now& now) {
  enter_state(FailoverState::kWaitStart, now.ms);
  failover_epoch_ = ++current_epoch_;
  tell(SentinelEventKind::kNewEpoch, now.at, master_.peer);
  tell(SentinelEventKind::kTryFailover, now.at, master_.peer);
  failover_start_ms_ = now.ms + jitter_(JitterKind::kDesync, kDesyncMs);
}

bool Sentinel::start_failover_if_needed(const Now& now) {
  if (!objectively_down_ || state_ != FailoverState::kNone) return false;
  if (now.ms - failover_start_ms_ < config_.failover_timeout_ms * 2) return false;
  start_failover(now);
  return true;
}

bool Sentinel::failover(WallTime at, Outbox& outbox) {
  const Now now{at, at.ms(), outbox};
  if (state_ != FailoverState::kNone || best_replica(now.ms) == nullptr) return false;
  start_failover(now);
  forced_ = true;
  return true;
}

void Sentinel::abort_failover(const Now& now) {
  if (Instance* chosen = promoted(); chosen != nullptr) chosen->promoted = false;
  forced_ = false;
  enter_state(FailoverState::kNone, now.ms);
}

void Sentinel::step_failover(const Now& now) {
  switch (state_) {
    case FailoverState::kNone:
    case FailoverState::kUpdateConfig:
      return;
    case FailoverState::kWaitStart:
      return wait_start(now);
    case FailoverState::kSelectReplica:
      return select_replica(now);
    case FailoverState::kSendSlaveOfNoOne:
      return send_slaveof_no_one(now);
    case FailoverState::kWaitPromotion:
      if (now.ms - state_since_ms_ <= config_.failover_timeout_ms) return;
      tell(SentinelEventKind::kReplicaTimeout, now.at, master_.peer);
      return abort_failover(now);
    case FailoverState::kReconfReplicas:
      return reconfigure_replicas(now);
  }
}

void Sentinel::wait_start(const Now& now) {
  const bool leader = elected(now) == config_.id;
  if (leader || forced_) {
    tell(SentinelEventKind::kElectedLeader, now.at, master_.peer);
    return enter_state(FailoverState::kSelectReplica, now.ms);
  }
  const std::int64_t timeout_ms = std::min(kElectionTimeoutMs, config_.failover_timeout_ms);
  if (now.ms - failover_start_ms_ <= timeout_ms) return;
  tell(SentinelEventKind::kNotElected, now.at, master_.peer);
  abort_failover(now);
}

Instance* Sentinel::best_replica(std::int64_t now_ms) {
  const std::int64_t info_age_max_ms = master_.down ? kPingPeriodMs * 5 : kInfoPeriodMs * 3;
  const std::int64_t link_down_max_ms =
      config_.down_after_ms * 10 + (master_.down ? now_ms - master_.down_since_ms : 0);
  Instance* best = nullptr;
  for (Instance& replica : replicas_) {
    if (replica.down || replica.link.broken || replica.priority == 0) continue;
    if (now_ms - replica.link.available_ms > kPingPeriodMs * 5) continue;
    if (now_ms - replica.info_ms > info_age_max_ms) continue;
    if (replica.master_link_down_ms > link_down_max_ms) continue;
    if (best == nullptr || better(replica, *best)) best = &replica;
  }
  return best;
}

void Sentinel::select_replica(const Now& now) {
  Instance* chosen = best_replica(now.ms);
  if (chosen == nullptr) {
    tell(SentinelEventKind::kNoGoodReplica, now.at, master_.peer);
    return abort_failover(now);
  }
  tell(SentinelEventKind::kSelectedReplica, now.at, chosen->peer);
  chosen->promoted = true;
  enter_state(FailoverState::kSendSlaveOfNoOne, now.ms);
}

void Sentinel::send_slaveof_no_one(const Now& now) {
  Instance& chosen = *promoted();
  if (chosen.link.broken) {
    if (now.ms - state_since_ms_ <= config_.failover_timeout_ms) return;
    tell(SentinelEventKind::kReplicaTimeout, now.at, master_.peer);
    return abort_failover(now);
  }
  send(chosen, SlaveOf{}, now);
  tell(SentinelEventKind::kPromotionSent, now.at, chosen.peer);
  enter_state(FailoverState::kWaitPromotion, now.ms);
}

void Sentinel::reconfigure_replicas(const Now& now) {
  const auto under_way = [](const Instance& replica) {
    return replica.reconfiguration == Reconfiguration::kSent ||
           replica.reconfiguration == Reconfiguration::kInProgress;
  };
  auto in_progress = std::count_if(replicas_.begin(), replicas_.end(), under_way);
  const NodeId new_master = promoted()->peer.node();
  for (Instance& replica : replicas_) {
    if (in_progress >= config_.parallel_syncs) break;
    if (replica.promoted || replica.reconfiguration == Reconfiguration::kDone) continue;
    // One that does not follow is left to be put right later.
    if (replica.reconfiguration == Reconfiguration::kSent &&
        now.ms - replica.reconfiguration_sent_ms > kReconfigurationTimeoutMs) {
      replica.reconfiguration = Reconfiguration::kDone;
    }
    if (replica.reconfiguration != Reconfiguration::kNone || replica.link.broken) continue;
    send(replica, SlaveOf{new_master}, now);
    replica.reconfiguration = Reconfiguration::kSent;
    replica.reconfiguration_sent_ms = now.ms;
    tell(SentinelEventKind::kReconfigurationSent, now.at, replica.peer);
    ++in_progress;
  }
  detect_end(now);
}

void Sentinel::detect_end(const Now& now) {
  const Instance& chosen = *promoted();
  if (chosen.down) return;
  const bool all_done =
      std::all_of(replicas_.begin(), replicas_.end(), [](const Instance& replica) {
        return replica.promoted || replica.down ||
               replica.reconfiguration == Reconfiguration::kDone;
      });
  const bool timeout = now.ms - state_since_ms_ > config_.failover_timeout_ms;
  if (!all_done && !timeout) return;
  if (timeout) {
    tell(SentinelEventKind::kFailoverEndTimeout, now.at, master_.peer);
    for (Instance& replica : replicas_) {
      if (replica.promoted || replica.link.broken) continue;
      if (replica.reconfiguration == Reconfiguration::kDone ||
          replica.reconfiguration == Reconfiguration::kSent) {
        continue;
      }
      send(replica, SlaveOf{chosen.peer.node()}, now);
      replica.reconfiguration = Reconfiguration::kSent;
      tell(SentinelEventKind::kReconfigurationSent, now.at, replica.peer);
    }
  }
  tell(SentinelEventKind::kFailoverEnd, now.at, master_.peer);
  enter_state(FailoverState::kUpdateConfig, now.ms);
}

// Everyone but the new master becomes its replica, the old master included: that is how it is found
// and demoted when it comes back. All are watched afresh.
void Sentinel::switch_master(NodeId to, const Now& now) {
  const NodeId from = master_.peer.node();
  if (observer_ != nullptr) {
    observer_->on_sentinel_event({.kind = SentinelEventKind::kSwitchMaster,
                                  .by = config_.id,
                                  .at = now.at,
                                  .about = peer(to),
                                  .epoch = config_epoch_,
                                  .old_master = from});
  }
  const auto drop_connections = [&](Instance& instance) {
    close(instance, Channel::kCommand, now);
    close(instance, Channel::kPubSub, now);
  };
  drop_connections(master_);
  for (Instance& replica : replicas_) drop_connections(replica);

  const Instance before = master_;
  master_.peer = peer(to);
  master_ = make_instance(peer(to), now.ms);
  master_.link.reconnected_ms = before.link.reconnected_ms;
  master_.info_ms = before.info_ms;
  master_.published_ms = before.published_ms;
  std::erase_if(replicas_, [&](const Instance& replica) { return replica.peer == master_.peer; });
  for (Instance& replica : replicas_) replica = make_instance(replica.peer, now.ms);
  if (from != to) replicas_.push_back(make_instance(peer(from), now.ms));

  objectively_down_ = forced_ = false;
  failover_start_ms_ = 0;
  vote_ = kNoSentinel;
  enter_state(FailoverState::kNone, 0);
}

}  // namespace locklapse::redis
