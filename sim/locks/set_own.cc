// set-own: a script that takes the lock when it is free or already carries our token. A resent acquire is
// harmless; a token shared by a whole process lets its threads take each other's lock.
#include "sim/locks/token_strategy.h"

namespace locklapse {

namespace {

// KEYS[1] key, ARGV[1] token, ARGV[2] ms (0: no TTL). 1: taken (again); 0: somebody else's.
constexpr Script kTakeOrKeep{"take-or-keep", R"(
local owner = redis.call('get', KEYS[1])
if owner and owner ~= ARGV[1] then
  return 0
end
if ARGV[2] == '0' then
  redis.call('set', KEYS[1], ARGV[1])
else
  redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 1
)"};

class SetOwn final : public TokenStrategy {
 public:
  const StrategyInfo& info() const override {
    static const StrategyInfo info{
        .name = "set-own",
        .meaning = "a script that sets a missing or own key; the token names the process",
        .assumes = "nobody outlives its TTL, and threads of one process exclude each other by themselves",
        .token_scope = TokenScope::kPerProcess,
    };
    return info;
  }

  Task<Acquired> acquire(Redis redis, const Claim& claim) const override {
    const Answer answer = co_await redis.eval(kTakeOrKeep, claim.key, claim.token, claim.ttl_ms);
    co_return Acquired(grant_of(answer));
  }
};

}  // namespace

const Strategy& set_own() {
  static const SetOwn strategy;
  return strategy;
}

}  // namespace locklapse
