// What a server needs of a script language: run a script whose redis.call comes back to the server.
//
// The engine (PUC Lua 5.1, sim/redis/lua_engine.h) is one VM, made once and reused by every server
// of every run: a new VM costs some 90 us. It keeps compiled chunks by SHA1 and nothing of any
// server: which scripts a server *knows* (EVALSHA, NOSCRIPT) is the server's own state. A script
// can leave nothing behind: globals are protected, and math.random is re-seeded for every script.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>

#include "sim/redis/dialect.h"
#include "sim/redis/reply.h"

namespace locklapse::redis {

// The server's side of a running script.
class ScriptHost {
 public:
  virtual ~ScriptHost() = default;
  // redis.call / redis.pcall: executes argv now and returns its reply; an error reply is returned,
  // not thrown.
  virtual Reply call_from_script(std::span<const std::string_view> argv) = 0;
  // Whether redis.call would find this command.
  virtual bool knows_command(std::span<const std::string_view> argv) const = 0;
  virtual Dialect dialect() const { return Dialect::kRedis70; }
  // redis.setresp: with 3, maps and doubles reach the script as such.
  virtual void speak_resp(int /*version*/) {}
  // The protocol of the client that runs the script.
  virtual int client_resp() const { return 2; }
  // How many elements the script's commands have had to look at, for limits on what a script may
  // cost.
  virtual std::int64_t work_done() const { return 0; }
};

struct ScriptLimits {
  std::int64_t instructions_max = 10'000'000;
  std::size_t memory_bytes_max = 64u << 20;
};

class ScriptEngine {
 public:
  virtual ~ScriptEngine() = default;
  // Runs `source` (whose SHA1 in lower-case hex is `sha`) with KEYS and ARGV. Compile errors,
  // run-time errors and limits are error replies with the server's texts.
  virtual Reply run(std::string_view source, std::string_view sha,
                    std::span<const std::string_view> keys, std::span<const std::string_view> args,
                    ScriptHost& host, std::pmr::memory_resource& memory) = 0;
  // The error reply of a script that does not compile, or a null reply where it does.
  virtual Reply check(std::string_view source, std::string_view sha,
                      std::pmr::memory_resource& memory) = 0;
};

}  // namespace locklapse::redis
