// One Redis node: execute(connection, argv) at an instant of its own wall clock gives exactly the
// replies that a real server of the same dialect gives (facts measured on redis-server 7.0.15).
//
// Contract
//   - What a driver may expect of any backend (backend.h).
//   - All state lives in the memory resource given at construction. The script engine (one Lua VM)
//     is shared between servers and holds no state of theirs.
//   - A key with deadline D is alive while now_ms <= D and dead when now_ms > D. Dead keys are
//     removed on access (lazily) or by the active cycle (at a 100 ms tick); both are told to the
//     observer.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string_view>

#include "sim/core/time.h"
#include "sim/redis/backend.h"
#include "sim/redis/dialect.h"
#include "sim/redis/durability_config.h"
#include "sim/redis/memory_config.h"

namespace locklapse::redis {

enum class KeyChangeKind : std::uint8_t {
  kWritten,   // created, or its value changed (a SET of the same value counts)
  kDeadline,  // only its TTL changed: EXPIRE family, PERSIST, GETEX
  kRemoved,   // by a command: DEL, a TTL in the past, the last field of a hash, FLUSHALL ...
  kExpired,   // physically removed because its TTL had run out
  kEvicted,   // removed by the server for want of memory
  kLost,      // not there any more after a restart or a full resync
  kLoaded,    // a restart or a full resync has brought it, or another value or TTL than before
};

// What happened to one key, told while the change takes place; views are valid during the call
// only.
struct KeyChange {
  KeyChangeKind kind;
  ConnectionId by;  // whose command did it; kNobody for the active cycle, a master's stream, a restart
  int db;
  std::string_view key;
  // Who the key said owns it: the value of a string, the first field of a hash, the first element
  // of a list; empty when there is none.
  std::string_view owner_before;
  std::string_view owner_after;
  // The integer under the first field of a hash (a hold count), the length of a list; 0 otherwise.
  std::int64_t count_after;
  std::int64_t deadline_ms;  // after the change, in ms since the Unix epoch; -1 without a TTL
  bool existed_before;
};

class KeyspaceObserver {
 public:
  virtual ~KeyspaceObserver() = default;
  virtual void on_key_change(const KeyChange& change) = 0;
  // A key's TTL has run out; the key may still be in memory. See Server::tell_ended_ttls().
  virtual void on_ttl_ended(int db, std::string_view key, std::string_view owner,
                            std::int64_t deadline_ms) = 0;
};

class ScriptEngine;  // sim/redis/script_engine.h
class ServerState;   // sim/redis/server_state.h: databases, connections, scripts, channels

struct ServerConfig {
  bool active_expire = true;
  std::int64_t value_bytes_max = 16 << 20;  // larger values are refused with an error
  ReplicationConfig replication = {};
  PersistenceConfig persistence = {};
  Dialect dialect = Dialect::kRedis70;
  MemoryConfig memory = {};
  std::uint32_t notify = 0;  // notify-keyspace-events, as classes (notify.h)
  // requirepass; empty: none. REQUIRES: outlives the server.
  std::string_view password = {};
  bool debug_commands = true;  // enable-debug-command
  bool stop_writes_on_save_error = true;
  std::int64_t busy_reply_threshold_ms = 5000;
  std::int64_t slowlog_slower_than_us = 10'000;  // -1: nothing is slow
  std::int64_t slowlog_entries_max = 128;
};

// A script that has been running for longer than busy-reply-threshold.
enum class BusyScript : std::uint8_t { kNone, kReadOnly, kHasWritten };

class Server final : public Backend {
 public:
  // `observer` may be null. REQUIRES: everything passed outlives the server.
  Server(std::pmr::memory_resource& memory, ScriptEngine& scripts, const ServerConfig& config,
         KeyspaceObserver* observer);
  ~Server() override;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  ConnectionId connect() override;
  void disconnect(ConnectionId connection) override;
  void execute(ConnectionId connection, Argv argv, WallTime now, Outbox& outbox) override;
  // The active cycle runs at the 100 ms ticks of the clock.
  void wake(WallTime now, Outbox& outbox) override;
  std::optional<WallTime> next_wakeup() const override;
  void tell_ended_ttls(WallTime now) override;
  std::optional<std::int64_t> next_deadline_ms() const override;

  std::int64_t offset() const override;
  bool is_master() const override;
  void follow(Address master, WallTime now, Outbox& outbox) override;
  SyncKind sync(Backend& master, WallTime now) override;
  bool receive(Backend& master, std::int64_t up_to, WallTime now, Outbox& outbox) override;
  void promote(WallTime now, Outbox& outbox) override;
  void acknowledged(ReplicaId replica, Address address, std::int64_t offset, WallTime now,
                    Outbox& outbox) override;
  void replica_lost(ReplicaId replica, WallTime now) override;
  void master_lost(WallTime now) override;
  bool take_acknowledgement_request() override;
  bool take_role_change() override;
  Address master_address() const override;

  // The stream from an offset on, as far back as it is held; valid until the next call.
  std::string_view stream_bytes(std::int64_t from) const;

  std::int64_t take_busy_ms() override;

  // Within execute(): the host's clock has moved on while a script or a transaction runs. Where the
  // dialect lets that show, TIME, PTTL and new TTLs go by it; whether a key is dead does not.
  void clock_moved(WallTime now);
  // Whether blocked clients time out at the same millisecond: a real server answers them in the order of their
  // addresses in memory, the model in the order of their connections.
  bool timeouts_tie() const;
  // From now on others than the script's client are told BUSY. The driver says so, for scripts take
  // no time here.
  void set_busy_script(BusyScript busy);
  // Whether SCRIPT KILL has been granted since it was last asked.
  bool take_script_kill();
  // Saving snapshots fails from now on: writes are refused with MISCONF.
  void set_save_failing(bool failing);

  void stop(StopKind kind, WallTime now) override;
  void start(WallTime now) override;
  void save(WallTime now) override;

 private:
  ServerState* state_;
};

}  // namespace locklapse::redis
