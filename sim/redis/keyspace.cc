#include "sim/redis/keyspace.h"

#include <tuple>
#include <utility>

namespace locklapse::redis {

std::uint64_t key_hash(std::string_view name) {
  std::uint64_t hash = 0x9e3779b97f4a7c15 ^ name.size();
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  };
  std::size_t at = 0;
  for (; at + 8 <= name.size(); at += 8) {
    // Byte by byte, so that the order of keys does not depend on the machine's byte order.
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(name[at + i])} << (8 * i);
    }
    mix(word);
  }
  std::uint64_t rest = 0;
  for (; at < name.size(); ++at) rest = rest << 8 | static_cast<unsigned char>(name[at]);
  mix(rest);
  return hash >> 1;
}

Keyspace::Keyspace(std::pmr::memory_resource& memory)
    : memory_(memory), databases_(&memory), untold_(memory), told_(memory) {
  databases_.resize(kDatabases);
}

Keyspace::Key* Keyspace::find(int db, std::string_view name) {
  Database& keys = databases_[static_cast<std::size_t>(db)];
  const auto found = keys.find(KeyNameView{key_hash(name), name});
  return found == keys.end() ? nullptr : &*found;
}

Keyspace::Key& Keyspace::insert(int db, std::string_view name) {
  Database& keys = databases_[static_cast<std::size_t>(db)];
  const auto added =
      keys.emplace(std::piecewise_construct,
                   std::forward_as_tuple(KeyName{key_hash(name), std::pmr::string(name, &memory_)}),
                   std::forward_as_tuple(Record{.object = {String(&memory_)}, .db = db}));
  return *added.first;
}

Keyspace::Database::node_type Keyspace::take(Key& key) {
  if (key.second.deadline_ms != kNoDeadline) queue_of(key).remove(key);
  Database& keys = databases_[static_cast<std::size_t>(key.second.db)];
  return keys.extract(keys.find(KeyNameView{key.first.hash, key.first.name}));
}

Keyspace::Key* Keyspace::first(int db) {
  Database& keys = databases_[static_cast<std::size_t>(db)];
  return keys.empty() ? nullptr : &*keys.begin();
}

void Keyspace::swap(int a, int b) {
  if (a == b) return;
  // A key's place among those of one deadline depends on its database.
  const auto for_each_dated = [this](int db, auto visit) {
    for (Key& key : databases_[static_cast<std::size_t>(db)]) {
      if (key.second.deadline_ms != kNoDeadline) visit(key);
    }
  };
  const auto leave_queue = [this](Key& key) { queue_of(key).remove(key); };
  for_each_dated(a, leave_queue);
  for_each_dated(b, leave_queue);
  databases_[static_cast<std::size_t>(a)].swap(databases_[static_cast<std::size_t>(b)]);
  for (const int db : {a, b}) {
    for (Key& key : databases_[static_cast<std::size_t>(db)]) key.second.db = db;
    for_each_dated(db, [this](Key& key) { queue_of(key).push(key); });
  }
}

void Keyspace::set_deadline(Key& key, std::int64_t deadline_ms) {
  Record& record = key.second;
  if (record.deadline_ms != kNoDeadline) queue_of(key).remove(key);
  record.deadline_ms = deadline_ms;
  record.told = false;
  if (deadline_ms != kNoDeadline) untold_.push(key);
}

Keyspace::Key* Keyspace::next_deadline() const {
  if (untold_.empty()) return told_.empty() ? nullptr : told_.front();
  if (told_.empty()) return untold_.front();
  return DeadlineQueue::before(*told_.front(), *untold_.front()) ? told_.front() : untold_.front();
}

void Keyspace::mark_told(Key& key) {
  untold_.remove(key);
  key.second.told = true;
  told_.push(key);
}

bool Keyspace::DeadlineQueue::before(const Key& a, const Key& b) {
  const Record& left = a.second;
  const Record& right = b.second;
  if (left.deadline_ms != right.deadline_ms) return left.deadline_ms < right.deadline_ms;
  if (left.db != right.db) return left.db < right.db;
  return a.first.name < b.first.name;
}

void Keyspace::DeadlineQueue::push(Key& key) {
  heap_.push_back(&key);
  rise(heap_.size() - 1, key);
}

void Keyspace::DeadlineQueue::remove(Key& key) {
  const std::size_t position = key.second.position;
  Key& last = *heap_.back();
  heap_.pop_back();
  if (&last == &key) return;
  if (position > 0 && before(last, *heap_[(position - 1) / 2])) {
    rise(position, last);
  } else {
    sink(position, last);
  }
}

void Keyspace::DeadlineQueue::place(std::size_t position, Key& key) {
  heap_[position] = &key;
  key.second.position = static_cast<std::uint32_t>(position);
}

void Keyspace::DeadlineQueue::rise(std::size_t position, Key& key) {
  while (position > 0) {
    const std::size_t parent = (position - 1) / 2;
    if (!before(key, *heap_[parent])) break;
    place(position, *heap_[parent]);
    position = parent;
  }
  place(position, key);
}

void Keyspace::DeadlineQueue::sink(std::size_t position, Key& key) {
  for (;;) {
    std::size_t child = 2 * position + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && before(*heap_[child + 1], *heap_[child])) ++child;
    if (!before(*heap_[child], key)) break;
    place(position, *heap_[child]);
    position = child;
  }
  place(position, key);
}

}  // namespace locklapse::redis
