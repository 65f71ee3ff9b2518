// The cluster bus side of one Redis Cluster node: whom it can reach, who owns which slots, whether
// the cluster is up, and elections of replicas. The keys are its server's, beside it on the same
// host.
//
// Contract
//   - A node has no clock, no timer and no network. Whoever drives it passes the wall clock of its
//   host to
//     every call, calls wake() when next_wakeup_in() has passed since the last start() or wake() by
//     the host's monotonic clock, and carries what the outbox holds. It knows other nodes by
//     receive() alone.
//   - Its server is told to follow or to be promoted through ClusterServer, at once and from within
//   the
//     call.
//   - A paused process gets neither wake() nor receive() until it goes on.
//   - All state is plain, in the memory resource given and in the object itself; waking it
//   allocates
//     nothing.
//
// Left out, of Redis 7.0: joining (MEET) and leaving, manual failover, migration of replicas to
// orphaned masters, shard channels. Whom a node pings once a second, and of whom it gossips, is
// drawn at random by a real one; here it is the peer heard of longest ago, and each in turn.
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/time.h"
#include "sim/redis/cluster_messages.h"
#include "sim/redis/cluster_slots.h"
#include "sim/redis/jitter.h"
#include "sim/redis/node_id.h"

namespace locklapse::redis {

// What a cluster node asks and tells its own server.
class ClusterServer {
 public:
  virtual ~ClusterServer() = default;
  virtual std::int64_t replication_offset() const = 0;
  // Of a replica: whole seconds since it last heard of its master, or since it lost the link.
  virtual std::int64_t seconds_without_master(WallTime now) const = 0;
  virtual bool has_key(std::string_view key) const = 0;
  virtual void promote(WallTime now) = 0;
  virtual void follow(NodeId master, WallTime now) = 0;
  // It stays a master, but these slots are another's now: their keys go.
  virtual void drop_keys_of(cluster::RangeSet slots, WallTime now) = 0;
};

struct ClusterConfig {
  NodeId id{0};
  NodeSet nodes;  // all, itself included
  cluster::SlotLayout layout;
  std::int64_t node_timeout_ms = 15'000;
  bool require_full_coverage = true;
  bool allow_reads_when_down = false;
  bool replica_no_failover = false;
  int replica_validity_factor = 10;
  std::int64_t repl_ping_replica_period_s = 10;
  Duration first_tick_after;  // from start() to the first tick
};

enum class ClusterEventKind : std::uint8_t {
  kMaybeFailing,  // PFAIL: no answer for node-timeout
  kReachable,     // PFAIL taken back
  kFailing,       // FAIL: by a majority of masters, or told so
  kFailureCleared,
  kElectionScheduled,  // `number`: the delay in ms
  kElectionStarted,
  kVoted,          // about: for whom
  kPromoted,       // election won; `number`: its config epoch
  kBecameReplica,  // about: of whom
  kStateUp,
  kStateDown,
};
const char* name_of(ClusterEventKind kind);

struct ClusterEvent {
  ClusterEventKind kind;
  NodeId by;
  WallTime at;  // by its clock
  NodeId about = kNoNode;
  std::uint64_t epoch = 0;  // current
  std::int64_t number = 0;
};

class ClusterObserver {
 public:
  virtual ~ClusterObserver() = default;
  virtual void on_cluster_event(const ClusterEvent& event) = 0;
};

namespace cluster {

// Where a command goes.
enum class Verdict : std::uint8_t {
  kServe,
  kMoved,
  kAsk,
  kTryAgain,
  kCrossSlot,
  kNotServed,
  kDown,
  kDownForWrites,
};
struct Routing {
  Verdict verdict = Verdict::kServe;
  std::uint16_t slot = 0;
  NodeId to = kNoNode;  // of kMoved and kAsk
};
struct RouteFlags {
  bool writes = false;     // the command, or for EXEC any that is queued
  bool read_only = false;  // the connection sent READONLY
  bool asking = false;     // the command before was ASKING
};

}  // namespace cluster

class ClusterNode {
 public:
  enum class Start : std::uint8_t {
    kCold,     // the process has just started: as a master it refuses for 2 s
    kSettled,  // as if it had run for long, with everyone reachable
  };

