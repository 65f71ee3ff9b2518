// What a sentinel learns from INFO and from the hello messages of others.
#include "sim/redis/sentinel.h"
#include "sim/redis/sentinel_times.h"

namespace locklapse::redis {

using namespace sentinel;  // NOLINT: the vocabulary of this class

namespace {

// Neither down now nor gone down within the last `ms`.
bool not_down_for(const Instance& instance, std::int64_t ms, std::int64_t now_ms) {
  return instance.down_since_ms == 0 || now_ms - instance.down_since_ms > ms;
}

}  // namespace

void Sentinel::on_info(Instance& instance, const InfoReply& info, const Now& now) {
  const bool is_master = &instance == &master_;
  if (instance.run_id != 0 && info.run_id != 0 && instance.run_id != info.run_id) {
    tell(SentinelEventKind::kReboot, now.at, instance.peer);
  }
  if (info.run_id != 0) instance.run_id = info.run_id;
  if (is_master) {
    for (const NodeId node : info.replicas) meet_replica(node, now.ms);
  }
  instance.master_link_down_ms = info.master_link_down_s * 1'000;
  if (info.role == Role::kReplica) {
    if (instance.follows != info.master) {
      instance.follows = info.master;
      instance.follows_since_ms = now.ms;
    }
    instance.master_link_up = info.master_link_up;
    instance.priority = info.priority;
    instance.offset = info.offset;
  }
  instance.info_ms = now.ms;
  if (info.role != instance.role) {
    instance.role = info.role;
    instance.role_since_ms = now.ms;
    if (info.role == Role::kReplica) instance.follows_since_ms = now.ms;
  }
  // A master that calls itself a replica becomes SDOWN in time; nothing else is done about it.
  if (tilt_ || is_master) return;
  if (info.role == Role::kMaster) {
    on_role_master(instance, now);
  } else {
    on_role_replica(instance, now);
  }
}

void Sentinel::on_role_master(Instance& replica, const Now& now) {
  if (replica.promoted) {
    if (state_ != FailoverState::kWaitPromotion) return;
    // The promotion is a fact now: the configuration takes the epoch of the election, which is
    // newer than what anyone else has, and goes out with the next hellos.
    config_epoch_ = failover_epoch_;
    enter_state(FailoverState::kReconfReplicas, now.ms);
    tell(SentinelEventKind::kPromotedReplica, now.at, replica.peer);
    publish_soon();
    return;
  }
  if (master_looks_sane(now.ms) && not_down_for(replica, kRoleMismatchMs, now.ms) &&
      now.ms - replica.role_since_ms > kRoleMismatchMs && replica.link.command_open) {
    send(replica, SlaveOf{master_.peer.node()}, now);
    tell(SentinelEventKind::kConvertToReplica, now.at, replica.peer);
  }
}

void Sentinel::on_role_replica(Instance& replica, const Now& now) {
  if (replica.follows != master_.peer.node() && master_looks_sane(now.ms) &&
      not_down_for(replica, config_.failover_timeout_ms, now.ms) &&
      now.ms - replica.follows_since_ms > config_.failover_timeout_ms &&
      replica.link.command_open) {
    send(replica, SlaveOf{master_.peer.node()}, now);
    tell(SentinelEventKind::kFixReplica, now.at, replica.peer);
  }
  const Instance* chosen = promoted();
  if (chosen == nullptr) return;
  if (replica.reconfiguration == Reconfiguration::kSent && replica.follows == chosen->peer.node()) {
    replica.reconfiguration = Reconfiguration::kInProgress;
  }
  if (replica.reconfiguration == Reconfiguration::kInProgress && replica.master_link_up) {
    replica.reconfiguration = Reconfiguration::kDone;
    tell(SentinelEventKind::kReconfigurationDone, now.at, replica.peer);
  }
}

bool Sentinel::master_looks_sane(std::int64_t now_ms) const {
  return master_.role == Role::kMaster && !master_.down && !objectively_down_ &&
         now_ms - master_.info_ms < 2 * kInfoPeriodMs;
}

void Sentinel::on_hello(const Hello& hello, const Now& now) {
  meet_sentinel(hello.from, now.ms);
  enter_epoch(hello.current_epoch, now);
  if (hello.config_epoch <= config_epoch_) return;
  config_epoch_ = hello.config_epoch;
  if (hello.master != master_.peer.node()) switch_master(hello.master, now);
}

void Sentinel::publish_soon() {
  const auto hurry = [](Instance& instance) { instance.published_ms -= kPublishPeriodMs + 1; };
  hurry(master_);
  for (Instance& replica : replicas_) hurry(replica);
  for (Instance& other : sentinels_) hurry(other);
}

}  // namespace locklapse::redis
