// The world of one run: hosts, processes, clients, one Redis node, a guarded resource, and what goes wrong.
//
// Everything mutable lives in one arena; the world itself is made in it and is thrown away by resetting
// it, without destructors. Build it with the add functions, then run() it once.
//
// Contract
//   - views and plans passed in must outlive the run; nothing is copied but what happens.
//   - the same plans and the same choices give the same journal, byte for byte.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/arena.h"
#include "sim/core/choice.h"
#include "sim/core/journal.h"
#include "sim/core/kernel.h"
#include "sim/redis/backend_source.h"
#include "sim/world/client.h"
#include "sim/world/clock.h"
#include "sim/world/fault.h"
#include "sim/world/node.h"
#include "sim/world/pins.h"
#include "sim/world/process.h"
#include "sim/world/resource.h"

namespace locklapse {

struct NetworkPlan {
  Duration latency_min = milliseconds(1);
  Duration latency_max = milliseconds(1);
};

// How far a run may go before it is cut short (and its history marked incomplete).
struct RunLimits {
  std::uint64_t steps_max = 20'000'000;
  std::size_t events_max = 1'000'000;
  std::size_t arena_bytes_max = std::size_t{512} << 20;
};

enum class RunEnd : std::uint8_t {
  kIdle,       // nothing is left to happen
  kHorizon,    // the planned end came first
  kLimit,      // a limit cut it short
};

class World {
 public:
  World(Arena& arena, Chooser& chooser, const NetworkPlan& network);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  PlaceId add_host(std::string_view name, Duration skew, std::int64_t drift_ppm);
  PlaceId add_process(std::string_view name, PlaceId host);
  // The node goes onto a host of its own. REQUIRES: called once, after all add_host().
  Node& add_node(std::string_view name, Duration skew, std::int64_t drift_ppm,
                 redis::BackendSource& nodes, const redis::ServerConfig& config);
  Resource& add_resource(std::string_view name, const ResourcePlan& plan);
  // REQUIRES: the node was added before. `guarded` may be null.
  Client& add_client(const ClientPlan& plan, Resource* guarded);

  // The action is copied; it comes at a time, or after or before a step.
  void add_action(Time at, const Action& action);
  void add_pinned_action(const StepPattern& pattern, const Action& action, Duration plus) {
    pins_.add(pattern, action, plus);
  }
  void add_message_fault(const MessageFault& fault) { pins_.add(fault); }

  // Starts every client's life and runs until nothing is left, the horizon, or a limit.
  RunEnd run(Time horizon, const RunLimits& limits);

  // For the parts of a world.
  std::uint32_t next_command_id() { return ++last_command_; }
  Duration choose_latency(ClientId client) {
    return network_.latency_min +
           choose_up_to(network_.latency_max - network_.latency_min, {ChoiceKind::kLatency, client});
  }
  // A choice between 0 and `span`, in steps of a microsecond (coarser above 2^30 us).
  Duration choose_up_to(Duration span, ChoiceLabel label);
  // A reply as a person reads it; lives as long as the run.
  std::string_view words(const redis::Reply& reply);
  // Tells the pins that a step was reached; true when a fault is about to act at this instant.
  bool reach_step(ClientId client, Stage stage, Phase phase, std::string_view command, Point point,
                  bool before);
  // The fault that befalls this message, or null.
  const MessageFault* message_fault(ClientId client, Phase phase, std::string_view command, bool reply);

  std::span<const ClientInfo> client_infos() const { return client_infos_; }
  std::span<const std::string_view> host_names() const { return host_names_; }
  std::span<const std::string_view> process_names() const { return process_names_; }
  std::span<const std::string_view> node_names() const { return node_names_; }
  std::span<const std::string_view> resource_names() const { return resource_names_; }
  Host& host(PlaceId id) { return *hosts_[id]; }

  Arena& arena;
  Chooser& chooser;
  Kernel kernel;
  Journal journal;

 private:
  static void act_now(void* world, std::uint64_t action);
  static void resume_process(void* world, std::uint64_t planned);
  static void unstall(void* world, std::uint64_t planned);
  static void heal(void* world, std::uint64_t client);
  static void restart_later(void* world, std::uint64_t process);
  static void start_client(void* client, std::uint64_t);
  void act(const Action& action);
  void pause(PlaceId process, Duration length, std::string_view why);
  void crash(PlaceId process, const Action& action);
  void restart(PlaceId process);
  void partition(Client& client, Duration length);
  void change_clock(PlaceId host, const Action& action);
  void run_operator(const Action& action);
  void fired(std::uint32_t fault);
  std::uint64_t keep_action(const Action& action);

  NetworkPlan network_;
  Pins pins_;
  bool has_pins_ = false;
  std::uint32_t last_command_ = 0;
  Node* node_ = nullptr;
  PlaceId node_host_ = 0;
  std::pmr::vector<Host*> hosts_;
  std::pmr::vector<Process*> processes_;
  std::pmr::vector<Client*> clients_;
  std::pmr::vector<Action> actions_;
  std::pmr::vector<ClientInfo> client_infos_;
  std::pmr::vector<std::string_view> host_names_, process_names_, node_names_, resource_names_;
};

}  // namespace locklapse
