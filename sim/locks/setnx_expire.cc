// setnx-expire: SETNX, then PEXPIRE, then a plain DEL. A crash between the first two leaves a key for ever.
#include "sim/locks/strategies.h"

namespace locklapse {

namespace {

class SetnxExpire final : public Strategy {
 public:
  const StrategyInfo& info() const override {
    static const StrategyInfo info{
        .name = "setnx-expire",
        .meaning = "SETNX, then PEXPIRE in a second command; released by a plain DEL",
        .assumes = "nobody crashes between the two commands and nobody outlives its TTL",
        .token_scope = TokenScope::kConstant,
    };
    return info;
  }

  Task<Acquired> acquire(Redis redis, const Claim& claim) const override {
    const Answer taken = co_await redis.setnx(claim.key, claim.token);
    const Grant grant = grant_of(taken);
    if (grant != Grant::kGranted) co_return Acquired(grant);
    if (claim.ttl_ms > 0) co_await redis.pexpire(claim.key, claim.ttl_ms);
    co_return Acquired(Grant::kGranted);
  }

  Task<Released> release(Redis redis, const Claim& claim) const override {
    const Answer answer = co_await redis.del(claim.key);
    co_return Released(answer, answer.is_integer(1));
  }
};

}  // namespace

const Strategy& setnx_expire() {
  static const SetnxExpire strategy;
  return strategy;
}

}  // namespace locklapse
