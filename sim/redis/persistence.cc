#include "sim/redis/persistence.h"

#include <algorithm>
#include <limits>

#include "sim/redis/server_state.h"
#include "sim/redis/snapshot.h"

namespace locklapse::redis {

Persistence::Persistence(ServerState& server, const PersistenceConfig& config)
    : server_(server),
      config_(config),
      file_(&server.memory),
      unsynced_(&server.memory),
      loaded_at_ms_(std::numeric_limits<std::int64_t>::min()) {}

Persistence::~Persistence() {
  drop(snapshot_);
  drop(base_);
  drop(next_base_);
}

Persistence::Snapshot* Persistence::take_snapshot() {
  auto* taken = std::pmr::polymorphic_allocator<>(&server_.memory).new_object<Snapshot>(server_.memory);
  copy_keys(server_.keys, taken->keys);
  taken->position = server_.replication.position();
  return taken;
}

void Persistence::drop(Snapshot*& snapshot) {
  if (snapshot != nullptr) {
    std::pmr::polymorphic_allocator<>(&server_.memory).delete_object(snapshot);
  }
  snapshot = nullptr;
}

// --- the append-only file

void Persistence::append(Propagation& unit) {
  if (!config_.has_aof()) return;
  file_.append(unit.bytes_for(selected_));
  written();
}

void Persistence::append(std::string_view bytes, SelectedDb at, SelectedDb afterwards) {
  if (!config_.has_aof()) return;
  if (selected_.db != at.db && at.db != SelectedDb::kUnknown) encode_select(at.db, file_);
  file_.append(bytes);
  selected_ = afterwards;
  written();
}

void Persistence::written() {
  const std::int64_t second = server_.now_ms() / 1000;
  sync();
  // Behind a clock that was set back the server waits until it has caught up.
  if (unsynced_.empty() || unsynced_.back().second < second) unsynced_.push_back({second, 0});
  unsynced_.back().end = file_end();
  sync();
  if (static_cast<std::int64_t>(file_.size()) > config_.aof_rewrite_bytes) rewrite();
}

void Persistence::sync() {
  std::int64_t last = server_.now_ms() / 1000;
  if (config_.kind == PersistenceKind::kAofEverySecond) last -= 1;
  if (config_.kind == PersistenceKind::kAofNo) last -= config_.writeback_s;
  const bool always = config_.kind == PersistenceKind::kAofAlways;
  for (; !unsynced_.empty() && (always || unsynced_.front().second <= last); unsynced_.pop_front()) {
    synced_ = unsynced_.front().end;
  }
  if (next_base_ != nullptr && synced_ >= next_begin_) {
    std::swap(base_, next_base_);
    drop(next_base_);
    file_.erase(0, static_cast<std::size_t>(next_begin_ - file_begin_));
    file_begin_ = next_begin_;
  }
}

void Persistence::rewrite() {
  if (next_base_ != nullptr) return;
  next_base_ = take_snapshot();
  next_begin_ = file_end();
  selected_ = {};  // what follows must stand on its own
  sync();
}

void Persistence::restart_file() {
  if (!config_.has_aof()) return;
  drop(next_base_);
  drop(base_);
  base_ = take_snapshot();
  file_begin_ = synced_ = file_end();
  file_.clear();
  unsynced_.clear();
  selected_ = {};
}

void Persistence::load_file(Keyspace& keys) {
  // A server of its own, so that nobody hears of what the file has been through.
  const ServerConfig plain{.active_expire = false, .value_bytes_max = server_.config.value_bytes_max};
  Outbox unheard(&server_.memory);
  ServerState reader(server_.memory, server_.engine, plain, nullptr);
  reader.begin(server_.now(), unheard);
  if (base_ != nullptr) copy_keys(base_->keys, reader.keys);
  SelectedDb db{.db = 0};
  reader.apply(file_, db);
  copy_keys(reader.keys, keys);
}

// --- the process

void Persistence::save() {
  drop(snapshot_);
  snapshot_ = take_snapshot();
}

void Persistence::stop(StopKind kind) {
  if (kind == StopKind::kShutdown && config_.kind == PersistenceKind::kRdb) save();
  if (!config_.has_aof()) return;
  sync();
  if (kind == StopKind::kMachineCrash) {
    file_.resize(static_cast<std::size_t>(synced_ - file_begin_));
    drop(next_base_);
  }
  unsynced_.clear();
  synced_ = file_end();
  selected_ = {};
}

void Persistence::start() {
  loaded_at_ms_ = server_.now_ms() + config_.loading_ms;
  Keyspace kept(server_.memory);
  const bool from_snapshot = !config_.has_aof() && snapshot_ != nullptr;
  if (from_snapshot) copy_keys(snapshot_->keys, kept);
  if (config_.has_aof()) load_file(kept);
  if (from_snapshot && server_.replication.is_master()) {
    server_.replication.restart(snapshot_->position);
    // What is dead is not loaded; replicas, which may have it, are told.
    for (Key* key = kept.next_deadline(); key != nullptr && Keyspace::dead_at(*key, server_.now_ms());
         key = kept.next_deadline()) {
      server_.propagate_removal(*key);
      server_.end_unit();
      kept.take(*key);
    }
  } else {
    server_.replication.restart(from_snapshot ? std::optional(snapshot_->position) : std::nullopt);
  }
  replace_keys(server_, kept);
}

}  // namespace locklapse::redis
