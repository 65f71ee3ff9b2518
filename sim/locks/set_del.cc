// set-del: SET NX PX with a fixed value, released by a plain DEL. The DEL removes whatever is there.
#include "sim/locks/strategies.h"

namespace locklapse {

namespace {

class SetDel final : public Strategy {
 public:
  const StrategyInfo& info() const override {
    static const StrategyInfo info{
        .name = "set-del",
        .meaning = "SET NX PX with a fixed value; released by a plain DEL, whoever owns the key",
        .assumes = "nobody outlives its TTL",
        .token_scope = TokenScope::kConstant,
    };
    return info;
  }

  Task<Acquired> acquire(Redis redis, const Claim& claim) const override {
    const Answer answer = co_await redis.set_nx(claim.key, claim.token, claim.ttl_ms);
    co_return Acquired(grant_of(answer));
  }

  Task<Released> release(Redis redis, const Claim& claim) const override {
    const Answer answer = co_await redis.del(claim.key);
    co_return Released(answer, answer.is_integer(1));
  }
};

}  // namespace

const Strategy& set_del() {
  static const SetDel strategy;
  return strategy;
}

}  // namespace locklapse
