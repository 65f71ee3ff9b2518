// One Redis process as a world drives it: the seam behind which stands the model (server.h) or a real
// redis-server (sim/live).
//
// Contract
//   - A backend has no clock and no timer. Whoever drives it passes the node's wall clock to every call
//     and calls wake() when that clock reaches next_wakeup(). A call may move the clock backwards: so do
//     real servers' clocks.
//   - Nothing is sent from inside: replies and pushed messages are appended to an Outbox in the order in
//     which the server would write them to its sockets.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/time.h"
#include "sim/redis/reply.h"

namespace locklapse::redis {

using Argv = std::span<const std::string_view>;

// Names a connection to one server; never reused within a run.
enum class ConnectionId : std::uint32_t {};
// The server itself: the active expiry cycle, a replica that applies its master's stream.
inline constexpr ConnectionId kNobody{0xffff'ffff};

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

class Backend {
 public:
  virtual ~Backend() = default;

  // --- commands
  virtual ConnectionId connect() = 0;
  // Drops the connection's transaction, watches, subscriptions and blocked command.
  virtual void disconnect(ConnectionId connection) = 0;
  // Executes one command. Appends its reply (none when the command blocks: BLPOP, WAIT) and whatever it
  // causes for other connections. Never fails: bad input gives the server's own error reply.
  virtual void execute(ConnectionId connection, Argv argv, WallTime now, Outbox& outbox) = 0;

  // --- time
  // Does what is due at `now`: times out blocked commands, runs the active expiry cycle.
  virtual void wake(WallTime now, Outbox& outbox) = 0;
  virtual std::optional<WallTime> next_wakeup() const = 0;
  // The instant a TTL ends is worth knowing even when nobody touches the key: tells the observer,
  // in order of (deadline, db, key), of every key that is logically dead at `now` and was not told
  // of since its deadline was last set. Changes nothing in the keyspace.
  virtual void tell_ended_ttls(WallTime now) = 0;
  // The smallest deadline in ms among keys not yet told of; they are dead from deadline + 1 ms on.
  virtual std::optional<std::int64_t> next_deadline_ms() const = 0;
};

}  // namespace locklapse::redis