  // `observer` may be null. REQUIRES: everything passed outlives the node.
  ClusterNode(std::pmr::memory_resource& memory, const ClusterConfig& config, ClusterServer& server,
              JitterSource jitter, ClusterObserver* observer);
  ClusterNode(const ClusterNode&) = delete;
  ClusterNode& operator=(const ClusterNode&) = delete;

  // Before the first start: what nodes.conf says. Every node is a master without slots at first.
  void set_replica(NodeId node, NodeId master);
  void set_slots(NodeId node, cluster::RangeSet slots, std::uint64_t config_epoch);

  // The process starts: for the first time, or again after a crash. What nodes.conf keeps survives:
  // the roles, slots and epochs, and who was failing.
  void start(WallTime now, Start how);
  // One tick, every 100 ms.
  void wake(WallTime now, cluster::Outbox& outbox);
  Duration next_wakeup_in() const { return next_tick_in_; }
  void receive(const cluster::Packet& packet, WallTime now, cluster::Outbox& outbox);

  // --- clients
  // Where a command with these keys goes; for EXEC, all keys of what is queued, in order.
  cluster::Routing route(std::span<const std::string_view> keys, cluster::RouteFlags flags) const;
  // Whether a client that blocks on `key` may go on waiting: kServe, or how it is sent away.
  cluster::Routing route_blocked(std::string_view key) const;
  bool is_up() const { return up_; }
  bool is_master() const { return self().is_master(); }
  NodeId master() const { return self().master; }
  // Who this node thinks has the slot, or kNoNode.
  NodeId owner(std::uint16_t slot) const { return owners_[index(config_.layout.range_of(slot))]; }
  bool thinks_failing(NodeId node) const { return peer(node).failing; }
  std::uint64_t current_epoch() const { return current_epoch_; }
  std::uint64_t config_epoch() const { return self().config_epoch; }

  // --- CLUSTER SETSLOT
  void set_migrating(cluster::RangeId range, NodeId to);
  void set_importing(cluster::RangeId range, NodeId from);
  // NODE: the slot is `owner`'s now. At the importing node this takes a new epoch and tells
  // everyone.
  void set_owner(cluster::RangeId range, NodeId owner, WallTime now, cluster::Outbox& outbox);

 private:
  // What a node knows of another, and of itself. Instants are readings of its own wall clock in ms.
  struct Peer {
    bool known = false;
    NodeId master = kNoNode;  // kNoNode: it is one itself
    bool no_failover = false;
    bool maybe_failing = false;  // PFAIL
    bool failing = false;        // FAIL
    std::int64_t failing_since_ms = 0;
    std::uint64_t config_epoch = 0;
    cluster::RangeSet slots;
    std::int64_t offset = 0;
    std::int64_t voted_ms = 0;  // for one of its replicas
    // The connection to it.
    bool linked = false;
    std::uint32_t connection = 0;
    std::int64_t linked_since_ms = 0;
    std::int64_t ping_sent_ms = 0;  // 0: no pong is waited for
    std::int64_t pong_ms = 0;
    std::int64_t data_ms = 0;  // the last of anything

    bool is_master() const { return master == kNoNode; }
    bool has_slots() const { return !slots.empty(); }
  };
  // A call under way: its instant, and where what it sends goes.
  struct Now {
    WallTime at;
    std::int64_t ms;
    cluster::Outbox& outbox;
  };
  // What the end of a call must see to.
  struct Todo {
    bool failover = false;
    bool state = false;
  };

  static std::size_t index(NodeId node) { return static_cast<std::size_t>(node); }
  static std::size_t index(cluster::RangeId range) { return static_cast<std::size_t>(range); }
  Peer& peer(NodeId node) { return peers_[index(node)]; }
  const Peer& peer(NodeId node) const { return peers_[index(node)]; }
  Peer& self() { return peer(config_.id); }
  const Peer& self() const { return peer(config_.id); }
  void tell(ClusterEventKind kind, WallTime at, NodeId about, std::int64_t number = 0) const;
  void finish(const Now& now);

