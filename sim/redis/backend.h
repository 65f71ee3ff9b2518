// One Redis process as a world drives it: the seam behind which stands the model (server.h) or a real
// redis-server (sim/live).
//
// Contract
//   - A backend has no clock and no timer. Whoever drives it passes the node's wall clock to every call
//     and calls wake() when that clock reaches next_wakeup(). A call may move the clock backwards: so do
//     real servers' clocks.
//   - Nothing is sent from inside: replies and pushed messages are appended to an Outbox in the order in
//     which the server would write them to its sockets.
//   - The network between nodes is the driver's: it decides when a replica syncs, what part of the stream
//     has reached it, and when the master hears of that. A backend reads another only within these calls.
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
// the first message is its answer and the others are pushed. A client that has asked for it (CLIENT
// REPLY) is not answered.
struct Delivery {
  ConnectionId to;
  Reply reply;
  bool push = false;
  // The server closes the connection behind this; it is not known from then on. Where it does so without a
  // word (CLIENT KILL), what stands here is a pushed null that does not go over the wire.
  bool closes = false;
  bool resp3 = false;  // how the client wants it encoded
};
using Outbox = std::pmr::vector<Delivery>;

// Names a replica to its master, as the driver numbers its nodes.
enum class ReplicaId : std::uint16_t {};

// Where a node listens; what ROLE, INFO and MOVED say.
struct Address {
  std::string_view ip;
  std::uint16_t port = 0;

  bool operator==(const Address&) const = default;
};

enum class SyncKind : std::uint8_t {
  kPartial,  // the stream goes on where the replica had stopped
  kFull,     // the replica threw its data away and loaded the master's
};

enum class StopKind : std::uint8_t {
  kShutdown,      // SIGTERM: with save points a snapshot is taken
  kProcessCrash,  // kill -9: what was written to a file stays
  kMachineCrash,  // power: only what was synced to the disk stays
};

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
  // For how long the last command keeps the server from everything else (DEBUG SLEEP). The driver holds
  // back what arrives in the meantime. Clears it.
  virtual std::int64_t take_busy_ms() { return 0; }

  // --- replication
  // The end of its stream in bytes: propagated as a master, applied as a replica.
  virtual std::int64_t offset() const = 0;
  virtual bool is_master() const = 0;
  // REPLICAOF: becomes a replica; refuses writes from now on, blocked clients are told UNBLOCKED. It keeps
  // its data until sync().
  virtual void follow(Address master, WallTime now, Outbox& outbox) = 0;
  // Connects to its master and takes over its data, or goes on where it stopped (PSYNC): afterwards its
  // offset is where the stream goes on. REQUIRES: follow() was called; `master` runs, and is a backend of
  // the same kind.
  virtual SyncKind sync(Backend& master, WallTime now) = 0;
  // Applies the master's stream up to the offset `up_to`: a boundary between commands, as the master's
  // offset() is after every call. Works though the master has stopped or changed its role since: the bytes
  // were under way. Published messages reach the replica's own subscribers. False, and nothing applied,
  // where the master no longer holds the bytes: its output buffer has overflowed and the link is gone.
  // REQUIRES: sync() with this master was the last one.
  virtual bool receive(Backend& master, std::int64_t up_to, WallTime now, Outbox& outbox) = 0;
  // REPLICAOF NO ONE. Whoever follows this server must sync() anew, here and after a sync() of its own.
  virtual void promote(WallTime now, Outbox& outbox) = 0;
  // At the master: the replica says that it has applied the stream up to `offset` (REPLCONF ACK). May end
  // a WAIT. The first one makes the replica known.
  virtual void acknowledged(ReplicaId replica, Address address, std::int64_t offset, WallTime now,
                            Outbox& outbox) = 0;
  // At the master: the link to the replica is gone.
  virtual void replica_lost(ReplicaId replica, WallTime now) = 0;
  // At the replica: the link to its master is gone.
  virtual void master_lost(WallTime now) = 0;
  // At the master: a client waits (WAIT) for acknowledgements, so replicas are asked at once. Clears it.
  virtual bool take_acknowledgement_request() = 0;
  // A client's REPLICAOF or SLAVEOF has just made this server follow another one or nobody. Clears it.
  virtual bool take_role_change() = 0;
  // Whom a replica follows; without port for a master.
  virtual Address master_address() const = 0;

  // --- the process
  // Every connection is gone, and what was in memory with it.
  virtual void stop(StopKind kind, WallTime now) = 0;
  // Loads what its persistence has kept; comes back in the role it had, a replica without a link to its
  // master. REQUIRES: stopped.
  virtual void start(WallTime now) = 0;
  // BGSAVE: a snapshot of this instant, for RDB persistence.
  virtual void save(WallTime now) = 0;
};

}  // namespace locklapse::redis
