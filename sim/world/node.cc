#include "sim/world/node.h"

#include <charconv>
#include <cstring>
#include <utility>

#include "sim/world/requester.h"
#include "sim/world/world.h"

namespace locklapse {

Node::Node(World& world, PlaceId place, Host& host, redis::BackendSource& nodes,
           const redis::ServerConfig& config)
    : world_(world), place_(place), host_(host), server_(nodes.make(world.arena, config, this)),
      outbox_(&world.arena), peers_(&world.arena) {}

redis::ConnectionId Node::connect(int db) {
  const redis::ConnectionId connection = server_.connect();
  if (db != 0) {
    char digits[12];
    const auto end = std::to_chars(digits, digits + sizeof digits, db).ptr;
    const std::string_view argv[] = {"SELECT", {digits, static_cast<std::size_t>(end - digits)}};
    server_.execute(connection, argv, host_.wall(world_.kernel.now()), outbox_);
    outbox_.clear();
  }
  return connection;
}

void Node::execute(Command& command, std::uint32_t sending) {
  Requester& requester = *command.requester;
  if (!requester.connection) {
    requester.connection = connect(world_.client_infos()[command.client].db);
    peer(*requester.connection).requester = &requester;
  }
  const redis::ConnectionId connection = *requester.connection;
  Peer& from = peer(connection);
  from.command = &command;
  from.sending = sending;
  server_.execute(connection, command.argv, host_.wall(world_.kernel.now()), outbox_);
  flush();
  plan_wakeups();
}

void Node::execute_for_operator(std::span<const std::string_view> argv, int db) {
  const redis::ConnectionId connection = connect(db);
  server_.execute(connection, argv, host_.wall(world_.kernel.now()), outbox_);
  flush();
  server_.disconnect(connection);
  plan_wakeups();
}

void Node::flush() {
  for (redis::Delivery& delivery : outbox_) {
    Peer& to = peer(delivery.to);
    if (delivery.push) {
      if (to.requester != nullptr) to.requester->push();
      continue;
    }
    // An operator's connection has no command of ours; nobody reads the answer.
    Command* command = std::exchange(to.command, nullptr);
    if (command == nullptr) continue;
    world_.journal.add({.at = world_.kernel.now(),
                        .kind = EventKind::kExecuted,
                        .phase = command->phase,
                        .client = command->client,
                        .place = place_,
                        .attempt = command->attempt,
                        .command = command->id,
                        .text = world_.words(delivery.reply),
                        .number = to.sending});
    command->requester->reply(*command, to.sending, std::move(delivery.reply));
  }
  outbox_.clear();
}

void Node::wake(void* target, std::uint64_t) {
  auto& node = *static_cast<Node*>(target);
  node.wake_us_ = kNever;
  node.server_.wake(node.host_.wall(node.world_.kernel.now()), node.outbox_);
  node.flush();
  node.plan_wakeups();
}

void Node::end_ttls(void* target, std::uint64_t) {
  auto& node = *static_cast<Node*>(target);
  node.ttl_us_ = kNever;
  node.server_.tell_ended_ttls(node.host_.wall(node.world_.kernel.now()));
  node.plan_wakeups();
}

void Node::clock_changed() {
  // The same readings now stand for other instants.
  world_.kernel.cancel(wake_timer_);
  world_.kernel.cancel(ttl_timer_);
  wake_us_ = ttl_us_ = kNever;
  plan_wakeups();
}

void Node::plan_wakeups() {
  const std::optional<std::int64_t> deadline = server_.next_deadline_ms();
  plan(ttl_timer_, ttl_us_, deadline ? (*deadline + 1) * 1'000 : kNever, &end_ttls);
  const std::optional<WallTime> next = server_.next_wakeup();
  plan(wake_timer_, wake_us_, next ? next->us : kNever, &wake);
}

void Node::plan(Timer& timer, std::int64_t& planned_us, std::int64_t at_us, Callback callback) {
  if (planned_us == at_us) return;
  world_.kernel.cancel(timer);
  planned_us = at_us;
  if (at_us == kNever) return;
  timer = world_.kernel.at(host_.when_wall(WallTime{at_us}, world_.kernel.now()), nullptr, callback, this);
}

// Keys of other databases than 0 are told apart by name, so that a history needs no databases.
std::string_view Node::key_name(int db, std::string_view key) {
  if (db == 0) return world_.journal.keep(key);
  char name[16] = "db";
  char* end = std::to_chars(name + 2, name + sizeof name - 1, db).ptr;
  *end++ = '/';
  const auto prefix = static_cast<std::size_t>(end - name);
  char* text = static_cast<char*>(world_.arena.take(prefix + key.size()));
  std::memcpy(text, name, prefix);
  std::memcpy(text + prefix, key.data(), key.size());
  return {text, prefix + key.size()};
}

void Node::on_key_change(const redis::KeyChange& change) {
  Event event{.at = world_.kernel.now(), .kind = EventKind::kKeyWritten, .place = place_};
  switch (change.kind) {
    case redis::KeyChangeKind::kWritten: event.kind = EventKind::kKeyWritten; break;
    case redis::KeyChangeKind::kDeadline: event.kind = EventKind::kKeyDeadline; break;
    case redis::KeyChangeKind::kRemoved: event.kind = EventKind::kKeyRemoved; break;
    case redis::KeyChangeKind::kExpired: event.kind = EventKind::kKeyExpired; break;
    case redis::KeyChangeKind::kEvicted: event.kind = EventKind::kKeyEvicted; break;
    case redis::KeyChangeKind::kLost: event.kind = EventKind::kKeyRemoved; break;
    case redis::KeyChangeKind::kLoaded: event.kind = EventKind::kKeyWritten; break;
  }
  const bool gone = change.kind == redis::KeyChangeKind::kRemoved ||
                    change.kind == redis::KeyChangeKind::kExpired ||
                    change.kind == redis::KeyChangeKind::kEvicted ||
                    change.kind == redis::KeyChangeKind::kLost;
  const Command* command = change.by == redis::kNobody ? nullptr : peer(change.by).command;
  if (command != nullptr && change.kind != redis::KeyChangeKind::kExpired) {
    event.phase = command->phase;
    event.client = command->client;
    event.attempt = command->attempt;
    event.command = command->id;
  }
  event.text = key_name(change.db, change.key);
  event.detail = world_.journal.keep(gone ? change.owner_before : change.owner_after);
  event.number = change.deadline_ms;
  event.extra = change.count_after;
  world_.journal.add(event);
}

void Node::on_ttl_ended(int db, std::string_view key, std::string_view owner, std::int64_t deadline_ms) {
  world_.journal.add({.at = world_.kernel.now(),
                      .kind = EventKind::kTtlEnded,
                      .place = place_,
                      .text = key_name(db, key),
                      .detail = world_.journal.keep(owner),
                      .number = deadline_ms});
}

}  // namespace locklapse
