// What each kind of fault does to a world.
#include <charconv>
#include <new>

#include "sim/world/world.h"

namespace locklapse {

namespace {

constexpr std::uint64_t kIdMask = 0xffff;

// What is planned for a process (or a client in it) is void once the process has crashed.
std::uint64_t in_this_life(const Process& process, std::uint16_t id) {
  return (std::uint64_t{process.life} << 16) | id;
}

}  // namespace

void World::fired(std::uint32_t fault) {
  journal.add({.at = kernel.now(), .kind = EventKind::kFaultFired, .number = fault});
}

void World::act_now(void* target, std::uint64_t index) {
  auto& world = *static_cast<World*>(target);
  const Action action = world.actions_[index];
  world.act(action);
}

void World::act(const Action& action) {
  switch (action.kind) {
    case Action::Kind::kPause:
      if (processes_[action.target]->crashed) return;
      pause(action.target, action.length, action.why);
      break;
    case Action::Kind::kStall: {
      Client& client = *clients_[action.target];
      if (client.process.crashed) return;
      client.note(EventKind::kStalled, action.why, action.length.ns);
      client.thread.close();
      kernel.at(kernel.now() + action.length, nullptr, &unstall, this,
                in_this_life(client.process, action.target));
      break;
    }
    case Action::Kind::kSlow: {
      Client& client = *clients_[action.target];
      client.slowed = client.slowed + action.length;
      client.note(EventKind::kSlowed, action.why, action.length.ns);
      break;
    }
    case Action::Kind::kCrash:
      if (processes_[action.target]->crashed) return;
      crash(action.target, action);
      break;
    case Action::Kind::kRestart:
      restart(action.target);
      break;
    case Action::Kind::kPartition:
      partition(*clients_[action.target], action.length);
      break;
    case Action::Kind::kClockStep:
    case Action::Kind::kClockDrift:
      change_clock(action.target, action);
      break;
    case Action::Kind::kOperator:
      run_operator(action);
      break;
  }
  fired(action.index);
}

void World::pause(PlaceId process, Duration length, std::string_view why) {
  journal.add({.at = kernel.now(),
               .kind = EventKind::kPaused,
               .place = process,
               .text = why,
               .number = length.ns});
  processes_[process]->gate.close();
  kernel.at(kernel.now() + length, nullptr, &resume_process, this,
            in_this_life(*processes_[process], process));
}

void World::resume_process(void* target, std::uint64_t planned) {
  auto& world = *static_cast<World*>(target);
  const auto id = static_cast<PlaceId>(planned & kIdMask);
  Process& process = *world.processes_[id];
  if (planned != in_this_life(process, id)) return;
  world.journal.add({.at = world.kernel.now(), .kind = EventKind::kResumed, .place = id});
  process.gate.open();
}

void World::unstall(void* target, std::uint64_t planned) {
  auto& world = *static_cast<World*>(target);
  const auto id = static_cast<ClientId>(planned & kIdMask);
  Client& client = *world.clients_[id];
  if (planned != in_this_life(client.process, id)) return;
  client.note(EventKind::kUnstalled);
  client.thread.open();
}

void World::crash(PlaceId id, const Action& action) {
  Process& process = *processes_[id];
  journal.add({.at = kernel.now(), .kind = EventKind::kCrashed, .place = id, .text = action.why});
  process.crashed = true;
  ++process.life;
  for (Client* client : clients_) {
    if (&client->process != &process) continue;
    client->roots.cancel_all();
    client->thread.reset();
    client->renewal_thread.reset();
    if (client->inside) client->note(EventKind::kLeft, "crashed");
    client->inside = false;
    client->slowed = Duration{};
  }
  process.gate.reset();
  if (action.restart_after) {
    kernel.at(kernel.now() + *action.restart_after, nullptr, &restart_later, this, id);
  }
}

void World::restart_later(void* target, std::uint64_t process) {
  static_cast<World*>(target)->restart(static_cast<PlaceId>(process));
}

void World::restart(PlaceId id) {
  Process& process = *processes_[id];
  if (!process.crashed) {
    // Restarting a live process stops it first: what it had in hand is gone.
    crash(id, Action{});
  }
  process.crashed = false;
  journal.add({.at = kernel.now(), .kind = EventKind::kRestarted, .place = id});
  for (Client* client : clients_) {
    if (&client->process == &process) kernel.post(&client->thread, &start_client, client);
  }
}

void World::partition(Client& client, Duration length) {
  client.note(EventKind::kPartitioned, {}, length.ns);
  client.redis.cut();
  client.renewals.cut();
  client.mailbox.cut();
  kernel.at(kernel.now() + length, nullptr, &heal, this, client.id);
}

void World::heal(void* target, std::uint64_t id) {
  auto& world = *static_cast<World*>(target);
  Client& client = *world.clients_[id];
  client.note(EventKind::kHealed);
  client.redis.heal();
  client.renewals.heal();
  client.mailbox.heal();
}

void World::change_clock(PlaceId id, const Action& action) {
  Host& host = *hosts_[id];
  const bool is_step = action.kind == Action::Kind::kClockStep;
  journal.add({.at = kernel.now(),
               .kind = is_step ? EventKind::kClockStepped : EventKind::kClockDrifted,
               .place = id,
               .text = action.why,
               .number = is_step ? action.length.ns : action.ppm});
  if (is_step) {
    host.wall_clock.step(kernel.now(), action.length);
  } else {
    host.wall_clock.set_drift(kernel.now(), action.ppm);
    host.monotonic_clock.set_drift(kernel.now(), action.ppm);
  }
  if (id == node_host_) node_->clock_changed();
}

void World::run_operator(const Action& action) {
  std::pmr::string line(&arena);
  for (const std::string_view word : action.argv) {
    if (!line.empty()) line += ' ';
    line += word;
  }
  journal.add({.at = kernel.now(),
               .kind = EventKind::kOperator,
               .phase = Phase::kOperator,
               .place = 0,
               .text = journal.keep(line),
               .detail = action.why});
  node_->execute_for_operator(action.argv, action.db);
}

}  // namespace locklapse
