#include "sim/world/world.h"

#include <charconv>

namespace locklapse {

World::World(Arena& its_arena, Chooser& its_chooser, const NetworkPlan& network)
    : arena(its_arena), chooser(its_chooser), kernel(arena), journal(arena), network_(network),
      pins_(arena), hosts_(&arena), processes_(&arena), clients_(&arena), actions_(&arena),
      client_infos_(&arena), host_names_(&arena), process_names_(&arena), node_names_(&arena),
      resource_names_(&arena) {}

PlaceId World::add_host(std::string_view name, Duration skew, std::int64_t drift_ppm) {
  hosts_.push_back(&arena.make<Host>(name, skew, drift_ppm));
  host_names_.push_back(name);
  const auto id = static_cast<PlaceId>(hosts_.size() - 1);
  if (drift_ppm != 0) {
    journal.add({.at = Time{}, .kind = EventKind::kClockDrifted, .place = id, .number = drift_ppm});
  }
  return id;
}

PlaceId World::add_process(std::string_view name, PlaceId host_id) {
  processes_.push_back(&arena.make<Process>(kernel, arena, name, host_id));
  process_names_.push_back(name);
  return static_cast<PlaceId>(processes_.size() - 1);
}

Node& World::add_node(std::string_view name, Duration skew, std::int64_t drift_ppm,
                      redis::BackendSource& nodes, const redis::ServerConfig& config) {
  node_host_ = add_host(name, skew, drift_ppm);
  node_names_.push_back(name);
  node_ = &arena.make<Node>(*this, PlaceId{0}, *hosts_[node_host_], nodes, config);
  return *node_;
}

Resource& World::add_resource(std::string_view name, const ResourcePlan& plan) {
  resource_names_.push_back(name);
  return arena.make<Resource>(*this, static_cast<PlaceId>(resource_names_.size() - 1), plan);
}

Client& World::add_client(const ClientPlan& plan, Resource* guarded) {
  const auto id = static_cast<ClientId>(clients_.size());
  Process& process = *processes_[plan.info.process];
  clients_.push_back(&arena.make<Client>(*this, id, plan, process, *node_, guarded));
  client_infos_.push_back(plan.info);
  return *clients_.back();
}

std::uint64_t World::keep_action(const Action& action) {
  actions_.push_back(action);
  return actions_.size() - 1;
}

void World::add_action(Time at, const Action& action) {
  kernel.at(at, nullptr, &act_now, this, keep_action(action));
}

RunEnd World::run(Time horizon, const RunLimits& limits) {
  has_pins_ = !pins_.empty();
  for (Client* client : clients_) kernel.post(&client->thread, &start_client, client);
  while (!kernel.idle()) {
    if (!kernel.step(horizon)) return RunEnd::kHorizon;
    if (journal.events().size() > limits.events_max || kernel.steps() > limits.steps_max ||
        arena.used_bytes() > limits.arena_bytes_max) {
      return RunEnd::kLimit;
    }
  }
  return RunEnd::kIdle;
}

void World::start_client(void* target, std::uint64_t) {
  auto& client = *static_cast<Client*>(target);
  if (client.live != nullptr) client.live(client, client.life);
}

Duration World::choose_up_to(Duration span, ChoiceLabel label) {
  if (span.ns < 1'000) return {};
  std::int64_t grain_us = 1;
  while (span.us() / grain_us >= (std::int64_t{1} << 30)) grain_us *= 1'000;
  const auto n = static_cast<std::uint32_t>(span.us() / grain_us + 1);
  return microseconds(chooser.choose(n, label) * grain_us);
}

std::string_view World::words(const redis::Reply& reply) {
  switch (reply.type()) {
    case redis::Reply::Type::kSimple: return journal.keep(reply.text());
    case redis::Reply::Type::kNullBulk: return "(nil)";
    case redis::Reply::Type::kInteger: {
      if (reply.integer() == 0) return "0";
      if (reply.integer() == 1) return "1";
      char digits[24];
      const auto end = std::to_chars(digits, digits + sizeof digits, reply.integer()).ptr;
      return journal.keep({digits, static_cast<std::size_t>(end - digits)});
    }
    default: {
      std::pmr::string text(&arena);
      redis::describe(reply, text);
      return journal.keep(text);
    }
  }
}

bool World::reach_step(ClientId client, Stage stage, Phase phase, std::string_view command, Point point,
                       bool before) {
  if (!has_pins_) return false;
  bool at_once = false;
  pins_.at_step(client, stage, phase, command, point, before, [&](const Pins::Hit& hit) {
    const std::uint64_t action = keep_action(*hit.action);
    if (hit.plus > Duration{}) {
      kernel.at(kernel.now() + hit.plus, nullptr, &act_now, this, action);
    } else {
      kernel.post(nullptr, &act_now, this, action);
      at_once = true;
    }
  });
  return at_once;
}

const MessageFault* World::message_fault(ClientId client, Phase phase, std::string_view command,
                                         bool reply) {
  if (!has_pins_) return nullptr;
  const MessageFault* fault = pins_.on_message(client, phase, command, reply);
  if (fault != nullptr) fired(fault->index);
  return fault;
}

}  // namespace locklapse
