#include "sim/locks/strategy.h"

#include <utility>

#include "sim/locks/scripts.h"
#include "sim/locks/strategies.h"

namespace locklapse {

Released::Released(const Answer& answer, bool ours)
    : result(!answer.replied() ? ReleaseResult::kUnknown
             : ours            ? ReleaseResult::kReleased
                               : ReleaseResult::kRefused),
      reply(answer.reply, frame_memory()) {}

Task<Renewed> Strategy::renew(Redis redis, const Claim& claim) const {
  const Answer answer = co_await redis.eval(scripts::kCompareAndExpire, claim.key, claim.token,
                                            claim.renewal_ttl_ms);
  if (!answer.replied()) co_return Renewed::kUnknown;
  if (answer.is_integer(1)) co_return Renewed::kRenewed;
  co_return Renewed::kLost;
}

Task<> Strategy::subscribe(Redis, const Claim&) const { co_return; }

const std::vector<const Strategy*>& all_strategies() {
  static const std::vector<const Strategy*> strategies = {
      &setnx_expire(), &set_del(),   &set_get_del(), &set_lua(), &watchdog(),  &watchdog_unowned(),
      &reentrant(),    &fenced(),    &set_own(),     &set_xx(),  &list_token(),
  };
  return strategies;
}

const Strategy* find_strategy(std::string_view name) {
  for (const Strategy* strategy : all_strategies()) {
    if (strategy->info().name == name) return strategy;
  }
  return nullptr;
}

}  // namespace locklapse
