// Whether this node serves a command, and who does if it does not.
#include "sim/redis/cluster.h"

namespace locklapse::redis {

using namespace cluster;  // NOLINT: the vocabulary of this class

Routing ClusterNode::route(std::span<const std::string_view> keys, RouteFlags flags) const {
  if (keys.empty()) return {};
  Routing routing;
  routing.slot = key_slot(keys.front());
  const RangeId range = config_.layout.range_of(routing.slot);
  const NodeId owner = owners_[index(range)];
  const auto refuse = [&](Verdict verdict) {
    routing.verdict = verdict;
    return routing;
  };
  const auto redirect = [&](Verdict verdict, NodeId to) {
    routing.to = to;
    return refuse(verdict);
  };

  if (owner == kNoNode) return refuse(Verdict::kNotServed);
  const bool migrating = owner == config_.id && migrating_to_[index(range)] != kNoNode;
  const bool importing = !migrating && importing_from_[index(range)] != kNoNode;
  bool several = false;
  int missing = 0;
  int present = 0;
  for (const std::string_view key : keys) {
    if (key != keys.front()) {
      if (key_slot(key) != routing.slot) return refuse(Verdict::kCrossSlot);
      several = true;
    }
    if (migrating || importing) ++(server_.has_key(key) ? present : missing);
  }
  if (!up_) {
    if (!config_.allow_reads_when_down) return refuse(Verdict::kDown);
    if (flags.writes) return refuse(Verdict::kDownForWrites);
  }
  if (migrating && missing > 0) {
    if (present > 0) return refuse(Verdict::kTryAgain);
    return redirect(Verdict::kAsk, migrating_to_[index(range)]);
  }
  if (importing && flags.asking) {
    return several && missing > 0 ? refuse(Verdict::kTryAgain) : routing;
  }
  if (flags.read_only && !flags.writes && !is_master() && self().master == owner) return routing;
  return owner == config_.id ? routing : redirect(Verdict::kMoved, owner);
}

Routing ClusterNode::route_blocked(std::string_view key) const {
  Routing routing;
  routing.slot = key_slot(key);
  const RangeId range = config_.layout.range_of(routing.slot);
  routing.to = owners_[index(range)];
  if (!up_) {
    routing.verdict = Verdict::kDown;
  } else if (routing.to == kNoNode) {
    routing.verdict = Verdict::kNotServed;
  } else if (routing.to != config_.id && importing_from_[index(range)] == kNoNode) {
    routing.verdict = Verdict::kMoved;
  }
  return routing;
}

}  // namespace locklapse::redis
