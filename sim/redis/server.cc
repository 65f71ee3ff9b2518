#include "sim/redis/server.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/redis/server_state.h"

namespace locklapse::redis {

namespace {

// The server's cron runs ten times a second.
constexpr std::int64_t kTickMs = 100;
// Later instants do not fit into a wall time.
constexpr std::int64_t kLatestMs = std::numeric_limits<std::int64_t>::max() / 1000 - kTickMs;

constexpr std::int64_t floor_to_tick(std::int64_t ms) {
  return ms - ((ms % kTickMs) + kTickMs) % kTickMs;
}

// The first tick at which the active cycle takes a key with this deadline. REQUIRES: deadline_ms <=
// kLatestMs.
constexpr std::int64_t expiry_tick_ms(std::int64_t deadline_ms, Dialect dialect) {
  if (expires_actively_at_deadline(dialect)) --deadline_ms;
  return floor_to_tick(deadline_ms) + kTickMs;
}

}  // namespace

Server::Server(std::pmr::memory_resource& memory, ScriptEngine& scripts, const ServerConfig& config,
               KeyspaceObserver* observer)
    : state_(std::pmr::polymorphic_allocator<>(&memory).new_object<ServerState>(
          memory, scripts, config, observer)) {}

Server::~Server() { std::pmr::polymorphic_allocator<>(&state_->memory).delete_object(state_); }

ConnectionId Server::connect() { return state_->connect(); }

void Server::disconnect(ConnectionId connection) {
  if (Connection* known = state_->connection(connection)) state_->disconnect(*known);
}

void Server::execute(ConnectionId connection, Argv argv, WallTime now, Outbox& outbox) {
  state_->begin(now, outbox);
  state_->execute_waiting();
  state_->execute(connection, argv);
  state_->execute_waiting();
}

void Server::wake(WallTime now, Outbox& outbox) {
  state_->begin(now, outbox);
  state_->time_out_blocked();
  if (state_->expires_actively()) {
    for (Key* key = state_->keys.next_deadline();
         key != nullptr && key->second.deadline_ms <= kLatestMs &&
         expiry_tick_ms(key->second.deadline_ms, state_->config.dialect) <= now.ms();
         key = state_->keys.next_deadline()) {
      state_->expire_actively(*key);
    }
  }
  state_->execute_waiting();
}

bool Server::timeouts_tie() const { return state_->timeouts_tie(); }

std::optional<WallTime> Server::next_wakeup() const {
  std::int64_t earliest_ms = std::numeric_limits<std::int64_t>::max();
  // A blocked command times out once its time lies in the past.
  if (const auto timeout_ms = state_->next_timeout_ms(); timeout_ms && *timeout_ms <= kLatestMs) {
    earliest_ms = *timeout_ms + 1;
  }
  if (state_->pause && state_->pause->until_ms < kLatestMs) {
    earliest_ms = std::min(earliest_ms, state_->pause->until_ms + 1);
  }
  const Key* key = state_->expires_actively() ? state_->keys.next_deadline() : nullptr;
  if (key != nullptr && key->second.deadline_ms <= kLatestMs) {
    earliest_ms = std::min(earliest_ms,
                           expiry_tick_ms(key->second.deadline_ms, state_->config.dialect));
  }
  if (earliest_ms == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return WallTime{earliest_ms * 1000};
}

std::int64_t Server::take_busy_ms() { return std::exchange(state_->busy_ms, 0); }

void Server::clock_moved(WallTime now) { state_->clock_moved(now); }

void Server::set_busy_script(BusyScript busy) { state_->busy_script = busy; }

bool Server::take_script_kill() { return std::exchange(state_->script_killed, false); }

void Server::set_save_failing(bool failing) { state_->save_failing = failing; }

void Server::tell_ended_ttls(WallTime now) {
  for (Key* key = state_->keys.next_untold(); key != nullptr && Keyspace::dead_at(*key, now.ms());
       key = state_->keys.next_untold()) {
    if (state_->observer != nullptr) {
      state_->observer->on_ttl_ended(key->second.db, key->first.name, key->second.object.owner(),
                                     key->second.deadline_ms);
    }
    state_->keys.mark_told(*key);
  }
}

std::optional<std::int64_t> Server::next_deadline_ms() const {
  const Key* key = state_->keys.next_untold();
  if (key == nullptr) return std::nullopt;
  return key->second.deadline_ms;
}

}  // namespace locklapse::redis
