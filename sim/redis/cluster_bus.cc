// What a cluster node sends over the bus, and its connections.
#include <algorithm>

#include "sim/redis/cluster.h"

namespace locklapse::redis {

using namespace cluster;  // NOLINT: the vocabulary of this class

Message ClusterNode::make_message(MessageKind kind) const {
  Message message;
  message.kind = kind;
  message.master = self().master;
  message.no_failover = config_.replica_no_failover;
  message.current_epoch = current_epoch_;
  // A replica speaks for its master's slots.
  const Peer& claims = is_master() ? self() : peer(self().master);
  message.config_epoch = claims.config_epoch;
  message.slots = claims.slots;
  message.offset = server_.replication_offset();
  return message;
}

void ClusterNode::send(NodeId to, const Message& message, const Now& now) {
  const Peer& receiver = peer(to);
  if (receiver.linked) now.outbox.push_back({to, false, receiver.connection, message});
}

void ClusterNode::broadcast(const Message& message, const Now& now) {
  for (const NodeId node : config_.nodes) {
    if (node != config_.id) send(node, message, now);
  }
}

void ClusterNode::broadcast_pong(bool to_siblings_only, const Now& now) {
  for (const NodeId node : config_.nodes) {
    if (node == config_.id) continue;
    const NodeId followed = peer(node).master;
    const bool sibling =
        followed != kNoNode && (followed == config_.id || followed == self().master);
    if (to_siblings_only && !sibling) continue;
    send(node, make_ping(MessageKind::kPong), now);
  }
}

// Of some nodes that answer, each in turn, and of all that do not.
Message ClusterNode::make_ping(MessageKind kind) {
  Message message = make_message(kind);
  Gossip& gossip = message.gossip;
  const int wanted = std::min(std::max(3, config_.nodes.size() / 10), Gossip::kHeardMax);
  int mentioned = 0;
  for (std::size_t tried = 0; tried < peers_.size() && mentioned < wanted; ++tried) {
    const NodeId node{gossip_next_};
    gossip_next_ = static_cast<std::uint16_t>((gossip_next_ + 1U) % peers_.size());
    const Peer& each = peer(node);
    if (!each.known || node == config_.id || each.maybe_failing) continue;
    if (!each.linked && !each.has_slots()) continue;
    ++mentioned;
    if (each.failing) {
      gossip.failing.add(node);
    } else {
      gossip.alive[static_cast<std::size_t>(gossip.alive_count++)] = {node, each.pong_ms / 1'000};
    }
  }
  for (const NodeId node : config_.nodes) {
    if (peer(node).maybe_failing) gossip.failing.add(node);
  }
  return message;
}

void ClusterNode::send_ping(NodeId to, const Now& now) {
  peer(to).ping_sent_ms = now.ms;
  send(to, make_ping(MessageKind::kPing), now);
}

void ClusterNode::connect(NodeId to, const Now& now) {
  Peer& other = peer(to);
  other.linked = true;
  other.linked_since_ms = now.ms;
  other.connection = ++connections_;
  now.outbox.push_back({to, false, other.connection, Connect{}});
}

void ClusterNode::disconnect(NodeId from, const Now& now) {
  Peer& other = peer(from);
  now.outbox.push_back({from, false, other.connection, Close{}});
  other.linked = false;
}

void ClusterNode::ping_oldest(const Now& now) {
  NodeId oldest = kNoNode;
  for (const NodeId node : config_.nodes) {
    const Peer& each = peer(node);
    if (node == config_.id || !each.linked || each.ping_sent_ms != 0) continue;
    if (oldest == kNoNode || each.pong_ms < peer(oldest).pong_ms) oldest = node;
  }
  if (oldest != kNoNode) send_ping(oldest, now);
}

}  // namespace locklapse::redis
