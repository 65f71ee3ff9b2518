#include "sim/redis/server_state.h"

#include <algorithm>
#include <utility>

#include "sim/redis/call.h"
#include "sim/redis/command_bytes.h"
#include "sim/redis/commands.h"

namespace locklapse::redis {

ServerState::ServerState(std::pmr::memory_resource& state_memory, ScriptEngine& script_engine,
                         const ServerConfig& server_config, KeyspaceObserver* keyspace_observer)
    : memory(state_memory),
      engine(script_engine),
      config(server_config),
      observer(keyspace_observer),
      replication(*this, config.replication),
      persistence(*this, config.persistence),
      keys(memory),
      scripts(&memory),
      scripts_by_source(&memory),
      channel_listeners(&memory),
      pattern_listeners(&memory),
      connections_(&memory),
      nobody_(kNobody, &memory),
      unit_(memory),
      watchers_(&memory),
      blocked_on_(&memory),
      timeouts_(&memory),
      ready_(&memory),
      unblocked_(&memory),
      started_with_(server_config),
      owner_before_(&memory) {
  nobody_.may_block = false;
  aof_running_ = config.persistence.has_aof();
  role_changed();
}

ServerState::~ServerState() {
  std::pmr::polymorphic_allocator<> allocator(&memory);
  for (Connection* connection : connections_) {
    if (connection != nullptr) allocator.delete_object(connection);
  }
}

// --- connections

ConnectionId ServerState::connect() {
  const auto id = static_cast<ConnectionId>(connections_.size());
  std::pmr::polymorphic_allocator<> allocator(&memory);
  Connection* fresh = allocator.new_object<Connection>(id, &memory);
  connections_.push_back(fresh);
  fresh->authenticated = config.password.empty();
  constexpr std::uint32_t kFirstPort = 50'000;
  constexpr std::uint32_t kPorts = 15'000;
  fresh->address.assign("127.0.0.1:");
  fresh->address.append(
      integer_text(kFirstPort + (static_cast<std::uint32_t>(id) + 1) % kPorts).view());
  ++stats.connections;
  return id;
}

Connection* ServerState::connection(ConnectionId id) {
  const auto index = static_cast<std::size_t>(id);
  return index < connections_.size() ? connections_[index] : nullptr;
}

void ServerState::disconnect(Connection& connection) {
  forget_session(connection);
  connections_[static_cast<std::size_t>(connection.id)] = nullptr;
  std::pmr::polymorphic_allocator<>(&memory).delete_object(&connection);
}

void ServerState::close(Connection& connection) {
  const auto last = std::find_if(outbox_->rbegin(), outbox_->rend(), [&](const Delivery& delivery) {
    return delivery.to == connection.id;
  });
  if (last != outbox_->rend()) last->closes = true;
  disconnect(connection);
}

void ServerState::kill(Connection& connection) {
  deliver(connection.id, Reply::null_array(&memory), true);
  close(connection);
}

void ServerState::forget_process() {
  disconnect_all();
  scripts_by_source.clear();
  scripts.clear();
  slow_log.clear();
  stats = {};
  pause.reset();
  postponed_.clear();
  busy_script = BusyScript::kNone;
  script_killed = false;
  busy_ms = 0;
  config = started_with_;
  settings.forget();
  settings_changed();
}

void ServerState::settings_changed() {
  account.recount();
  if (config.persistence.has_aof() != aof_running_) {
    aof_running_ = config.persistence.has_aof();
    if (aof_running_) persistence.restart_file();
    role_changed();
  }
}

void ServerState::disconnect_all() {
  for (Connection* connection : connections_) {
    if (connection != nullptr) disconnect(*connection);
  }
  unblocked_.clear();
  ready_.clear();
}

void ServerState::forget_session(Connection& connection) {
  leave_transaction(connection);
  if (connection.blocked) unblock(connection);
  if (connection.wait) end_wait(connection);
  for (const auto& channel : connection.channels) {
    stop_listening(channel_listeners, channel, connection.id);
  }
  for (const auto& pattern : connection.patterns) {
    stop_listening(pattern_listeners, pattern.first, connection.id);
  }
  connection.channels.clear();
  connection.patterns.clear();
  connection.subscribed = false;
  if (connection.monitors) std::erase(monitors, connection.id);
  connection.monitors = false;
  if (connection.postponed) std::erase(postponed_, connection.id);
  connection.postponed = false;
}

void ServerState::stop_listening(Listeners& listeners, std::string_view name, ConnectionId id) {
  const auto found = listeners.find(name);
  if (found == listeners.end()) return;
  std::erase(found->second, id);
  if (found->second.empty()) listeners.erase(found);
}

// --- keys

Key* ServerState::find(Connection& by, std::string_view name) { return find_in(by, by.db, name); }

Key* ServerState::find_in(Connection& by, int db, std::string_view name) {
  Key* key = keys.find(db, name);
  if (key == nullptr) {
    if (tells_misses_) [[unlikely]] notify(kNotifyKeyMiss, "keymiss", db, name);
    return nullptr;
  }
  if (account.limited()) [[unlikely]] account.touched(*key);
  if (!Keyspace::dead_at(*key, now_ms_)) return key;
  // What a master sends finds every key alive, and a replica waits for its word.
  if (applying_) return key;
  // While clients are paused a dead key is hidden and stays.
  if (replication.is_master() && !pause) {
    propagate_removal(*key);
    remove(by, *key, KeyChangeKind::kExpired);
  }
  return nullptr;
}

void ServerState::expire_actively(Key& key) {
  propagate_removal(key);
  remove(nobody_, key, KeyChangeKind::kExpired);
  end_unit();
}

void ServerState::lose(Key& key) {
  const bool dead = Keyspace::dead_at(key, now_ms_);
  remove(nobody_, key, dead ? KeyChangeKind::kExpired : KeyChangeKind::kLost);
}

void ServerState::load(const Key& source) {
  Key* old = keys.find(source.second.db, source.first.name);
  if (old != nullptr && old->second.deadline_ms == source.second.deadline_ms &&
      same_value(old->second.object, source.second.object)) {
    return;
  }
  before(old);
  Key& key = old != nullptr ? *old : keys.insert(source.second.db, source.first.name);
  if (value_of<String>(key) == nullptr) key.second.object.value.emplace<String>(&memory);
  copy_value(source.second.object, key.second.object);
  if (key.second.deadline_ms != source.second.deadline_ms) {
    keys.set_deadline(key, source.second.deadline_ms);
  }
  changed(nobody_, key, KeyChangeKind::kLoaded);
}

void ServerState::before(const Key* key) {
  if (observer == nullptr) return;
  existed_before_ = key != nullptr;
  owner_before_.assign(key == nullptr ? std::string_view{} : key->second.object.owner());
}

void ServerState::retimed(Connection& by, Key& key, std::int64_t deadline_ms) {
  keys.set_deadline(key, deadline_ms);
  changed(by, key, KeyChangeKind::kDeadline);
}

void ServerState::changed(Connection& by, Key& key, KeyChangeKind kind) {
  ++changes_;
  touch(key.second.db, key.first.name);
  if (account.limited()) [[unlikely]] account.changed(key);
  if (observer == nullptr) return;
  observer->on_key_change({.kind = kind,
                           .by = by.id,
                           .db = key.second.db,
                           .key = key.first.name,
                           .owner_before = owner_before_,
                           .owner_after = key.second.object.owner(),
                           .count_after = key.second.object.count(),
                           .deadline_ms = key.second.deadline_ms,
                           .existed_before = existed_before_});
}

void ServerState::remove(Connection& by, Key& key, KeyChangeKind kind, std::string_view event) {
  before(&key);
  removed(by, key, kind, event);
}

void ServerState::removed(Connection& by, Key& key, KeyChangeKind kind, std::string_view event) {
  const bool by_command = kind != KeyChangeKind::kExpired && kind != KeyChangeKind::kEvicted;
  if (by_command) ++changes_;
  if (account.limited()) [[unlikely]] account.removed(key);
  const auto taken = keys.take(key);
  const int db = taken.mapped().db;
  const std::string_view name = taken.key().name;
  touch(db, name);
  if (observer != nullptr) {
    observer->on_key_change({.kind = kind,
                             .by = by.id,
                             .db = db,
                             .key = name,
                             .owner_before = owner_before_,
                             .owner_after = {},
                             .count_after = 0,
                             .deadline_ms = kNoDeadline,
                             .existed_before = existed_before_});
  }
  if (kind == KeyChangeKind::kExpired) {
    ++stats.expired_keys;
    notify(kNotifyExpired, "expired", db, name);
  } else if (kind == KeyChangeKind::kEvicted) {
    ++stats.evicted_keys;
    notify(kNotifyEvicted, "evicted", db, name);
  } else if (!event.empty()) {
    notify(kNotifyGeneric, event, db, name);
  }
}

bool ServerState::evict() {
  // Replicas leave it to their master, and a pause holds it off.
  if (pause || !replication.is_master()) return false;
  while (account.over()) {
    Key* key = account.victim();
    if (key == nullptr) return true;
    propagate_removal(*key);
    remove(nobody_, *key, KeyChangeKind::kEvicted);
    end_unit();
  }
  return false;
}

void ServerState::swap_databases(Connection& by, int a, int b) {
  keys.swap(a, b);
  if (a == b) return;
  // To whoever watches, each name has another key now, or none.
  for (const auto& [here, there] : {std::pair(a, b), std::pair(b, a)}) {
    for (const Key& old : keys.database(there)) {
      const std::string_view name = old.first.name;
      Key* key = keys.find(here, name);
      before(&old);
      if (key != nullptr) {
        changed(by, *key, KeyChangeKind::kWritten);
        continue;
      }
      ++changes_;
      touch(here, name);
      if (observer == nullptr) continue;
      observer->on_key_change({.kind = KeyChangeKind::kRemoved,
                               .by = by.id,
                               .db = here,
                               .key = name,
                               .owner_before = owner_before_,
                               .owner_after = {},
                               .count_after = 0,
                               .deadline_ms = kNoDeadline,
                               .existed_before = true});
    }
    for (const Key& fresh : keys.database(here)) {
      if (keys.find(there, fresh.first.name) == nullptr) {
        before(nullptr);
        changed(by, *keys.find(here, fresh.first.name), KeyChangeKind::kWritten);
      }
      if (std::holds_alternative<List>(fresh.second.object.value)) {
        list_created(here, fresh.first.name);
      }
    }
  }
}

void ServerState::clear(Connection& by, int db) {
  while (Key* key = keys.first(db)) {
    const bool dead = Keyspace::dead_at(*key, now_ms_);
    remove(by, *key, dead ? KeyChangeKind::kExpired : KeyChangeKind::kRemoved);
  }
}

// --- propagation

void ServerState::role_changed() {
  end_unit();
  const bool wanted = config.replication.propagates || config.persistence.has_aof();
  propagation = wanted && replication.is_master() ? &unit_ : nullptr;
}

void ServerState::propagate_unit() {
  if (config.replication.propagates) replication.append(unit_);
  persistence.append(unit_);
  unit_.clear();
}

void ServerState::apply(std::string_view bytes, SelectedDb& db) {
  applying_ = true;
  std::pmr::vector<std::string_view> words(&memory);
  for (nobody_.db = std::max(db.db, 0); !bytes.empty();) {
    take_command(bytes, words);
    const CommandSpec* spec = find_command(words[0], config.dialect);
    // Units arrive whole, so what wraps them says nothing; PING and REPLCONF are for the link.
    if (spec == nullptr || spec->run == multi_command || spec->run == exec_command ||
        spec->run == ping_command) {
      continue;
    }
    Call call{*this, nobody_, words, *spec};
    spec->run(call);
  }
  db.db = nobody_.db;
  applying_ = false;
}

// --- transactions

void ServerState::watch(Connection& connection, std::string_view name) {
  if (connection.watches.find(DbKeyView{connection.db, name}) != connection.watches.end()) return;
  const Key* key = keys.find(connection.db, name);
  const bool dead = key != nullptr && Keyspace::dead_at(*key, now_ms_);
  connection.watches.emplace(full_name(connection.db, name), dead);
  auto watched = watchers_.find(DbKeyView{connection.db, name});
  if (watched == watchers_.end()) {
    watched =
        watchers_.emplace(full_name(connection.db, name), std::pmr::vector<ConnectionId>(&memory))
            .first;
  }
  watched->second.push_back(connection.id);
}

void ServerState::unwatch_all(Connection& connection) {
  for (const auto& watched : connection.watches) {
    remove_waiter(watchers_, watched.first.db, watched.first.name, connection.id);
  }
  connection.watches.clear();
}

void ServerState::remove_waiter(Waiters& waiters, int db, std::string_view name, ConnectionId id) {
  const auto found = waiters.find(DbKeyView{db, name});
  if (found == waiters.end()) return;
  std::erase(found->second, id);
  if (found->second.empty()) waiters.erase(found);
}

void ServerState::touch(int db, std::string_view name) {
  if (watchers_.empty()) return;
  const auto found = watchers_.find(DbKeyView{db, name});
  if (found == watchers_.end()) return;
  const bool exists = keys.find(db, name) != nullptr;
  const std::pmr::vector<ConnectionId> ids(found->second, &memory);
  for (const ConnectionId id : ids) {
    Connection& watcher = *connection(id);
    bool& dead_already = watcher.watches.find(DbKeyView{db, name})->second;
    if (dead_already) {
      // Its removal changes nothing; from then on the key is watched like any other. While it is
      // still there, a real server looks no further.
      if (exists) return;
      dead_already = false;
      continue;
    }
    watcher.watch_broken = true;
    unwatch_all(watcher);
  }
}

bool ServerState::watched_key_died(const Connection& connection) {
  for (const auto& [name, dead_already] : connection.watches) {
    if (dead_already) continue;
    const Key* key = keys.find(name.db, name.name);
    if (key != nullptr && Keyspace::dead_at(*key, now_ms_)) return true;
  }
  return false;
}

void ServerState::leave_transaction(Connection& connection) {
  connection.queue.clear();
  connection.queued_flags = 0;
  connection.in_multi = false;
  connection.watch_broken = false;
  connection.queue_broken = false;
  unwatch_all(connection);
}

// --- blocked commands

void ServerState::block(Connection& connection, Words names, std::int64_t until_ms) {
  for (const auto& name : names) {
    auto waiters = blocked_on_.find(DbKeyView{connection.db, name});
    if (waiters == blocked_on_.end()) {
      waiters =
          blocked_on_
              .emplace(full_name(connection.db, name), std::pmr::vector<ConnectionId>(&memory))
              .first;
    }
    // A key given twice counts once.
    if (waiters->second.empty() || waiters->second.back() != connection.id) {
      waiters->second.push_back(connection.id);
    }
  }
  if (until_ms != 0) timeouts_.insert({until_ms, static_cast<std::uint32_t>(connection.id)});
  connection.blocked.emplace(BlockedPop{std::move(names), until_ms});
}

void ServerState::unblock(Connection& connection) {
  for (const auto& name : connection.blocked->keys) {
    remove_waiter(blocked_on_, connection.db, name, connection.id);
  }
  timeouts_.erase({connection.blocked->until_ms, static_cast<std::uint32_t>(connection.id)});
  connection.blocked.reset();
  unblocked_.push_back(connection.id);
}

void ServerState::list_created(int db, std::string_view name) {
  if (blocked_on_.empty() || blocked_on_.find(DbKeyView{db, name}) == blocked_on_.end()) return;
  for (const DbKey& ready : ready_) {
    if (ready.db == db && ready.name == name) return;
  }
  ready_.push_back(full_name(db, name));
}

void ServerState::serve_blocked() {
  if (ready_.empty()) return;
  const std::pmr::vector<DbKey> ready(std::move(ready_));
  ready_.clear();
  for (const DbKey& name : ready) {
    Key* key = find_in(nobody_, name.db, name.name);
    if (key != nullptr && value_of<List>(*key) != nullptr) serve_list(name, *key);
    end_unit();
  }
}

void ServerState::serve_list(const DbKey& name, Key& key) {
  const auto waiters = blocked_on_.find(DbKeyView{name.db, name.name});
  if (waiters == blocked_on_.end()) return;
  List& list = *value_of<List>(key);
  const std::pmr::vector<ConnectionId> ids(waiters->second, &memory);
  for (const ConnectionId id : ids) {
    Connection& receiver = *connection(id);
    Reply popped = Reply::array(&memory);
    popped.append(Reply::bulk(name.name, &memory));
    popped.append(Reply::bulk(list.front(), &memory));
    before(&key);
    list.pop_front();
    deliver(id, std::move(popped));
    if (propagation != nullptr) propagation->add(name.db, {"LPOP", name.name});
    end_unit();
    unblock(receiver);
    notify(kNotifyList, "lpop", name.db, name.name);
    if (list.empty()) {
      emptied(receiver, key);
      return;
    }
    written(receiver, key);
  }
}

void ServerState::begin_wait(Connection& connection, const BlockedWait& wait) {
  replication.wait(connection, wait);
  if (wait.until_ms != 0) {
    timeouts_.insert({wait.until_ms, static_cast<std::uint32_t>(connection.id)});
  }
}

void ServerState::end_wait(Connection& connection) {
  timeouts_.erase({connection.wait->until_ms, static_cast<std::uint32_t>(connection.id)});
  replication.stop_waiting(connection);
  unblocked_.push_back(connection.id);
}

void ServerState::unblock_all(const Reply& reason) {
  for (Connection* client : connections_) {
    if (client == nullptr || !client->is_blocked()) continue;
    deliver(client->id, Reply(reason, &memory));
    close(*client);
  }
}

std::optional<std::int64_t> ServerState::next_timeout_ms() const {
  if (timeouts_.empty()) return std::nullopt;
  return timeouts_.begin()->first;
}

bool ServerState::timeouts_tie() const {
  const auto same_instant = [](const auto& a, const auto& b) { return a.first == b.first; };
  return std::adjacent_find(timeouts_.begin(), timeouts_.end(), same_instant) != timeouts_.end();
}

void ServerState::time_out_blocked() {
  while (!timeouts_.empty() && timeouts_.begin()->first < now_ms_) {
    time_out(*connection(static_cast<ConnectionId>(timeouts_.begin()->second)));
  }
}

void ServerState::time_out(Connection& late) {
  if (late.wait) {
    deliver(late.id, Reply::integer(replication.replicas_at(late.wait->offset), &memory));
    end_wait(late);
    return;
  }
  deliver(late.id, Reply::null_array(&memory));
  unblock(late);
}

}  // namespace locklapse::redis