  // --- the bus (cluster_bus.cc)
  cluster::Message make_message(cluster::MessageKind kind) const;
  void send(NodeId to, const cluster::Message& message, const Now& now);
  void broadcast(const cluster::Message& message, const Now& now);
  void broadcast_pong(bool to_siblings_only, const Now& now);
  cluster::Message make_ping(cluster::MessageKind kind);
  void send_ping(NodeId to, const Now& now);
  void connect(NodeId to, const Now& now);
  void disconnect(NodeId from, const Now& now);
  void ping_oldest(const Now& now);

  // --- what others say (cluster_receive.cc)
  void on_message(NodeId sender, const cluster::Packet& packet, const cluster::Message& message,
                  const Now& now);
  void on_ping_or_pong(NodeId sender, const cluster::Packet& packet,
                       const cluster::Message& message, const Now& now);
  void note_pong(NodeId from, const Now& now);
  void note_role(NodeId sender, NodeId master);
  void note_slots(NodeId sender, const cluster::Message& message, const Now& now);
  void resolve_collision(NodeId sender, std::uint64_t config_epoch);
  void on_gossip(NodeId sender, const cluster::Gossip& gossip, const Now& now);
  void on_update(const cluster::Message& message, const Now& now);

  // --- failures and the state of the cluster (cluster_failure.cc)
  std::int64_t& report(NodeId about, NodeId by) {
    return reports_[index(about) * peers_.size() + index(by)];
  }
  int count_reports(NodeId about, std::int64_t now_ms);
  void check_silence(NodeId node, const Now& now);
  void mark_failing_if_agreed(NodeId node, const Now& now);
  void set_failing(NodeId node, const Now& now);
  void clear_failing_if_due(NodeId node, const Now& now);
  void update_state(const Now& now);

  // --- slots (cluster_config.cc)
  void give(cluster::RangeId range, NodeId owner);
  bool unclaimed(cluster::RangeId range) const;
  void take_slots_config(NodeId node, std::uint64_t epoch, cluster::RangeSet slots, const Now& now);
  void become_replica_of(NodeId master, const Now& now);

  // --- elections (cluster_election.cc)
  int rank();
  bool may_fail_over(const Now& now) const;
  void handle_failover(const Now& now);
  void schedule_election(const Now& now);
  void replace_master(const Now& now);
  void vote_if_right(NodeId candidate, const cluster::Message& request, const Now& now);

  ClusterConfig config_;
  ClusterServer& server_;
  JitterSource jitter_;
  ClusterObserver* observer_;

  std::pmr::vector<Peer> peers_;  // by number; those that are not of the cluster are not known
  std::pmr::vector<std::int64_t> reports_;  // when a master said that a node fails; 0 never
  std::array<NodeId, kIdsMax> owners_{};
  std::array<NodeId, kIdsMax> migrating_to_{};
  std::array<NodeId, kIdsMax> importing_from_{};
  cluster::RangeSet not_claimed_;  // their owner has stopped claiming them

  Duration next_tick_in_;
  std::uint64_t ticks_ = 0;
  std::uint32_t connections_ = 0;
  std::uint16_t gossip_next_ = 0;
  Todo todo_;

  std::uint64_t current_epoch_ = 0;
  std::uint64_t last_vote_epoch_ = 0;
  bool up_ = false;
  int size_ = 1;  // masters with slots
  std::int64_t first_state_update_ms_ = 0;
  std::int64_t among_minority_ms_ = 0;

  // The election this replica stands in.
  std::int64_t election_ms_ = 0;
  std::uint64_t election_epoch_ = 0;
  int election_rank_ = 0;
  int votes_ = 0;
  bool votes_asked_ = false;
};

}  // namespace locklapse::redis
