// Where the nodes of a world come from: the model, or real servers (sim/live).
#pragma once

#include "sim/core/arena.h"
#include "sim/redis/script_engine.h"
#include "sim/redis/server.h"

namespace locklapse::redis {

class BackendSource {
 public:
  virtual ~BackendSource() = default;
  // A new empty server. It lives until the arena is reset or the source begins another run, whichever comes
  // first. REQUIRES: config.password, observer and source outlive it.
  virtual Backend& make(Arena& arena, const ServerConfig& config, KeyspaceObserver* observer) = 0;
};

class ModelSource final : public BackendSource {
 public:
  // REQUIRES: the engine outlives the source.
  explicit ModelSource(ScriptEngine& scripts) : scripts_(scripts) {}

  Backend& make(Arena& arena, const ServerConfig& config, KeyspaceObserver* observer) override {
    return arena.make<Server>(arena, scripts_, config, observer);
  }

 private:
  ScriptEngine& scripts_;
};

}  // namespace locklapse::redis
