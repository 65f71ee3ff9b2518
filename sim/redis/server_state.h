// All that one server knows between two commands: keys, connections, channels, scripts, who waits
// for what. Server (server.h) is the way in; the commands (commands.h) work on this.
//
// Invariants
//   - now_ms() does not change while an outermost command runs: a key cannot die within a script or
//     an EXEC. What else stands still there is for clock() to say.
//   - Every change of a key goes through written(), retimed(), emptied(), remove() or clear(),
//     which break the transactions that watch it and tell the observer.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory_resource>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/time.h"
#include "sim/redis/command_table.h"
#include "sim/redis/eviction.h"
#include "sim/redis/keyspace.h"
#include "sim/redis/notify.h"
#include "sim/redis/persistence.h"
#include "sim/redis/propagation.h"
#include "sim/redis/replication.h"
#include "sim/redis/reply.h"
#include "sim/redis/script_engine.h"
#include "sim/redis/server.h"
#include "sim/redis/settings.h"
#include "sim/redis/slowlog.h"
#include "sim/redis/sha1.h"

namespace locklapse::redis {

using Key = Keyspace::Key;
using Words = std::pmr::vector<std::pmr::string>;

// A key's full name.
struct DbKey {
  int db;
  std::pmr::string name;
};
struct DbKeyView {
  int db;
  std::string_view name;
};
struct DbKeyLess {
  using is_transparent = void;
  template <typename A, typename B>
  bool operator()(const A& a, const B& b) const {
    return a.db != b.db ? a.db < b.db : std::string_view(a.name) < std::string_view(b.name);
  }
};

struct QueuedCommand {
  const CommandSpec* spec;
  Words words;
};

struct BlockedPop {
  Words keys;
  std::int64_t until_ms;  // 0: for ever
};

struct Connection {
  Connection(ConnectionId connection_id, std::pmr::memory_resource* memory)
      : id(connection_id),
        queue(memory),
        watches(memory),
        channels(memory),
        patterns(memory),
        waiting(memory),
        name(memory),
        address(memory) {}

  ConnectionId id;
  int db = 0;
  int resp = 2;  // HELLO

  bool in_multi = false;
  bool watch_broken = false;  // a watched key changed: EXEC answers with a null array
  bool queue_broken = false;  // a command was refused while queueing: EXEC answers EXECABORT
  bool may_block = true;
  bool subscribed = false;  // RESP2 pub/sub mode
  bool closing = false;     // QUIT: gone once the command has been answered
  bool authenticated = true;
  bool in_script = false;
  bool monitors = false;   // MONITOR
  bool postponed = false;  // its first waiting command is held by CLIENT PAUSE

  std::pmr::vector<QueuedCommand> queue;
  std::uint32_t queued_flags = 0;  // of all of them
  std::pmr::map<DbKey, bool, DbKeyLess> watches;  // value: the key was dead already
  std::pmr::set<std::pmr::string, std::less<>> channels;
  std::pmr::map<std::pmr::string, std::uint64_t, std::less<>> patterns;  // value: age

  std::optional<BlockedPop> blocked;
  std::optional<BlockedWait> wait;
  // How far the stream had got when this client's last command had run; what WAIT waits for.
  std::int64_t offset = 0;
  std::pmr::list<Words> waiting;  // commands that arrived behind a blocking one

  enum class Replies : std::uint8_t { kOn, kOff, kSkipNext, kSkip };
  Replies replies = Replies::kOn;  // CLIENT REPLY
  const CommandSpec* last_command = nullptr;
  std::int64_t connected_ms = -1;  // when its first command ran
  std::int64_t active_ms = 0;      // when its last one did
  std::pmr::string name;
  std::pmr::string address;  // "127.0.0.1:50001"

  bool is_blocked() const { return blocked || wait || postponed; }
  std::size_t subscriptions() const { return channels.size() + patterns.size(); }
};

// A script that EVALSHA finds.
struct KnownScript {
  std::pmr::string source;
  bool read_only;
  // Has a shebang, and so is refused as a whole where a command of it would be.
  bool has_flags;
  bool allows_oom;
  std::size_t shebang_bytes;  // of the first line, which is no Lua
};

// By SHA1 in hex.
using Scripts = std::pmr::map<std::pmr::string, KnownScript, std::less<>>;

inline constexpr std::string_view kOutOfMemory =
    "OOM command not allowed when used memory > 'maxmemory'.";

struct Call;

class ServerState {
 public:
  ServerState(std::pmr::memory_resource& memory, ScriptEngine& engine, const ServerConfig& config,
              KeyspaceObserver* observer);
  ~ServerState();
  ServerState(const ServerState&) = delete;
  ServerState& operator=(const ServerState&) = delete;

