// list-token: a list with one token is the free lock. BLPOP takes it, HSET notes by whom, LPUSH gives it
// back without asking whose it was. A crash between BLPOP and HSET loses the token for ever.
#include <string>

#include "sim/locks/strategies.h"

namespace locklapse {

namespace {

class ListToken final : public Strategy {
 public:
  const StrategyInfo& info() const override {
    static const StrategyInfo info{
        .name = "list-token",
        .meaning = "BLPOP of the one token in a list, then HSET of the taker; LPUSH gives it back",
        .assumes = "nobody crashes while holding, nor between the two commands; there is no TTL",
        .free_while_key_exists = true,
    };
    return info;
  }

  Task<Acquired> acquire(Redis redis, const Claim& claim) const override {
    std::pmr::string made(claim.key, frame_memory());
    made += ":made";
    std::pmr::string taken(claim.key, frame_memory());
    taken += ":taken";
    const Answer first = co_await redis.setnx(made, "1");
    if (!first.replied()) co_return Acquired(Grant::kUnknown);
    if (first.is_integer(1)) co_await redis.rpush(claim.key, "token");
    const Answer popped = co_await redis.blpop(claim.key, 1);
    if (!popped.replied()) co_return Acquired(Grant::kUnknown);
    if (popped.reply.is_null() || popped.reply.is_error()) co_return Acquired(Grant::kRefused);
    co_await redis.hset(taken, "token", claim.token);
    co_return Acquired(Grant::kGranted);
  }

  Task<Released> release(Redis redis, const Claim& claim) const override {
    std::pmr::string taken(claim.key, frame_memory());
    taken += ":taken";
    co_await redis.hdel(taken, "token");
    const Answer answer = co_await redis.lpush(claim.key, "token");
    co_return Released(answer, answer.replied() && !answer.reply.is_error());
  }
};

}  // namespace

const Strategy& list_token() {
  static const ListToken strategy;
  return strategy;
}

}  // namespace locklapse
