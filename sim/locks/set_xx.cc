// set-xx: SET NX PX; renewed and released early by SET XX, which overwrites whoever owns the key by then;
// released in time by a plain DEL.
#include "sim/locks/strategies.h"

namespace locklapse {

namespace {

class SetXx final : public Strategy {
 public:
  const StrategyInfo& info() const override {
    static const StrategyInfo info{
        .name = "set-xx",
        .meaning = "SET NX PX; prolonged, or kept for a least time, by SET XX; released by a plain DEL",
        .assumes = "nobody outlives its TTL",
    };
    return info;
  }

  Task<Acquired> acquire(Redis redis, const Claim& claim) const override {
    const Answer answer = co_await redis.set_nx(claim.key, claim.token, claim.ttl_ms);
    co_return Acquired(grant_of(answer));
  }

  Task<Renewed> renew(Redis redis, const Claim& claim) const override {
    const Answer answer = co_await redis.set_xx(claim.key, claim.token, claim.renewal_ttl_ms);
    if (!answer.replied()) co_return Renewed::kUnknown;
    if (answer.is_ok()) co_return Renewed::kRenewed;
    co_return Renewed::kLost;
  }

  Task<Released> release(Redis redis, const Claim& claim) const override {
    if (claim.keep_ms > 0) {
      const Answer kept = co_await redis.set_xx(claim.key, claim.token, claim.keep_ms);
      co_return Released(kept, kept.is_ok());
    }
    const Answer answer = co_await redis.del(claim.key);
    co_return Released(answer, answer.is_integer(1));
  }
};

}  // namespace

const Strategy& set_xx() {
  static const SetXx strategy;
  return strategy;
}

}  // namespace locklapse
