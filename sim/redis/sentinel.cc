// Whom a sentinel watches, and its timer.
#include "sim/redis/sentinel.h"

#include <algorithm>

#include "sim/redis/sentinel_times.h"

namespace locklapse::redis {

using namespace sentinel;  // NOLINT: the vocabulary of this class

const char* name_of(SentinelEventKind kind) {
  switch (kind) {
    case SentinelEventKind::kSubjectivelyDown:
      return "+sdown";
    case SentinelEventKind::kSubjectivelyUp:
      return "-sdown";
    case SentinelEventKind::kObjectivelyDown:
      return "+odown";
    case SentinelEventKind::kObjectivelyUp:
      return "-odown";
    case SentinelEventKind::kNewEpoch:
      return "+new-epoch";
    case SentinelEventKind::kTryFailover:
      return "+try-failover";
    case SentinelEventKind::kVote:
      return "+vote-for-leader";
    case SentinelEventKind::kElectedLeader:
      return "+elected-leader";
    case SentinelEventKind::kNotElected:
      return "-failover-abort-not-elected";
    case SentinelEventKind::kSelectedReplica:
      return "+selected-slave";
    case SentinelEventKind::kNoGoodReplica:
      return "-failover-abort-no-good-slave";
    case SentinelEventKind::kReplicaTimeout:
      return "-failover-abort-slave-timeout";
    case SentinelEventKind::kPromotionSent:
      return "+failover-state-wait-promotion";
    case SentinelEventKind::kPromotedReplica:
      return "+promoted-slave";
    case SentinelEventKind::kReconfigurationSent:
      return "+slave-reconf-sent";
    case SentinelEventKind::kReconfigurationDone:
      return "+slave-reconf-done";
    case SentinelEventKind::kFailoverEnd:
      return "+failover-end";
    case SentinelEventKind::kFailoverEndTimeout:
      return "+failover-end-for-timeout";
    case SentinelEventKind::kSwitchMaster:
      return "+switch-master";
    case SentinelEventKind::kConvertToReplica:
      return "+convert-to-slave";
    case SentinelEventKind::kFixReplica:
      return "+fix-slave-config";
    case SentinelEventKind::kReboot:
      return "+reboot";
    case SentinelEventKind::kTilt:
      return "+tilt";
    case SentinelEventKind::kTiltEnd:
      return "-tilt";
  }
  return "";
}

Sentinel::Sentinel(std::pmr::memory_resource& memory, const SentinelConfig& config,
                   JitterSource jitter, SentinelObserver* observer)
    : config_(config),
      jitter_(jitter),
      observer_(observer),
      replicas_(&memory),
      sentinels_(&memory) {
  master_.peer = peer(config.master);
  for (const NodeId node : config.known_replicas) meet_replica(node, 0);
  for (const SentinelId id : config.known_sentinels) meet_sentinel(id, 0);
}

Instance Sentinel::make_instance(Peer who, std::int64_t now_ms) const {
  Instance instance;
  instance.peer = who;
  instance.role = who == master_.peer ? Role::kMaster : Role::kReplica;
  instance.role_since_ms = instance.follows_since_ms = now_ms;
  instance.published_ms = instance.said_ms = now_ms;
  instance.link.ping_waits_since_ms = now_ms;
  instance.link.available_ms = instance.link.answered_ms = now_ms;
  return instance;
}

void Sentinel::start(WallTime now) {
  // From the promoted replica's first INFO as a master on, the file names it as the master.
  if (const NodeId current = master_address(); current != master_.peer.node()) {
    promoted()->peer = master_.peer;
    master_.peer = peer(current);
  }
  for (Instance& replica : replicas_) replica = make_instance(replica.peer, now.ms());
  for (Instance& other : sentinels_) other = make_instance(other.peer, now.ms());
  master_ = make_instance(master_.peer, now.ms());
  tilt_ = objectively_down_ = forced_ = false;
  failover_start_ms_ = 0;
  vote_ = kNoSentinel;
  enter_state(FailoverState::kNone, now.ms());
  previous_tick_ms_ = now.ms();
  next_tick_in_ = config_.first_tick_after;
}

Instance* Sentinel::find(Peer who) {
  if (who == master_.peer) return &master_;
  std::pmr::vector<Instance>& group = who.is_sentinel ? sentinels_ : replicas_;
  const auto found = std::find_if(group.begin(), group.end(),
                                  [&](const Instance& instance) { return instance.peer == who; });
  return found == group.end() ? nullptr : &*found;
}

Instance* Sentinel::promoted() {
  const auto found = std::find_if(replicas_.begin(), replicas_.end(),
                                  [](const Instance& replica) { return replica.promoted; });
  return found == replicas_.end() ? nullptr : &*found;
}

void Sentinel::meet_replica(NodeId node, std::int64_t now_ms) {
  if (find(peer(node)) == nullptr) replicas_.push_back(make_instance(peer(node), now_ms));
}

void Sentinel::meet_sentinel(SentinelId id, std::int64_t now_ms) {
  if (id == config_.id || find(peer(id)) != nullptr) return;
  sentinels_.push_back(make_instance(peer(id), now_ms));
}

NodeId Sentinel::master_address() const {
  if (state_ >= FailoverState::kReconfReplicas) {
    for (const Instance& replica : replicas_) {
      if (replica.promoted) return replica.peer.node();
    }
  }
  return master_.peer.node();
}

void Sentinel::check_tilt(const Now& now) {
  const std::int64_t passed_ms = now.ms - previous_tick_ms_;
  if (passed_ms < 0 || passed_ms > kTiltTriggerMs) {
    tilt_ = true;
    tilt_since_ms_ = now.ms;
    tell(SentinelEventKind::kTilt, now.at, {});
  }
  previous_tick_ms_ = now.ms;
}

void Sentinel::handle(Instance& instance, const Now& now) {
  reconnect(instance, now);
  send_periodic(instance, now);
  if (tilt_) {
    if (now.ms - tilt_since_ms_ < kTiltMs) return;
    tilt_ = false;
    tell(SentinelEventKind::kTiltEnd, now.at, {});
  }
  renew_stale_links(instance, now);
  check_subjectively_down(instance, now);
  if (&instance != &master_) return;
  check_objectively_down(now);
  if (start_failover_if_needed(now)) ask_others(true, now);
  step_failover(now);
  ask_others(false, now);
}

void Sentinel::wake(WallTime at, Outbox& outbox) {
  const Now now{at, at.ms(), outbox};
  check_tilt(now);
  handle(master_, now);
  for (Instance& replica : replicas_) handle(replica, now);
  for (Instance& other : sentinels_) handle(other, now);
  if (state_ == FailoverState::kUpdateConfig) {
    const Instance* replica = promoted();
    switch_master(replica == nullptr ? master_.peer.node() : replica->peer.node(), now);
  }
  const std::uint32_t hz = kTimerHz + jitter_(JitterKind::kTimerPeriod, kTimerHz);
  next_tick_in_ = milliseconds(1'000 / hz);
}

void Sentinel::receive(const Packet& packet, WallTime at, Outbox& outbox) {
  const Now now{at, at.ms(), outbox};
  const bool request = std::holds_alternative<Ping>(packet.body) ||
                       std::holds_alternative<Publish>(packet.body) ||
                       std::holds_alternative<IsMasterDown>(packet.body);
  if (request) return serve(packet, now);

  Instance* const instance = find(packet.peer);
  if (instance == nullptr) return;
  Link& link = instance->link;
  const bool command = packet.channel == Channel::kCommand;
  const bool current = command ? link.command_open && link.command == packet.connection
                               : link.pubsub_open && link.pubsub == packet.connection;
  if (!current) return;
  if (std::holds_alternative<LinkDown>(packet.body)) return on_link_down(*instance, packet.channel);
  if (const auto* heard = std::get_if<Heard>(&packet.body)) {
    link.pubsub_heard_ms = now.ms;
    if (heard->hello.from != config_.id) on_hello(heard->hello, now);
    return;
  }
  --link.unanswered;
  if (const auto* pong = std::get_if<Pong>(&packet.body)) {
    on_pong(*instance, pong->reply, now);
  } else if (const auto* info = std::get_if<InfoReply>(&packet.body)) {
    on_info(*instance, *info, now);
  } else if (const auto* published = std::get_if<Published>(&packet.body)) {
    if (published->accepted) instance->published_ms = now.ms;
  } else if (const auto* reply = std::get_if<MasterDownReply>(&packet.body)) {
    on_master_down_reply(*instance, *reply, now);
  }
}

void Sentinel::tell(SentinelEventKind kind, WallTime at, Peer about) const {
  if (observer_ == nullptr) return;
  // A leader acts in the epoch of its own attempt, though others may have gone on to a newer one.
  const bool elected = kind == SentinelEventKind::kElectedLeader;
  observer_->on_sentinel_event({.kind = kind,
                                .by = config_.id,
                                .at = at,
                                .about = about,
                                .leader = kind == SentinelEventKind::kVote ? vote_ : kNoSentinel,
                                .epoch = elected ? failover_epoch_ : current_epoch_});
}

}  // namespace locklapse::redis
