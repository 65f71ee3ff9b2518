// maxmemory: how much a server keeps, and what it does when that is too little.
#pragma once

#include <cstddef>
#include <cstdint>

namespace locklapse::redis {

enum class EvictionPolicy : std::uint8_t {
  kVolatileLru,
  kVolatileLfu,
  kVolatileRandom,
  kVolatileTtl,
  kAllKeysLru,
  kAllKeysLfu,
  kAllKeysRandom,
  kNoEviction,
};

// Who says which of `count` candidates a random policy takes. Without one it is the first, in order
// of the keyspace.
struct EvictionPick {
  std::size_t (*pick)(void* who, std::size_t count) = nullptr;
  void* who = nullptr;
};

struct MemoryConfig {
  std::int64_t max_bytes = 0;  // 0: no limit
  EvictionPolicy policy = EvictionPolicy::kNoEviction;
  EvictionPick pick = {};
};

}  // namespace locklapse::redis
