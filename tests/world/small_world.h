// A world small enough for a test: one host, one process per client, one Redis node, no resource unless asked.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/arena.h"
#include "sim/core/choice.h"
#include "sim/redis/lua_engine.h"
#include "sim/world/world.h"

namespace locklapse {

class SmallWorld {
 public:
  explicit SmallWorld(const NetworkPlan& network = {}, std::uint64_t seed = 0)
      : chooser_(seed), use_(arena_),
        world_(arena_.make<World>(arena_, chooser_, network)) {
    world_.add_host("host", Duration{}, 0);
    add_process("p0");
    add_process("p1");
  }

  void add_process(std::string_view name) { world_.add_process(name, 0); }
  Node& node() {
    if (node_ == nullptr) node_ = &world_.add_node("redis", Duration{}, 0, model(), {});
    return *node_;
  }
  Resource& resource(const ResourcePlan& plan) { return world_.add_resource("stock", plan); }
  Client& client(std::string_view name, PlaceId process = 0, const RequestPolicy& policy = {},
                 Resource* guarded = nullptr) {
    node();
    ClientPlan plan;
    plan.info.name = name;
    plan.info.process = process;
    plan.info.key = plan.info.lock_name = "lock";
    plan.info.thread = name;
    plan.info.ttl_ms = 1000;
    plan.policy = policy;
    return world_.add_client(plan, guarded);
  }
  // What the client does, from the start and again after each restart.
  void does(Client& client, std::function<Task<>(Client&)> life) {
    lives_.push_back(std::make_unique<std::function<Task<>(Client&)>>(std::move(life)));
    client.life = lives_.back().get();
    client.live = [](Client& c, void* how) {
      c.roots.start((*static_cast<std::function<Task<>(Client&)>*>(how))(c));
    };
  }
  RunEnd run(Duration horizon = seconds(3600)) { return world_.run(Time{} + horizon, RunLimits{}); }

  World& operator*() { return world_; }
  World* operator->() { return &world_; }

  std::vector<Event> all(EventKind kind) const {
    std::vector<Event> found;
    for (const Event& event : world_.journal.events()) {
      if (event.kind == kind) found.push_back(event);
    }
    return found;
  }
  std::size_t count(EventKind kind) const { return all(kind).size(); }
  // When events of a kind took place, in ms.
  std::vector<std::int64_t> times_ms(EventKind kind) const {
    std::vector<std::int64_t> times;
    for (const Event& event : all(kind)) times.push_back(event.at.ms());
    return times;
  }
  std::vector<std::string> texts(EventKind kind) const {
    std::vector<std::string> texts;
    for (const Event& event : all(kind)) texts.emplace_back(event.text);
    return texts;
  }

  static redis::ModelSource& model() {
    static redis::LuaEngine engine;
    static redis::ModelSource source(engine);
    return source;
  }

 private:
  Arena arena_;
  SeededChooser chooser_;
  Arena::Use use_;
  World& world_;
  Node* node_ = nullptr;
  std::vector<std::unique_ptr<std::function<Task<>(Client&)>>> lives_;
};

// A command with these words, to be awaited.
template <typename... Words>
Operation command(CommandPort& port, Phase phase, std::string_view name, Words... words) {
  return Operation(port, phase, 1, name, [&](Operation& o) { (o.add(words), ...); });
}

}  // namespace locklapse
