// A lock protocol, written once: acquire, renew and release as plain code over Redis.
//
// A Strategy is stateless: everything about one acquisition is in its Claim, so one object serves every
// client of every run. The coroutines below are what production code would run; in the simulator their
// awaits are completed from the event queue.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/core/task.h"
#include "sim/core/time.h"
#include "sim/locks/redis.h"
#include "sim/world/requester.h"

namespace locklapse {

// One acquisition that a client is after or has.
struct Claim {
  std::string_view key;
  std::string_view token;
  std::int64_t ttl_ms = 0;            // 0: none
  std::int64_t renewal_ttl_ms = 0;    // what a renewal sets; may be 0 or less, as a mistaken caller has it
  std::int64_t keep_ms = 0;           // how long the key must still stay when released early (set-xx)
};

enum class Grant : std::uint8_t { kGranted, kRefused, kUnknown };

struct Acquired {
  explicit Acquired(Grant g, std::int64_t fence_number = 0, std::int64_t free_in = -1)
      : grant(g), fence(fence_number), free_in_ms(free_in) {}
  Grant grant;
  std::int64_t fence;         // 0: none
  std::int64_t free_in_ms;    // when refused: the TTL left on the key, if the protocol tells it; else -1
};

enum class Renewed : std::uint8_t { kRenewed, kLost, kUnknown };

enum class ReleaseResult : std::uint8_t { kReleased, kRefused, kUnknown };

struct Released {
  explicit Released(const Answer& answer, bool ours);
  ReleaseResult result;
  redis::Reply reply;
};

// Who a token names by default.
enum class TokenScope : std::uint8_t { kPerAttempt, kPerClient, kPerThread, kPerProcess, kConstant };

struct StrategyInfo {
  std::string_view name;
  std::string_view meaning;      // one line
  std::string_view assumes;      // what must hold for it to exclude others
  TokenScope token_scope = TokenScope::kPerAttempt;
  bool renews = false;           // by default
  bool free_while_key_exists = false;   // the key stands for a free lock, not for a taken one
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual const StrategyInfo& info() const = 0;

  // One try.
  virtual Task<Acquired> acquire(Redis redis, const Claim& claim) const = 0;
  // Prolongs the claim by its renewal_ttl_ms. The default compares the token first.
  virtual Task<Renewed> renew(Redis redis, const Claim& claim) const;
  virtual Task<Released> release(Redis redis, const Claim& claim) const = 0;

  // Whether waiters can be woken; if so they wait on this channel for at most the TTL that acquire told.
  virtual bool wakes_waiters() const { return false; }
  virtual Task<> subscribe(Redis redis, const Claim& claim) const;
};

// Every built-in strategy, in the order in which tables show them.
const std::vector<const Strategy*>& all_strategies();
// By name; null when there is none.
const Strategy* find_strategy(std::string_view name);

}  // namespace locklapse
