// set-lua: SET NX PX with a token, released by a compare-and-delete script. It never deletes another's
// lock; it cannot stop a holder that outlives its TTL.
#include "sim/locks/scripts.h"
#include "sim/locks/token_strategy.h"

namespace locklapse {

Task<Acquired> TokenStrategy::acquire(Redis redis, const Claim& claim) const {
  const Answer answer = co_await redis.set_nx(claim.key, claim.token, claim.ttl_ms);
  co_return Acquired(grant_of(answer));
}

Task<Released> TokenStrategy::release(Redis redis, const Claim& claim) const {
  const Answer answer = co_await redis.eval(scripts::kCompareAndDelete, claim.key, claim.token);
  co_return Released(answer, answer.is_integer(1));
}

namespace {

class SetLua final : public TokenStrategy {
 public:
  const StrategyInfo& info() const override {
    static const StrategyInfo info{
        .name = "set-lua",
        .meaning = "SET NX PX with a token; released by a compare-and-delete script",
        .assumes = "nobody outlives its TTL",
    };
    return info;
  }
};

}  // namespace

const Strategy& set_lua() {
  static const SetLua strategy;
  return strategy;
}

}  // namespace locklapse
