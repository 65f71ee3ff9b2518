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

namespace locklapse::redis {

enum class KeyChangeKind : std::uint8_t {
  kWritten,   // created, or its value changed (a SET of the same value counts)
  kDeadline,  // only its TTL changed: EXPIRE family, PERSIST, GETEX
  kRemoved,   // by a command: DEL, a TTL in the past, the last field of a hash, FLUSHALL ...
  kExpired,   // physically removed because its TTL had run out
};

// What happened to one key, told while the change takes place; views are valid during the call
// only.
struct KeyChange {
  KeyChangeKind kind;
  ConnectionId by;  // whose command did it; kNobody for the active cycle
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
};

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

 private:
  ServerState* state_;
};

}  // namespace locklapse::redis
