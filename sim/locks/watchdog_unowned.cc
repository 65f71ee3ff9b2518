// watchdog-unowned: renews by a plain PEXPIRE. After a loss it prolongs the next owner's lock and never
// notices.
#include "sim/locks/token_strategy.h"

namespace locklapse {

namespace {

class WatchdogUnowned final : public TokenStrategy {
 public:
  const StrategyInfo& info() const override {
    static const StrategyInfo info{
        .name = "watchdog-unowned",
        .meaning = "like watchdog, but renews by a plain PEXPIRE without a token check",
        .assumes = "nobody ever loses the lock",
        .renews = true,
    };
    return info;
  }

  Task<Renewed> renew(Redis redis, const Claim& claim) const override {
    const Answer answer = co_await redis.pexpire(claim.key, claim.renewal_ttl_ms);
    if (!answer.replied()) co_return Renewed::kUnknown;
    if (answer.is_integer(1)) co_return Renewed::kRenewed;
    co_return Renewed::kLost;
  }
};

}  // namespace

const Strategy& watchdog_unowned() {
  static const WatchdogUnowned strategy;
  return strategy;
}

}  // namespace locklapse
