// What a cluster node makes of the messages of others.
#include "sim/redis/cluster.h"

namespace locklapse::redis {

using namespace cluster;  // NOLINT: the vocabulary of this class

void ClusterNode::on_message(NodeId sender, const Packet& packet, const Message& message,
                             const Now& now) {
  Peer& from = peer(sender);
  from.data_ms = now.ms;
  if (message.current_epoch > current_epoch_) current_epoch_ = message.current_epoch;
  if (message.config_epoch > from.config_epoch) from.config_epoch = message.config_epoch;
  from.offset = message.offset;
  switch (message.kind) {
    case MessageKind::kPing:
      now.outbox.push_back({sender, true, packet.connection, make_ping(MessageKind::kPong)});
      return on_ping_or_pong(sender, packet, message, now);
    case MessageKind::kPong:
      return on_ping_or_pong(sender, packet, message, now);
    case MessageKind::kFail:
      if (message.about != config_.id && !peer(message.about).failing) {
        set_failing(message.about, now);
      }
      return;
    case MessageKind::kVoteRequest:
      return vote_if_right(sender, message, now);
    case MessageKind::kVote:
      if (from.is_master() && from.has_slots() && message.current_epoch >= election_epoch_) {
        ++votes_;
        todo_.failover = true;
      }
      return;
    case MessageKind::kUpdate:
      return on_update(message, now);
  }
}

void ClusterNode::on_ping_or_pong(NodeId sender, const Packet& packet, const Message& message,
                                  const Now& now) {
  Peer& from = peer(sender);
  from.no_failover = message.no_failover;
  if (packet.on_receivers_link) note_pong(sender, now);
  note_role(sender, message.master);
  note_slots(sender, message, now);
  resolve_collision(sender, message.config_epoch);
  on_gossip(sender, message.gossip, now);
}

void ClusterNode::note_pong(NodeId sender, const Now& now) {
  Peer& from = peer(sender);
  from.pong_ms = now.ms;
  from.ping_sent_ms = 0;
  if (from.maybe_failing) {
    from.maybe_failing = false;
    todo_.state = true;
    tell(ClusterEventKind::kReachable, now.at, sender);
  } else if (from.failing) {
    clear_failing_if_due(sender, now);
  }
}

void ClusterNode::note_role(NodeId sender, NodeId master) {
  Peer& from = peer(sender);
  if (from.master == master) return;
  if (from.is_master()) {
    for (const RangeId range : from.slots) give(range, kNoNode);
  }
  if (from.is_master() != (master == kNoNode)) todo_.state = true;
  from.master = master;
}

void ClusterNode::note_slots(NodeId sender, const Message& message, const Now& now) {
  const NodeId claimant = peer(sender).is_master() ? sender : peer(sender).master;
  if (peer(claimant).slots == message.slots) return;
  if (claimant == sender) take_slots_config(sender, message.config_epoch, message.slots, now);
  // Whoever claims what a newer configuration has given to another is told so.
  for (const RangeId range : message.slots) {
    const NodeId owner = owners_[index(range)];
    if (owner == sender || unclaimed(range)) continue;
    if (peer(owner).config_epoch <= message.config_epoch) continue;
    Message update = make_message(MessageKind::kUpdate);
    update.about = owner;
    update.about_epoch = peer(owner).config_epoch;
    for (const RangeId owned : peer(owner).slots) {
      if (!not_claimed_.contains(owned)) update.about_slots.add(owned);
    }
    send(sender, update, now);
    break;
  }
}

// Two masters with one epoch: the one with the smaller number takes a new one.
void ClusterNode::resolve_collision(NodeId sender, std::uint64_t config_epoch) {
  if (!is_master() || !peer(sender).is_master()) return;
  if (config_epoch != self().config_epoch || peer(sender).config_epoch != self().config_epoch)
    return;
  if (sender <= config_.id) return;
  self().config_epoch = ++current_epoch_;
}

void ClusterNode::on_gossip(NodeId sender, const Gossip& gossip, const Now& now) {
  const bool counts = peer(sender).is_master();
  for (int i = 0; i < gossip.alive_count; ++i) {
    const auto [node, pong_s] = gossip.alive[static_cast<std::size_t>(i)];
    if (node == config_.id) continue;
    if (counts) report(node, sender) = 0;
    Peer& each = peer(node);
    if (each.ping_sent_ms != 0 || count_reports(node, now.ms) != 0) continue;
    // Another has heard of it; a clock ahead of ours by more than this is not believed.
    constexpr std::int64_t kToleranceMs = 500;
    const std::int64_t pong_ms = pong_s * 1'000;
    if (pong_ms <= now.ms + kToleranceMs && pong_ms > each.pong_ms) each.pong_ms = pong_ms;
  }
  if (!counts) return;
  for (const NodeId node : gossip.failing) {
    if (node == config_.id) continue;
    report(node, sender) = now.ms;
    mark_failing_if_agreed(node, now);
  }
}

void ClusterNode::on_update(const Message& message, const Now& now) {
  Peer& about = peer(message.about);
  if (about.config_epoch >= message.about_epoch) return;
  if (message.about != config_.id && !about.is_master()) note_role(message.about, kNoNode);
  about.config_epoch = message.about_epoch;
  take_slots_config(message.about, message.about_epoch, message.about_slots, now);
}

}  // namespace locklapse::redis
