// What the keys of a server take of its memory, and which of them goes when that is too much.
//
// The account is simple on purpose, so that a scenario can be reckoned on paper and comes out the
// same everywhere: for each key the bytes of its name and of its value, 16 more for each element of a
// collection, and kKeyBytes. A real server counts what its allocator hands out.
//
// Deviations from a real server: LRU and LFU look at every key and not at a sample of five, by the
// order of accesses and their exact number, without clock resolution and decay. Accounts are kept
// only while there is a limit, so that nobody else pays for them; keys that were never touched since
// count as oldest, in order of the keyspace.
#pragma once

#include <cstdint>

#include "sim/redis/keyspace.h"
#include "sim/redis/memory_config.h"

namespace locklapse::redis {

inline constexpr std::int64_t kKeyBytes = 64;
inline constexpr std::int64_t kElementBytes = 16;

std::int64_t bytes_of(const Keyspace::Key& key);
std::int64_t bytes_of(const Keyspace& keys);

class MemoryAccount {
 public:
  MemoryAccount(Keyspace& keys, const MemoryConfig& config) : keys_(keys), config_(config) {}

  bool limited() const { return config_.max_bytes > 0; }
  bool over() const { return used_ > config_.max_bytes; }
  std::int64_t used() const { return limited() ? used_ : bytes_of(keys_); }
  // The limit or the keys are not what they were: counts anew.
  void recount();

  // REQUIRES, for all of these: limited().
  void touched(Keyspace::Key& key);
  void changed(Keyspace::Key& key);
  void removed(const Keyspace::Key& key) { used_ -= key.second.bytes; }
  // The key that the policy gives up first, or null where it has none to give.
  Keyspace::Key* victim();

 private:
  Keyspace& keys_;
  const MemoryConfig& config_;
  std::int64_t used_ = 0;
  std::uint64_t accesses_ = 0;
};

}  // namespace locklapse::redis
