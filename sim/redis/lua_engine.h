// Scripts in PUC Lua 5.1, in the sandbox that Redis 7.0 gives them.
//
// Contract
//   - Deterministic: a script's reply depends on its source, its arguments and what redis.call
//     answers. No clock, no file, no address can be seen; math.random starts from one seed; a table
//     with tables for keys refuses to be walked, for its order would hang on addresses.
//   - A script leaves nothing behind. The tables it shares with other scripts are read-only, and
//     its garbage is collected between runs, never during one.
//   - A script ends: by itself, or with an error reply at its limits of instructions and memory,
//     which it cannot catch. Library calls count by what they cost.
//   - Not thread-safe. One engine serves any number of servers, one script at a time.
//
// Differences from a real server that a script can notice: no cjson, cmsgpack and struct (they read
// like any unknown global), and collectgarbage does nothing.
#pragma once

#include <memory>

#include "sim/redis/script_engine.h"

namespace locklapse::redis {

struct LuaVm;  // sim/redis/lua_vm.h

class LuaEngine final : public ScriptEngine {
 public:
  explicit LuaEngine(const ScriptLimits& limits = {});
  ~LuaEngine() override;
  LuaEngine(const LuaEngine&) = delete;
  LuaEngine& operator=(const LuaEngine&) = delete;

  Reply run(std::string_view source, std::string_view sha, std::span<const std::string_view> keys,
            std::span<const std::string_view> args, ScriptHost& host,
            std::pmr::memory_resource& memory) override;
  Reply check(std::string_view source, std::string_view sha,
              std::pmr::memory_resource& memory) override;

 private:
  std::unique_ptr<LuaVm> vm_;
};

}  // namespace locklapse::redis
