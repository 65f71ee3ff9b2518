// One Redis node: execute(connection, argv) at an instant of its own wall clock gives exactly the
// replies that a real server of the same dialect gives (facts measured on redis-server 7.0.15).
//
// Contract
//   - The server has no clock and no timer. Whoever drives it passes the node's wall clock to every
//     call and calls wake() when that clock reaches next_wakeup(). A call may move the clock
//     backwards: so do real servers' clocks.
//   - Nothing is sent from inside: replies and pushed messages are appended to an Outbox in the
//     order in which the server would write them to its sockets.
//   - All state lives in the memory resource given at construction. The script engine (one Lua VM)
//     is shared between servers and holds no state of theirs.
//   - A key with deadline D is alive while now_ms <= D and dead when now_ms > D. Dead keys are
//     removed on access (lazily) or by the active cycle (at a 100 ms tick); both are told to the
//     observer.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>

#include "sim/core/time.h"
#include "sim/redis/reply.h"

namespace locklapse::redis {

using Argv = std::span<const std::string_view>;

// Names a connection to one server; never reused within a run.
enum class ConnectionId : std::uint32_t {};

// What a server wants delivered, in order. `push` marks messages that answer no command (pub/sub).
// Every command is answered by exactly one delivery without `push`: at once, or later where it
// blocks or waits behind one that does. Where the wire carries more for one command (SUBSCRIBE a b)
// the first message is its answer and the others are pushed.
struct Delivery {
  ConnectionId to;
  Reply reply;
  bool push = false;
};
using Outbox = std::pmr::vector<Delivery>;

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

inline constexpr ConnectionId kNobody{0xffff'ffff};

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

class Server {
 public:
  // `observer` may be null. REQUIRES: everything passed outlives the server.
  Server(std::pmr::memory_resource& memory, ScriptEngine& scripts, const ServerConfig& config,
         KeyspaceObserver* observer);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  ConnectionId connect();
  // Drops the connection's transaction, watches, subscriptions and blocked command.
  void disconnect(ConnectionId connection);

  // Executes one command. Appends its reply (none when the command blocks: BLPOP) and whatever it
  // causes for other connections. Never fails: bad input gives the server's own error reply.
  void execute(ConnectionId connection, Argv argv, WallTime now, Outbox& outbox);

  // Does what is due at `now`: times out blocked commands, runs the active expiry cycle.
  void wake(WallTime now, Outbox& outbox);
  // The wall time at which wake() has something to do, if there is one: the earliest time-out of a
  // blocked command, or the first 100 ms tick at which a key's TTL has run out.
  std::optional<WallTime> next_wakeup() const;

  // The instant a TTL ends is worth knowing even when nobody touches the key: tells the observer,
  // in order of (deadline, db, key), of every key that is logically dead at `now` and was not told
  // of since its deadline was last set. Changes nothing in the keyspace.
  void tell_ended_ttls(WallTime now);
  // The smallest deadline in ms among keys not yet told of; they are dead from deadline + 1 ms on.
  std::optional<std::int64_t> next_deadline_ms() const;

 private:
  ServerState* state_;
};

}  // namespace locklapse::redis
