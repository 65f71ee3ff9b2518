// One Redis Sentinel process that watches one master: it finds the master down, agrees on that with
// the other sentinels, is elected or votes for another, promotes a replica and points the rest at
// it.
//
// Contract
//   - A sentinel has no clock, no timer and no network. Whoever drives it passes the wall clock of
//   its
//     host to every call, calls wake() when next_wakeup_in() has passed since the last start() or
//     wake() (by the host's monotonic clock: a step of the wall clock does not move the timer, as
//     on a real host), and carries what the outbox holds. It learns of the world by receive()
//     alone.
//   - A paused process gets neither wake() nor receive() until it goes on. The gap, like a step of
//   the
//     clock, then puts it into TILT.
//   - Two sentinels whose timers tick at the same instants split the votes for ever; a driver whose
//     jitter answers 0 throughout starts them at different phases of the 100 ms tick.
//   - All state is plain, in the memory resource given and in the object itself; waking it
//   allocates
//     nothing.
//
// Times and rules are those of Redis 7.0: SDOWN is each sentinel's own opinion, ODOWN needs the
// quorum, a leader needs the larger of the quorum and the majority of all sentinels ever met, and a
// sentinel gives one vote in an epoch.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "sim/core/time.h"
#include "sim/redis/jitter.h"
#include "sim/redis/sentinel_instance.h"
#include "sim/redis/sentinel_messages.h"

namespace locklapse::redis {

struct SentinelConfig {
  SentinelId id{0};
  NodeId master{0};
  int quorum = 2;
  std::int64_t down_after_ms = 30'000;
  std::int64_t failover_timeout_ms = 180'000;
  int parallel_syncs = 1;
  // Met in an earlier life. Others are met when the master's INFO names a replica or a hello
  // arrives.
  NodeSet known_replicas;
  SentinelSet known_sentinels;
  // From start() to the first tick.
  Duration first_tick_after;
};

enum class SentinelEventKind : std::uint8_t {
  kSubjectivelyDown,     // +sdown
  kSubjectivelyUp,       // -sdown
  kObjectivelyDown,      // +odown
  kObjectivelyUp,        // -odown
  kNewEpoch,             // +new-epoch
  kTryFailover,          // +try-failover
  kVote,                 // +vote-for-leader
  kElectedLeader,        // +elected-leader
  kNotElected,           // -failover-abort-not-elected
  kSelectedReplica,      // +selected-slave
  kNoGoodReplica,        // -failover-abort-no-good-slave
  kReplicaTimeout,       // -failover-abort-slave-timeout
  kPromotionSent,        // +failover-state-wait-promotion: SLAVEOF NO ONE is on its way
  kPromotedReplica,      // +promoted-slave
  kReconfigurationSent,  // +slave-reconf-sent
  kReconfigurationDone,  // +slave-reconf-done
  kFailoverEnd,          // +failover-end
  kFailoverEndTimeout,   // +failover-end-for-timeout
  kSwitchMaster,         // +switch-master
  kConvertToReplica,     // +convert-to-slave: a reborn old master is demoted
  kFixReplica,           // +fix-slave-config
  kReboot,               // +reboot
  kTilt,                 // +tilt
  kTiltEnd,              // -tilt
};
// As a sentinel's own log names it: "+sdown".
const char* name_of(SentinelEventKind kind);

struct SentinelEvent {
  SentinelEventKind kind;
  SentinelId by{};                  // whose log this is
  WallTime at;                      // by its clock
  sentinel::Peer about;             // of kSwitchMaster: the new master
  SentinelId leader = kNoSentinel;  // of kVote: whom
  std::uint64_t epoch = 0;
  NodeId old_master = kNoNode;  // of kSwitchMaster
};

class SentinelObserver {
 public:
  virtual ~SentinelObserver() = default;
  virtual void on_sentinel_event(const SentinelEvent& event) = 0;
};

class Sentinel {
 public:
  // `observer` may be null. REQUIRES: everything passed outlives the sentinel.
  Sentinel(std::pmr::memory_resource& memory, const SentinelConfig& config, JitterSource jitter,
           SentinelObserver* observer);
  Sentinel(const Sentinel&) = delete;
  Sentinel& operator=(const Sentinel&) = delete;

  // The process starts: for the first time, or again after a crash. Epochs, the current
  // configuration and whom it knows survive (a sentinel writes them to its file before it acts on
  // them); connections, opinions and a failover under way do not.
  void start(WallTime now);
  // One tick of its timer.
  void wake(WallTime now, sentinel::Outbox& outbox);
  // From the last start() or wake() to the next, by the host's monotonic clock.
  Duration next_wakeup_in() const { return next_tick_in_; }
  void receive(const sentinel::Packet& packet, WallTime now, sentinel::Outbox& outbox);

