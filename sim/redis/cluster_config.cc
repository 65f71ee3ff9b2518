// Who owns which slots, as this node believes.
#include "sim/redis/cluster.h"

namespace locklapse::redis {

using namespace cluster;  // NOLINT: the vocabulary of this class

void ClusterNode::give(RangeId range, NodeId owner) {
  NodeId& current = owners_[index(range)];
  if (current != kNoNode) peer(current).slots.remove(range);
  current = owner;
  if (owner != kNoNode) peer(owner).slots.add(range);
  not_claimed_.remove(range);
}

bool ClusterNode::unclaimed(RangeId range) const {
  return owners_[index(range)] == kNoNode || not_claimed_.contains(range);
}

// `node` claims `slots` since `epoch`. Newer claims win; whoever is left without slots by that
// follows the one who has them.
void ClusterNode::take_slots_config(NodeId node, std::uint64_t epoch, RangeSet slots,
                                    const Now& now) {
  if (node == config_.id) return;
  const NodeId my_master = is_master() ? config_.id : self().master;
  bool took_ours = false;
  RangeSet lost;
  for (const RangeId range : config_.layout.all()) {
    const NodeId owner = owners_[index(range)];
    if (!slots.contains(range)) {
      if (owner == node) not_claimed_.add(range);
      continue;
    }
    if (owner == node) {
      not_claimed_.remove(range);
      continue;
    }
    // An import is ended by hand.
    if (importing_from_[index(range)] != kNoNode) continue;
    if (!unclaimed(range) && peer(owner).config_epoch >= epoch) continue;
    if (owner == config_.id) lost.add(range);
    if (owner == my_master) took_ours = true;
    give(range, node);
    todo_.state = true;
  }
  if (took_ours && !peer(my_master).has_slots()) return become_replica_of(node, now);
  const NodeId grand_master = is_master() ? kNoNode : peer(self().master).master;
  if (grand_master != kNoNode && grand_master != config_.id) {
    return become_replica_of(grand_master, now);
  }
  if (!lost.empty()) server_.drop_keys_of(lost, now.at);
}

void ClusterNode::become_replica_of(NodeId master, const Now& now) {
  if (is_master()) {
    migrating_to_.fill(kNoNode);
    importing_from_.fill(kNoNode);
  }
  self().master = master;
  todo_.state = true;
  tell(ClusterEventKind::kBecameReplica, now.at, master);
  server_.follow(master, now.at);
}

void ClusterNode::set_migrating(RangeId range, NodeId to) { migrating_to_[index(range)] = to; }
void ClusterNode::set_importing(RangeId range, NodeId from) {
  importing_from_[index(range)] = from;
}

void ClusterNode::set_owner(RangeId range, NodeId owner, WallTime at, Outbox& outbox) {
  const Now now{at, at.ms(), outbox};
  migrating_to_[index(range)] = kNoNode;
  const bool was_importing = importing_from_[index(range)] != kNoNode;
  give(range, owner);
  if (owner == config_.id && was_importing) {
    importing_from_[index(range)] = kNoNode;
    std::uint64_t newest = current_epoch_;
    for (const NodeId node : config_.nodes) {
      if (peer(node).config_epoch > newest) newest = peer(node).config_epoch;
    }
    // Without anyone's consent: no election could give the slot to another meanwhile.
    if (self().config_epoch == 0 || self().config_epoch != newest) {
      self().config_epoch = ++current_epoch_;
    }
    broadcast_pong(false, now);
  }
  todo_.state = true;
  finish(now);
}

}  // namespace locklapse::redis
