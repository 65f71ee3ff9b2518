// Scripts that more than one strategy uses.
#pragma once

#include "sim/world/command.h"

namespace locklapse::scripts {

// KEYS[1] key, ARGV[1] token. 1: deleted; 0: the key is gone or not ours.
inline constexpr Script kCompareAndDelete{"compare-and-delete", R"(
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('del', KEYS[1])
end
return 0
)"};

// KEYS[1] key, ARGV[1] token, ARGV[2] ms. 1: TTL set; 0: the key is gone or not ours.
inline constexpr Script kCompareAndExpire{"compare-and-expire", R"(
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('pexpire', KEYS[1], ARGV[2])
end
return 0
)"};

}  // namespace locklapse::scripts