  // SENTINEL GET-MASTER-ADDR-BY-NAME: what it tells clients now.
  NodeId master_address() const;
  // SENTINEL FAILOVER: without the consent of others. False when one is under way or nobody fits.
  bool failover(WallTime now, sentinel::Outbox& outbox);
  // What SENTINEL CKQUORUM and MASTER show.
  bool thinks_master_down() const { return master_.down; }
  bool in_tilt() const { return tilt_; }
  std::uint64_t current_epoch() const { return current_epoch_; }
  std::uint64_t config_epoch() const { return config_epoch_; }

 private:
  enum class FailoverState : std::uint8_t {
    kNone,
    kWaitStart,  // for the votes
    kSelectReplica,
    kSendSlaveOfNoOne,
    kWaitPromotion,  // for an INFO that says so
    kReconfReplicas,
    kUpdateConfig,
  };
  using Instance = sentinel::Instance;

  // A call under way: its instant, and where what it sends goes.
  struct Now {
    WallTime at;
    std::int64_t ms;
    sentinel::Outbox& outbox;
  };

  // --- whom it watches (sentinel.cc)
  Instance make_instance(sentinel::Peer peer, std::int64_t now_ms) const;
  Instance* find(sentinel::Peer peer);
  Instance* promoted();
  void meet_replica(NodeId node, std::int64_t now_ms);
  void meet_sentinel(SentinelId id, std::int64_t now_ms);
  void check_tilt(const Now& now);
  void handle(Instance& instance, const Now& now);
  void tell(SentinelEventKind kind, WallTime at, sentinel::Peer about) const;

  // --- its connections and the commands on them (sentinel_link.cc)
  void send(Instance& instance, const sentinel::Body& body, const Now& now);
  void open(Instance& instance, sentinel::Channel channel, const Now& now);
  void close(Instance& instance, sentinel::Channel channel, const Now& now);
  void reconnect(Instance& instance, const Now& now);
  void send_ping(Instance& instance, const Now& now);
  void send_periodic(Instance& instance, const Now& now);
  void renew_stale_links(Instance& instance, const Now& now);
  void on_link_down(Instance& instance, sentinel::Channel channel);
  void on_pong(Instance& instance, sentinel::PingReply reply, const Now& now);
  // A request of another sentinel.
  void serve(const sentinel::Packet& packet, const Now& now);
  void answer(const sentinel::Packet& request, const sentinel::Body& body, const Now& now) const;

  // --- what it hears (sentinel_info.cc)
  void on_info(Instance& instance, const sentinel::InfoReply& info, const Now& now);
  void on_role_master(Instance& replica, const Now& now);
  void on_role_replica(Instance& replica, const Now& now);
  void on_hello(const sentinel::Hello& hello, const Now& now);
  void publish_soon();
  bool master_looks_sane(std::int64_t now_ms) const;

  // --- opinions, votes (sentinel_vote.cc)
  void check_subjectively_down(Instance& instance, const Now& now);
  void check_objectively_down(const Now& now);
  void ask_others(bool at_once, const Now& now);
  sentinel::MasterDownReply judge_master(const sentinel::IsMasterDown& question, const Now& now);
  void on_master_down_reply(Instance& other, const sentinel::MasterDownReply& reply,
                            const Now& now);
  void enter_epoch(std::uint64_t epoch, const Now& now);
  void vote(std::uint64_t epoch, SentinelId candidate, const Now& now);
  SentinelId elected(const Now& now);

  // --- the failover (sentinel_failover.cc)
  void start_failover(const Now& now);
  bool start_failover_if_needed(const Now& now);
  void enter_state(FailoverState state, std::int64_t now_ms);
  void abort_failover(const Now& now);
  void step_failover(const Now& now);
  void wait_start(const Now& now);
  Instance* best_replica(std::int64_t now_ms);
  void select_replica(const Now& now);
  void send_slaveof_no_one(const Now& now);
  void reconfigure_replicas(const Now& now);
  void detect_end(const Now& now);
  void switch_master(NodeId to, const Now& now);

  SentinelConfig config_;
  JitterSource jitter_;
  SentinelObserver* observer_;

  Instance master_;
  std::pmr::vector<Instance> replicas_;  // in the order in which they were met
  std::pmr::vector<Instance> sentinels_;

  Duration next_tick_in_;
  std::uint32_t connections_ = 0;  // opened so far
  std::int64_t previous_tick_ms_ = 0;
  std::int64_t tilt_since_ms_ = 0;
  bool tilt_ = false;

  // What the configuration file keeps.
  std::uint64_t current_epoch_ = 0;
  std::uint64_t config_epoch_ = 0;  // of master_'s address
  std::uint64_t vote_epoch_ = 0;    // of the last vote given

  bool objectively_down_ = false;
  SentinelId vote_ = kNoSentinel;
  FailoverState state_ = FailoverState::kNone;
  bool forced_ = false;
  std::uint64_t failover_epoch_ = 0;
  std::int64_t failover_start_ms_ = 0;
  std::int64_t state_since_ms_ = 0;
};

}  // namespace locklapse::redis
