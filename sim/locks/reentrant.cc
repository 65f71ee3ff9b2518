// reentrant: a hash with one field, "process:thread", whose value is the hold count. Waiters sleep on a
// channel and are woken by the last release. Run twice by a resend, an acquire counts twice.
#include <string>

#include "sim/locks/strategies.h"

namespace locklapse {

namespace {

// KEYS[1] key, ARGV[1] field, ARGV[2] ms (0: no TTL). nil: taken (once more); else the TTL left in ms.
constexpr Script kEnter{"reentrant-enter", R"(
local held_by_other = redis.call('exists', KEYS[1]) == 1 and redis.call('hexists', KEYS[1], ARGV[1]) == 0
if held_by_other then
  return redis.call('pttl', KEYS[1])
end
redis.call('hincrby', KEYS[1], ARGV[1], 1)
if ARGV[2] ~= '0' then
  redis.call('pexpire', KEYS[1], ARGV[2])
end
return false
)"};

// KEYS[1] key, ARGV[1] field, ARGV[2] ms. nil: not ours; 0: still held; 1: free, waiters are woken.
constexpr Script kLeave{"reentrant-leave", R"(
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
  return false
end
if redis.call('hincrby', KEYS[1], ARGV[1], -1) > 0 then
  if ARGV[2] ~= '0' then
    redis.call('pexpire', KEYS[1], ARGV[2])
  end
  return 0
end
redis.call('del', KEYS[1])
redis.call('publish', KEYS[1] .. ':free', '1')
return 1
)"};

// KEYS[1] key, ARGV[1] field, ARGV[2] ms. 1: TTL set; 0: not ours.
constexpr Script kProlong{"reentrant-prolong", R"(
if redis.call('hexists', KEYS[1], ARGV[1]) == 1 then
  return redis.call('pexpire', KEYS[1], ARGV[2])
end
return 0
)"};

class Reentrant final : public Strategy {
 public:
  const StrategyInfo& info() const override {
    static const StrategyInfo info{
        .name = "reentrant",
        .meaning = "a hash with a hold count per process:thread, TTL, wake-up of waiters by pub/sub",
        .assumes = "nobody outlives its TTL, no acquire is executed twice, threads are not mistaken",
        .token_scope = TokenScope::kPerThread,
    };
    return info;
  }

  Task<Acquired> acquire(Redis redis, const Claim& claim) const override {
    const Answer answer = co_await redis.eval(kEnter, claim.key, claim.token, claim.ttl_ms);
    if (!answer.replied()) co_return Acquired(Grant::kUnknown);
    if (answer.reply.is_null()) co_return Acquired(Grant::kGranted);
    if (answer.reply.is_error()) co_return Acquired(Grant::kRefused);
    co_return Acquired(Grant::kRefused, 0, answer.reply.integer());
  }

  Task<Renewed> renew(Redis redis, const Claim& claim) const override {
    const Answer answer = co_await redis.eval(kProlong, claim.key, claim.token, claim.renewal_ttl_ms);
    if (!answer.replied()) co_return Renewed::kUnknown;
    if (answer.is_integer(1)) co_return Renewed::kRenewed;
    co_return Renewed::kLost;
  }

  Task<Released> release(Redis redis, const Claim& claim) const override {
    const Answer answer = co_await redis.eval(kLeave, claim.key, claim.token, claim.ttl_ms);
    co_return Released(answer, answer.is_integer(1) || answer.is_integer(0));
  }

  bool wakes_waiters() const override { return true; }

  Task<> subscribe(Redis redis, const Claim& claim) const override {
    std::pmr::string channel(claim.key, frame_memory());
    channel += ":free";
    co_await redis.subscribe(channel);
  }
};

}  // namespace

const Strategy& reentrant() {
  static const Reentrant strategy;
  return strategy;
}

}  // namespace locklapse
