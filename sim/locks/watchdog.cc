// watchdog: set-lua, and a second thread of the same process that renews every TTL / 3, token checked.
// It stops at release, and tells the holder when a renewal finds the lock lost.
#include "sim/locks/token_strategy.h"

namespace locklapse {

namespace {

class Watchdog final : public TokenStrategy {
 public:
  const StrategyInfo& info() const override {
    static const StrategyInfo info{
        .name = "watchdog",
        .meaning = "set-lua, renewed every TTL/3 with a token check; the holder is told of a loss",
        .assumes = "the process is never stopped, nor cut off from Redis, for as long as the TTL",
        .renews = true,
    };
    return info;
  }
};

}  // namespace

const Strategy& watchdog() {
  static const Watchdog strategy;
  return strategy;
}

}  // namespace locklapse
