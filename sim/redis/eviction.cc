#include "sim/redis/eviction.h"

#include <tuple>
#include <variant>

namespace locklapse::redis {

namespace {

std::int64_t bytes_of_text(std::size_t size) { return static_cast<std::int64_t>(size); }
std::int64_t bytes_of_element(std::size_t size) { return bytes_of_text(size) + kElementBytes; }

struct ValueBytes {
  std::int64_t operator()(const String& value) const { return bytes_of_text(value.size()); }
  std::int64_t operator()(const Hash& value) const {
    std::int64_t bytes = 0;
    for (const Hash::Field& field : value.fields()) {
      bytes += bytes_of_element(field.name.size() + field.value.size());
    }
    return bytes;
  }
  std::int64_t operator()(const List& value) const {
    std::int64_t bytes = 0;
    for (const auto& element : value) bytes += bytes_of_element(element.size());
    return bytes;
  }
  std::int64_t operator()(const SortedSet& value) const {
    std::int64_t bytes = 0;
    for (const SortedSet::Member& member : value.members()) {
      bytes += bytes_of_element(member.name.size()) + 8;
    }
    return bytes;
  }
  std::int64_t operator()(const Set& value) const {
    std::int64_t bytes = 0;
    for (const auto& member : value.members()) bytes += bytes_of_element(member.size());
    return bytes;
  }
};

bool takes_any_key(EvictionPolicy policy) {
  return policy == EvictionPolicy::kAllKeysLru || policy == EvictionPolicy::kAllKeysLfu ||
         policy == EvictionPolicy::kAllKeysRandom;
}
bool is_random(EvictionPolicy policy) {
  return policy == EvictionPolicy::kAllKeysRandom || policy == EvictionPolicy::kVolatileRandom;
}
bool counts_hits(EvictionPolicy policy) {
  return policy == EvictionPolicy::kAllKeysLfu || policy == EvictionPolicy::kVolatileLfu;
}

// Calls `visit` for every key that the policy may take, until it returns false.
template <typename Visit>
void for_each_candidate(const Keyspace& keys, bool any, Visit visit) {
  for (int db = 0; db < kDatabases; ++db) {
    for (const Keyspace::Key& key : keys.database(db)) {
      if ((any || key.second.deadline_ms != kNoDeadline) && !visit(key)) return;
    }
  }
}

}  // namespace

std::int64_t bytes_of(const Keyspace::Key& key) {
  return kKeyBytes + bytes_of_text(key.first.name.size()) +
         std::visit(ValueBytes{}, key.second.object.value);
}

std::int64_t bytes_of(const Keyspace& keys) {
  std::int64_t bytes = 0;
  for_each_candidate(keys, true, [&bytes](const Keyspace::Key& key) {
    bytes += bytes_of(key);
    return true;
  });
  return bytes;
}

void MemoryAccount::recount() {
  used_ = 0;
  if (!limited()) return;
  for_each_candidate(keys_, true, [this](const Keyspace::Key& key) {
    Keyspace::Record& record = keys_.find(key.second.db, key.first.name)->second;
    record.bytes = bytes_of(key);
    used_ += record.bytes;
    return true;
  });
}

void MemoryAccount::touched(Keyspace::Key& key) {
  key.second.accessed = ++accesses_;
  ++key.second.hits;
}

void MemoryAccount::changed(Keyspace::Key& key) {
  const std::int64_t bytes = bytes_of(key);
  used_ += bytes - key.second.bytes;
  key.second.bytes = bytes;
  touched(key);
}

Keyspace::Key* MemoryAccount::victim() {
  const EvictionPolicy policy = config_.policy;
  if (policy == EvictionPolicy::kNoEviction) return nullptr;
  if (policy == EvictionPolicy::kVolatileTtl) return keys_.next_deadline();
  const bool any = takes_any_key(policy);
  const Keyspace::Key* chosen = nullptr;
  if (is_random(policy)) {
    std::size_t left = 0;
    if (config_.pick.pick != nullptr) {
      std::size_t count = 0;
      for_each_candidate(keys_, any, [&count](const Keyspace::Key&) { return ++count > 0; });
      if (count > 1) left = config_.pick.pick(config_.pick.who, count);
    }
    for_each_candidate(keys_, any, [&](const Keyspace::Key& key) {
      chosen = &key;
      return left-- > 0;
    });
  } else {
    const auto rank = [by_hits = counts_hits(policy)](const Keyspace::Key& key) {
      return std::tuple(by_hits ? key.second.hits : 0, key.second.accessed);
    };
    for_each_candidate(keys_, any, [&](const Keyspace::Key& key) {
      if (chosen == nullptr || rank(key) < rank(*chosen)) chosen = &key;
      return true;
    });
  }
  return chosen == nullptr ? nullptr : keys_.find(chosen->second.db, chosen->first.name);
}

}  // namespace locklapse::redis
