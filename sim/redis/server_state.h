// All that one server knows between two commands: keys, connections, channels, scripts, who waits
// for what. Server (server.h) is the way in; the commands (commands.h) work on this.
//
// Invariants
//   - now_ms() does not change while an outermost command runs: a key cannot die within a script or
//     an EXEC.
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
#include "sim/redis/keyspace.h"
#include "sim/redis/persistence.h"
#include "sim/redis/propagation.h"
#include "sim/redis/replication.h"
#include "sim/redis/reply.h"
#include "sim/redis/script_engine.h"
#include "sim/redis/server.h"
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
        waiting(memory) {}

  ConnectionId id;
  int db = 0;
  int resp = 2;  // HELLO

  bool in_multi = false;
  bool watch_broken = false;  // a watched key changed: EXEC answers with a null array
  bool queue_broken = false;  // a command was refused while queueing: EXEC answers EXECABORT
  bool may_block = true;
  bool subscribed = false;  // RESP2 pub/sub mode
  bool closing = false;     // QUIT: gone once the command has been answered

  std::pmr::vector<QueuedCommand> queue;
  std::pmr::map<DbKey, bool, DbKeyLess> watches;  // value: the key was dead already
  std::pmr::set<std::pmr::string, std::less<>> channels;
  std::pmr::map<std::pmr::string, std::uint64_t, std::less<>> patterns;  // value: age

  std::optional<BlockedPop> blocked;
  std::optional<BlockedWait> wait;
  // How far the stream had got when this client's last command had run; what WAIT waits for.
  std::int64_t offset = 0;
  std::pmr::list<Words> waiting;  // commands that arrived behind a blocking one

  bool is_blocked() const { return blocked || wait; }
  std::size_t subscriptions() const { return channels.size() + patterns.size(); }
};

// A script that EVALSHA finds.
struct KnownScript {
  std::pmr::string source;
  bool read_only;
  std::size_t shebang_bytes;  // of the first line, which is no Lua
};

// By SHA1 in hex.
using Scripts = std::pmr::map<std::pmr::string, KnownScript, std::less<>>;

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
    now_ = now;
    now_ms_ = now.ms();
    outbox_ = &outbox;
  }
  WallTime now() const { return now_; }
  std::int64_t now_ms() const { return now_ms_; }
  Outbox& outbox() { return *outbox_; }
  void deliver(ConnectionId to, Reply reply, bool push = false) {
    outbox_->push_back(Delivery{to, std::move(reply), push});
  }

  // --- connections
  ConnectionId connect();
  Connection* connection(ConnectionId id);
  void disconnect(Connection& connection);
  // Leaves transaction, watches, subscriptions and blocked command; keeps the database.
  void forget_session(Connection& connection);
  // Disconnects behind the last message that it has been sent.
  void close(Connection& connection);
  void disconnect_all();

  // --- keys
  // The key if it is alive. A dead one is removed on the way, as by a read of a real server.
  Key* find(Connection& by, std::string_view name);
  Key& insert(Connection& by, std::string_view name) { return keys.insert(by.db, name); }
  // Brackets a change of one key: before() with the key or null, then what has become of it.
  void before(const Key* key);
  void written(Connection& by, Key& key) { changed(by, key, KeyChangeKind::kWritten); }
  void retimed(Connection& by, Key& key, std::int64_t deadline_ms);
  // The command has taken the last element; the key goes with it.
  void emptied(Connection& by, Key& key) { removed(by, key, KeyChangeKind::kRemoved); }
  // Removes a key as it is; needs no before().
  void remove(Connection& by, Key& key, KeyChangeKind kind);
  // FLUSHDB, FLUSHALL.
  void clear(Connection& by, int db);
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
  void time_out_blocked();

  // --- commands
  // Takes one command of a connection: refuses it, queues it, or runs it and serves whoever it
  // unblocks.
  void execute(ConnectionId id, Argv argv);
  // Runs what waits behind blocking commands that have ended.
  void execute_waiting();
  // Runs a command that nothing speaks against and delivers its reply.
  void run(Connection& connection, const CommandSpec& spec, Argv argv);
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
  const ServerConfig config;
  KeyspaceObserver* const observer;

  Replication replication;
  Persistence persistence;
  // Where commands leave what they have changed; null where nobody wants to know.
  Propagation* propagation = nullptr;

  Keyspace keys;
  Scripts scripts;
  // Spares EVAL the SHA1 of a script it has seen; views into scripts.
  std::pmr::map<std::string_view, Scripts::iterator> scripts_by_source;
  // Who listens, in order of subscription.
  using Listeners = std::pmr::map<std::pmr::string, std::pmr::vector<ConnectionId>, std::less<>>;
  Listeners channel_listeners;
  Listeners pattern_listeners;
  std::uint64_t subscriptions_made = 0;
  void stop_listening(Listeners& listeners, std::string_view name, ConnectionId id);
  // How much the commands of a script have had to look at since it was last set to zero.
  std::int64_t work = 0;

 private:
  using Waiters = std::pmr::map<DbKey, std::pmr::vector<ConnectionId>, DbKeyLess>;

  Key* find_in(Connection& by, int db, std::string_view name);
  void changed(Connection& by, Key& key, KeyChangeKind kind);
  void removed(Connection& by, Key& key, KeyChangeKind kind);
  // Breaks the transactions that watch a key that has just changed.
  void touch(int db, std::string_view name);
  void remove_waiter(Waiters& waiters, int db, std::string_view name, ConnectionId id);
  DbKey full_name(int db, std::string_view name) { return {db, std::pmr::string(name, &memory)}; }
  void serve_list(const DbKey& name, Key& key);
  void accept(Connection& connection, Argv argv);
  // Refuses a command before it runs; within MULTI that spoils the transaction.
  // NOREPLICAS, READONLY: why a write must not run. MASTERDOWN, LOADING: why nearly nothing may.
  std::optional<std::string_view> refuse_write(const Connection& connection,
                                               const CommandSpec& spec);
  std::optional<std::string_view> refuse_now(const CommandSpec& spec) const;
  void reject(Connection& connection, const CommandSpec* spec, std::string_view text);
  void propagate_unit();

  WallTime now_;
  std::int64_t now_ms_ = 0;
  Outbox* outbox_ = nullptr;

  std::pmr::vector<Connection*> connections_;  // by id; null where disconnected
  Connection nobody_;
  Propagation unit_;
  std::int64_t changes_ = 0;  // of keys, by commands
  bool applying_ = false;
  Waiters watchers_;
  Waiters blocked_on_;
  std::pmr::set<std::pair<std::int64_t, std::uint32_t>> timeouts_;
  std::pmr::vector<DbKey> ready_;
  std::pmr::vector<ConnectionId> unblocked_;

  bool existed_before_ = false;
  std::pmr::string owner_before_;
};

}  // namespace locklapse::redis
