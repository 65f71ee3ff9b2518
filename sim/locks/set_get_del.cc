// set-get-del: a token of one's own, checked by GET before DEL. The key can change hands between the two.
#include "sim/locks/strategies.h"

namespace locklapse {

namespace {

class SetGetDel final : public Strategy {
 public:
  const StrategyInfo& info() const override {
    static const StrategyInfo info{
        .name = "set-get-del",
        .meaning = "SET NX PX with a token; released by GET, compare in the client, DEL",
        .assumes = "the key does not change hands between GET and DEL, and nobody outlives its TTL",
    };
    return info;
  }

  Task<Acquired> acquire(Redis redis, const Claim& claim) const override {
    const Answer answer = co_await redis.set_nx(claim.key, claim.token, claim.ttl_ms);
    co_return Acquired(grant_of(answer));
  }

  Task<Released> release(Redis redis, const Claim& claim) const override {
    const Answer owner = co_await redis.get(claim.key);
    if (!owner.replied() || owner.reply.text() != claim.token) co_return Released(owner, false);
    const Answer deleted = co_await redis.del(claim.key);
    co_return Released(deleted, deleted.is_integer(1));
  }
};

}  // namespace

const Strategy& set_get_del() {
  static const SetGetDel strategy;
  return strategy;
}

}  // namespace locklapse