  // --- the call in progress
  void begin(WallTime now, Outbox& outbox) {
    now_ = clock_ = now;
    now_ms_ = now.ms();
    outbox_ = &outbox;
    if (pause) [[unlikely]] end_pause_if_over();
  }
  // What decides whether a key is dead: the time at which the outermost command began.
  WallTime now() const { return now_; }
  std::int64_t now_ms() const { return now_ms_; }
  // What TIME, PTTL and relative TTLs go by.
  WallTime clock() const { return freezes_clock_in_scripts(config.dialect) ? now_ : clock_; }
  std::int64_t clock_ms() const { return clock().ms(); }
  void clock_moved(WallTime now) { clock_ = now; }
  Outbox& outbox() { return *outbox_; }
  void deliver(ConnectionId to, Reply&& reply, bool push = false) {
    outbox_->push_back(
        Delivery{.to = to, .reply = std::move(reply), .push = push, .resp3 = speaks_resp3(to)});
  }
  bool speaks_resp3(ConnectionId id) {
    const Connection* known = connection(id);
    return known != nullptr && known->resp == 3;
  }
  // An array, or in RESP3 a push: what comes without being asked for.
  Reply message_for(ConnectionId id) {
    return Reply::aggregate(speaks_resp3(id) ? Reply::Type::kPush : Reply::Type::kArray, &memory);
  }

  // --- connections
  ConnectionId connect();
  Connection* connection(ConnectionId id);
  void disconnect(Connection& connection);
  // Leaves transaction, watches, subscriptions and blocked command; keeps the database.
  void forget_session(Connection& connection);
  // Disconnects behind the last message that it has been sent, or without a word.
  void close(Connection& connection);
  void kill(Connection& connection);
  // The process has ended, and with it what only its memory knew.
  void forget_process();
  void disconnect_all();
  template <typename Visit>
  void for_each_connection(Visit visit) {
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      if (connections_[i] != nullptr) visit(*connections_[i]);
    }
  }

  // --- keys
  // The key if it is alive. A dead one is removed on the way, as by a read of a real server.
  Key* find(Connection& by, std::string_view name);
  Key* find_in(Connection& by, int db, std::string_view name);
  Key& insert(Connection& by, std::string_view name) { return insert_in(by.db, name); }
  Key& insert_in(int db, std::string_view name) {
    notify(kNotifyNew, "new", db, name);
    return keys.insert(db, name);
  }
  // Brackets a change of one key: before() with the key or null, then what has become of it.
  void before(const Key* key);
  void written(Connection& by, Key& key) { changed(by, key, KeyChangeKind::kWritten); }
  void retimed(Connection& by, Key& key, std::int64_t deadline_ms);
  // The command has taken the last element; the key goes with it.
  void emptied(Connection& by, Key& key) { removed(by, key, KeyChangeKind::kRemoved, "del"); }
  // Removes a key as it is; needs no before(). `event` is what subscribers are told, beside expiry
  // and eviction, which they are always told of.
  void remove(Connection& by, Key& key, KeyChangeKind kind, std::string_view event = {});
  // FLUSHDB, FLUSHALL.
  void clear(Connection& by, int db);
  // SWAPDB.
  void swap_databases(Connection& by, int a, int b);
  bool expires_actively() const {
    return config.active_expire && replication.is_master() && !pause;
  }
  // The keys that must go before anything else may happen. Returns whether memory is still too
  // little.
  bool evict();
  // The active cycle: removes a dead key on nobody's behalf.
  void expire_actively(Key& key);
  // Removes a key that is there no more in what has been loaded; takes one over from there.
  void lose(Key& key);
  void load(const Key& source);

  // --- transactions
  void watch(Connection& connection, std::string_view name);
  void unwatch_all(Connection& connection);
  bool watched_key_died(const Connection& connection);
  void leave_transaction(Connection& connection);

  // --- blocked commands
  void block(Connection& connection, Words keys, std::int64_t until_ms);
  void unblock(Connection& connection);
  void begin_wait(Connection& connection, const BlockedWait& wait);
  void end_wait(Connection& connection);
  // Tells blocked clients why, and closes their connections.
  void unblock_all(const Reply& reason);
  // A list came into being: whoever waits for it is served after the command.
  void list_created(int db, std::string_view name);
  void serve_blocked();
  std::optional<std::int64_t> next_timeout_ms() const;
  bool timeouts_tie() const;
  void time_out_blocked();
  void time_out(Connection& late);

  // --- commands
  // Takes one command of a connection: refuses it, queues it, or runs it and serves whoever it
  // unblocks.
  void execute(ConnectionId id, Argv argv);
  // Runs what waits behind blocking commands that have ended.
  void execute_waiting();
  // Runs a command that nothing speaks against and delivers its reply.
  void run(Connection& connection, const CommandSpec& spec, Argv argv);
  // CLIENT PAUSE holds a command; it is taken anew when the pause ends.
  void postpone(Connection& connection, Argv argv);
  void end_pause();
  void end_pause_if_over();
  // MISCONF: why a write must not run while snapshots cannot be saved, or nothing.
  std::optional<std::string_view> refuse_unsaved_write();
  // Runs it and propagates what it has changed; the reply is the caller's to deliver.
  Reply perform(Call& call);

