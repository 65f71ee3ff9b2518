// fenced: set-lua, and in the same script a counter. Its number goes along to the resource, which can
// refuse whoever comes with an older one.
#include <string>

#include "sim/locks/token_strategy.h"

namespace locklapse {

namespace {

// KEYS[1] key, KEYS[2] counter, ARGV[1] token, ARGV[2] ms (0: no TTL). The number, or nil when taken.
constexpr Script kTakeAndCount{"take-and-count", R"(
local taken
if ARGV[2] == '0' then
  taken = redis.call('set', KEYS[1], ARGV[1], 'NX')
else
  taken = redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
end
if taken then
  return redis.call('incr', KEYS[2])
end
return false
)"};

class Fenced final : public TokenStrategy {
 public:
  const StrategyInfo& info() const override {
    static const StrategyInfo info{
        .name = "fenced",
        .meaning = "set-lua with a counter raised in the same script: a fence number for the resource",
        .assumes = "the resource checks the number (guard fence); by itself no more than set-lua",
    };
    return info;
  }

  Task<Acquired> acquire(Redis redis, const Claim& claim) const override {
    std::pmr::string counter(claim.key, frame_memory());
    counter += ":fence";
    const Answer answer =
        co_await redis.eval2(kTakeAndCount, claim.key, counter, claim.token, claim.ttl_ms);
    if (!answer.replied()) co_return Acquired(Grant::kUnknown);
    if (answer.reply.type() != redis::Reply::Type::kInteger) co_return Acquired(Grant::kRefused);
    co_return Acquired(Grant::kGranted, answer.reply.integer());
  }
};

}  // namespace

const Strategy& fenced() {
  static const Fenced strategy;
  return strategy;
}

}  // namespace locklapse
