#include "sim/locks/lock.h"

#include <utility>

#include "sim/locks/scripts.h"
#include "sim/locks/strategies.h"

namespace locklapse {

Released::Released(const Answer& answer, bool ours)
    : result(!answer.replied() ? ReleaseResult::kUnknown
             : ours            ? ReleaseResult::kReleased
                               : ReleaseResult::kRefused),
      reply(answer.reply, frame_memory()) {}

Task<Renewed> Lock::renew(Redis redis, const Claim& claim) const {
  const Answer answer = co_await redis.eval(scripts::kCompareAndExpire, claim.key, claim.token,
                                            claim.renewal_ttl_ms);
  if (!answer.replied()) co_return Renewed::kUnknown;
  if (answer.is_integer(1)) co_return Renewed::kRenewed;
  co_return Renewed::kLost;
}

Task<> Lock::subscribe(Redis, const Claim&) const { co_return; }

const std::vector<const Lock*>& all_locks() {
  static const std::vector<const Lock*> locks = {
      &setnx_expire(), &set_del(),   &set_get_del(), &set_lua(), &watchdog(),  &watchdog_unowned(),
      &reentrant(),    &fenced(),    &set_own(),     &set_xx(),  &list_token(),
  };
  return locks;
}

const Lock* find_lock(std::string_view name) {
  for (const Lock* lock : all_locks()) {
    if (lock->info().name == name) return lock;
  }
  return nullptr;
}

}  // namespace locklapse
