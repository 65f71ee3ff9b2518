// The keys of one server: sixteen databases, and the deadlines of all keys that have one.
//
// Contract
//   - Nothing here looks at a clock or removes a key by itself; whether a key is dead is a question
//     of its caller's time (Key::dead_at).
//   - Keys iterate in the order of a hash of their own: the same on every machine and with every
//     library, and a cursor of SCAN is a position in that order, valid whatever is added or
//     removed.
//   - A Key stays at its address until it is taken out.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/object.h"

namespace locklapse::redis {

inline constexpr int kDatabases = 16;
inline constexpr std::int64_t kNoDeadline = -1;

// A hash of 63 bits, so that a cursor fits into a signed number of any client.
std::uint64_t key_hash(std::string_view name);

struct KeyName {
  std::uint64_t hash;
  std::pmr::string name;
};
struct KeyNameView {
  std::uint64_t hash;
  std::string_view name;
};
struct KeyNameLess {
  using is_transparent = void;
  template <typename A, typename B>
  bool operator()(const A& a, const B& b) const {
    return a.hash != b.hash ? a.hash < b.hash : std::string_view(a.name) < std::string_view(b.name);
  }
};

class Keyspace {
 public:
  // What is stored for a key besides its name.
  struct Record {
    Object object;
    std::int64_t deadline_ms = kNoDeadline;
    int db = 0;
    bool told = false;           // in told_ rather than untold_
    std::uint32_t position = 0;  // in that queue
    // Kept where memory is limited (eviction.h).
    std::uint32_t hits = 0;
    std::uint64_t accessed = 0;
    std::int64_t bytes = 0;
  };
  using Database = std::pmr::map<KeyName, Record, KeyNameLess>;
  using Key = Database::value_type;

  explicit Keyspace(std::pmr::memory_resource& memory);
  Keyspace(const Keyspace&) = delete;
  Keyspace& operator=(const Keyspace&) = delete;

  static bool dead_at(const Key& key, std::int64_t now_ms) {
    return key.second.deadline_ms != kNoDeadline && now_ms > key.second.deadline_ms;
  }

  const Database& database(int db) const { return databases_[static_cast<std::size_t>(db)]; }
  // The key, dead or alive, or null.
  Key* find(int db, std::string_view name);
  // REQUIRES: the key is not there. The new key holds an empty string and has no deadline.
  Key& insert(int db, std::string_view name);
  // Takes the key out of the keyspace; it lives on as long as what is returned.
  Database::node_type take(Key& key);
  // The first key of a database in its order, or null.
  Key* first(int db);
  // Exchanges two databases.
  void swap(int a, int b);
  // Sets, moves or (kNoDeadline) takes away the deadline.
  void set_deadline(Key& key, std::int64_t deadline_ms);

  // The key whose deadline comes first, in order of (deadline, db, name), or null.
  Key* next_untold() const { return untold_.empty() ? nullptr : untold_.front(); }
  Key* next_deadline() const;
  // From now on next_untold() skips the key, until its deadline is set again.
  void mark_told(Key& key);

 private:
  // A binary heap of keys that know their place in it.
  class DeadlineQueue {
   public:
    explicit DeadlineQueue(std::pmr::memory_resource& memory) : heap_(&memory) {}
    bool empty() const { return heap_.empty(); }
    Key* front() const { return heap_.front(); }
    void push(Key& key);
    void remove(Key& key);

    static bool before(const Key& a, const Key& b);

   private:
    void place(std::size_t position, Key& key);
    void rise(std::size_t position, Key& key);
    void sink(std::size_t position, Key& key);

    std::pmr::vector<Key*> heap_;
  };

  DeadlineQueue& queue_of(const Key& key) { return key.second.told ? told_ : untold_; }

  std::pmr::memory_resource& memory_;
  std::pmr::vector<Database> databases_;
  DeadlineQueue untold_;
  DeadlineQueue told_;
};

}  // namespace locklapse::redis