  // --- propagation
  // The outermost command is done: its effects go to the replicas and to the file.
  void end_unit() {
    if (propagation != nullptr && !propagation->empty()) propagate_unit();
  }
  // A key goes without a command that says so: expiry, eviction.
  void propagate_removal(const Key& key) {
    if (propagation != nullptr) propagation->add(key.second.db, {"DEL", key.first.name});
  }
  // What a master or a file says; each command finds every key alive. `db` is where it stands.
  void apply(std::string_view bytes, SelectedDb& db);
  // A deadline in the past removes a key, unless the one who set it has already decided.
  bool removes_past_deadlines() const { return !applying_; }
  void role_changed();
  // A full resync has brought other keys.
  void keys_replaced() { persistence.restart_file(); }

  std::pmr::memory_resource& memory;
  ScriptEngine& engine;
  ServerConfig config;
  KeyspaceObserver* const observer;
  Settings settings{config, memory};
  // CONFIG SET has changed some.
  void settings_changed();

  Replication replication;
  Persistence persistence;
  // Where commands leave what they have changed; null where nobody wants to know.
  Propagation* propagation = nullptr;

  Keyspace keys;
  MemoryAccount account{keys, config.memory};
  Scripts scripts;
  // Spares EVAL the SHA1 of a script it has seen; views into scripts.
  std::pmr::map<std::string_view, Scripts::iterator> scripts_by_source;
  // Who listens, in order of subscription.
  using Listeners = std::pmr::map<std::pmr::string, std::pmr::vector<ConnectionId>, std::less<>>;
  Listeners channel_listeners;
  Listeners pattern_listeners;
  std::uint64_t subscriptions_made = 0;
  void stop_listening(Listeners& listeners, std::string_view name, ConnectionId id);
  // Tells everyone who listens; returns how many.
  std::int64_t publish(std::string_view channel, std::string_view payload);
  // A keyspace notification.
  void notify(std::uint32_t event_class, std::string_view event, int db, std::string_view key) {
    if (config.notify != 0) [[unlikely]] publish_event(event_class, event, db, key);
  }

  // --- watching the server
  std::pmr::vector<ConnectionId> monitors{&memory};
  void feed_monitors(const Connection& connection, const CommandSpec& spec, Argv argv);
  SlowLog slow_log{memory};
  struct Stats {
    std::int64_t commands = 0;
    std::int64_t connections = 0;
    std::int64_t expired_keys = 0;
    std::int64_t evicted_keys = 0;
  };
  Stats stats;

  // --- what keeps commands from running
  struct Pause {
    std::int64_t until_ms;
    bool writes_only;
  };
  std::optional<Pause> pause;  // CLIENT PAUSE
  BusyScript busy_script = BusyScript::kNone;
  bool script_killed = false;
  bool save_failing = false;
  // Set before a command runs: its writes that take memory are refused in scripts too.
  bool out_of_memory = false;
  std::int64_t busy_ms = 0;  // DEBUG SLEEP

  // How much the commands of a script have had to look at since it was last set to zero.
  std::int64_t work = 0;

 private:
  using Waiters = std::pmr::map<DbKey, std::pmr::vector<ConnectionId>, DbKeyLess>;

  void changed(Connection& by, Key& key, KeyChangeKind kind);
  void removed(Connection& by, Key& key, KeyChangeKind kind, std::string_view event);
  // Breaks the transactions that watch a key that has just changed.
  void touch(int db, std::string_view name);
  void remove_waiter(Waiters& waiters, int db, std::string_view name, ConnectionId id);
  DbKey full_name(int db, std::string_view name) { return {db, std::pmr::string(name, &memory)}; }
  void serve_list(const DbKey& name, Key& key);
  void accept(Connection& connection, Argv argv);
  void admit(Connection& connection, Argv argv);
  bool may_refuse(const Connection& connection, std::uint32_t flags) const;
  // The first reason that speaks against a command, in the server's order.
  std::optional<std::string_view> refuse(Connection& connection, const CommandSpec& spec,
                                         std::uint32_t flags);
  // Refuses a command before it runs; within MULTI that spoils the transaction.
  void reject(Connection& connection, const CommandSpec* spec, std::string_view text);
  void drop_unwanted_replies(Connection& connection, std::size_t start);
  void publish_event(std::uint32_t event_class, std::string_view event, int db,
                     std::string_view key);
  void propagate_unit();

  WallTime now_;
  WallTime clock_;
  std::int64_t now_ms_ = 0;
  Outbox* outbox_ = nullptr;

  std::pmr::vector<Connection*> connections_;  // by id; null where disconnected
  Connection nobody_;
  Propagation unit_;
  std::int64_t changes_ = 0;  // of keys, by commands
  bool tells_misses_ = false;  // a command reads, and somebody wants to know what is not there
  bool applying_ = false;
  Waiters watchers_;
  Waiters blocked_on_;
  std::pmr::set<std::pair<std::int64_t, std::uint32_t>> timeouts_;
  std::pmr::vector<DbKey> ready_;
  std::pmr::vector<ConnectionId> unblocked_;
  std::pmr::vector<ConnectionId> postponed_{&memory};

  const ServerConfig started_with_;
  std::pmr::string refusal_{&memory};  // of the last command refused, where it names something
  bool aof_running_ = false;
  bool existed_before_ = false;
  std::pmr::string owner_before_;
};

}  // namespace locklapse::redis
