// Contenders for one lock in a small world, and what they did.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/locks/contender.h"
#include "sim/locks/strategy.h"
#include "tests/world/small_world.h"

namespace locklapse {

class LockWorld : public SmallWorld {
 public:
  explicit LockWorld(std::string_view strategy) : strategy_(*find_strategy(strategy)) {}

  // A plan with the strategy's own token scope and renewals, a TTL of one second, and no retry.
  ContenderPlan plan(Duration at, Duration work) const {
    ContenderPlan plan;
    plan.at = at;
    plan.work = work;
    plan.token_scope = strategy_.info().token_scope;
    plan.token = "locked";
    plan.process_name = "p";
    plan.ttl_ms = plan.renewal_ttl_ms = 1000;
    plan.renewal.enabled = strategy_.info().renews;
    plan.renewal.every = milliseconds(333);
    return plan;
  }
  Client& contender(std::string_view name, const ContenderPlan& plan, PlaceId process = 0,
                    const RequestPolicy& policy = {}) {
    Client& added = client(name, process, policy);
    contenders_.push_back(std::make_unique<Contender>(added, strategy_, plan));
    return added;
  }

  // The command lines of a phase, in the order they were sent.
  std::vector<std::string> commands(Phase phase) const {
    std::vector<std::string> lines;
    for (const Event& event : all(EventKind::kSent)) {
      if (event.phase == phase) lines.emplace_back(event.text);
    }
    return lines;
  }

 private:
  const Strategy& strategy_;
  std::vector<std::unique_ptr<Contender>> contenders_;
};

}  // namespace locklapse
