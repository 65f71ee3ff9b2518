// What set-lua and its descendants share: SET NX PX with a token, released by compare-and-delete.
#pragma once

#include "sim/locks/strategies.h"

namespace locklapse {

class TokenStrategy : public Strategy {
 public:
  Task<Acquired> acquire(Redis redis, const Claim& claim) const override;
  Task<Released> release(Redis redis, const Claim& claim) const override;
};

}  // namespace locklapse
