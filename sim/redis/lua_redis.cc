// The table `redis` of a script.
#include <cstring>

#include "sim/redis/lua_vm.h"
#include "sim/redis/sha1.h"

namespace locklapse::redis {

namespace {

constexpr int kReplicateToAof = 1;
constexpr int kReplicateToReplicas = 2;
constexpr int kReplicateAll = kReplicateToAof | kReplicateToReplicas;
constexpr int kLogLevelMax = 3;

// Pushes {err = "ERR " .. text}.
void push_own_error(lua_State* state, const char* text) {
  lua_createtable(state, 0, 1);
  lua_pushfstring(state, "ERR %s", text);
  lua_setfield(state, -2, "err");
}

int raise(lua_State* state, const char* text) {
  push_own_error(state, text);
  return lua_error(state);
}

// Puts the arguments into vm.argv. Leaves an error on the stack and returns false where they do not
// fit.
bool read_arguments(lua_State* state, LuaVm& vm) {
  const int count = lua_gettop(state);
  if (count == 0) {
    push_own_error(state, is_valkey(vm.host->dialect())
                              ? "Please specify at least one argument for this call"
                              : "Please specify at least one argument for this redis lib call");
    return false;
  }
  vm.argv.clear();
  vm.numbers.clear();
  // Views into this must not move.
  vm.numbers.reserve(static_cast<std::size_t>(count));
  for (int i = 1; i <= count; ++i) {
    if (lua_type(state, i) == LUA_TNUMBER) {
      vm.argv.push_back(vm.numbers.emplace_back(double_text(lua_tonumber(state, i))).view());
    } else if (lua_type(state, i) == LUA_TSTRING) {
      std::size_t size = 0;
      const char* bytes = lua_tolstring(state, i, &size);
      vm.argv.emplace_back(bytes, size);
    } else {
      push_own_error(state, is_valkey(vm.host->dialect())
                                ? "Command arguments must be strings or integers"
                                : "Lua redis lib command arguments must be strings or integers");
      return false;
    }
  }
  return true;
}

std::int64_t cost(const Reply& reply) {
  std::int64_t units = 4 + static_cast<std::int64_t>(reply.text().size() / 16);
  for (const Reply& element : reply.elements()) units += cost(element);
  return units;
}

void charge_call(lua_State* state, LuaVm& vm) {
  constexpr std::int64_t kCallCost = 50;
  std::int64_t units = kCallCost + cost(*vm.call_reply);
  for (const std::string_view word : vm.argv)
    units += 1 + static_cast<std::int64_t>(word.size() / 16);
  const std::int64_t work = vm.host->work_done();
  units += work - vm.work_seen;
  vm.work_seen = work;
  charge(state, units);
}

int call(lua_State* state, bool raise_errors) {
  LuaVm& vm = vm_of(state);
  if (!read_arguments(state, vm)) return raise_errors ? lua_error(state) : 1;
  vm.call_reply.reset();
  vm.call_reply.emplace(vm.host->call_from_script(vm.argv));
  charge_call(state, vm);
  push_reply(state, vm, *vm.call_reply);
  if (raise_errors && vm.call_reply->is_error()) return lua_error(state);
  return 1;
}

int redis_call(lua_State* state) { return call(state, true); }
int redis_pcall(lua_State* state) { return call(state, false); }

// The error texts that scripts make may come with their dash and code, or without.
int redis_error_reply(lua_State* state) {
  if (lua_gettop(state) != 1 || lua_type(state, -1) != LUA_TSTRING) {
    push_own_error(state, "wrong number or type of arguments");
    return 1;
  }
  LuaVm& vm = vm_of(state);
  vm.text.assign(lua_tostring(state, 1));
  if (vm.text.starts_with('-')) vm.text.erase(0, 1);
  if (const std::size_t blank = vm.text.find(' '); blank == std::string::npos) {
    vm.text.insert(0, "ERR ");
  }
  const std::size_t message = vm.text.find(' ') + 1;
  while (vm.text.size() > message && (vm.text.back() == '\r' || vm.text.back() == '\n')) {
    vm.text.pop_back();
  }
  while (vm.text.size() > message && (vm.text[message] == '\r' || vm.text[message] == '\n')) {
    vm.text.erase(message, 1);
  }
  push_error(state, vm.text);
  return 1;
}

int redis_status_reply(lua_State* state) {
  if (lua_gettop(state) != 1 || lua_type(state, -1) != LUA_TSTRING) {
    push_own_error(state, "wrong number or type of arguments");
    return 1;
  }
  lua_createtable(state, 0, 1);
  lua_pushvalue(state, 1);
  lua_setfield(state, -2, "ok");
  return 1;
}

int redis_sha1hex(lua_State* state) {
  if (lua_gettop(state) != 1) return raise(state, "wrong number of arguments");
  std::size_t size = 0;
  const char* bytes = lua_tolstring(state, 1, &size);
  charge(state, static_cast<std::int64_t>(size / 4));
  const Sha1Hex sha =
      sha1_hex(bytes == nullptr ? std::string_view{} : std::string_view(bytes, size));
  lua_pushlstring(state, sha.digits.data(), sha.digits.size());
  return 1;
}

// Checks what it is given; there is no log to write to.
int redis_log(lua_State* state) {
  if (lua_gettop(state) < 2) return raise(state, "redis.log() requires two arguments or more.");
  if (lua_isnumber(state, 1) == 0) {
    return raise(state, "First argument must be a number (log level).");
  }
  const lua_Number level = lua_tonumber(state, 1);
  if (!(level > -1 && level < kLogLevelMax + 1)) return raise(state, "Invalid debug level.");
  return 0;
}

int redis_setresp(lua_State* state) {
  if (lua_gettop(state) != 1) return raise(state, "redis.setresp() requires one argument.");
  const lua_Number version = lua_tonumber(state, 1);
  if (!(version >= 2 && version < 4)) return raise(state, "RESP version must be 2 or 3.");
  LuaVm& vm = vm_of(state);
  vm.resp = static_cast<int>(version);
  vm.host->speak_resp(vm.resp);
  return 0;
}

// There is nothing to replicate to; only bad arguments are told.
int redis_set_repl(lua_State* state) {
  if (lua_gettop(state) != 1) return raise(state, "redis.set_repl() requires two arguments.");
  const lua_Number flags = lua_tonumber(state, 1);
  if (!(flags > -1 && flags < kReplicateAll + 1)) {
    return raise(state,
                 "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  }
  return 0;
}

int redis_replicate_commands(lua_State* state) {
  lua_pushboolean(state, 1);
  return 1;
}

int redis_acl_check_cmd(lua_State* state) {
  LuaVm& vm = vm_of(state);
  if (!read_arguments(state, vm)) return lua_error(state);
  if (!vm.host->knows_command(vm.argv)) return raise(state, "Invalid command passed to redis.acl_check_cmd()");
  lua_pushboolean(state, 1);
  return 1;
}

// Outside of the debugger they do nothing.
int redis_breakpoint(lua_State* state) {
  lua_pushboolean(state, 0);
  return 1;
}
int redis_debug(lua_State* /*state*/) { return 0; }

}  // namespace

void fill_redis_library(lua_State* state) {
  constexpr luaL_Reg kFunctions[] = {
      {"call", redis_call},
      {"pcall", redis_pcall},
      {"error_reply", redis_error_reply},
      {"status_reply", redis_status_reply},
      {"sha1hex", redis_sha1hex},
      {"log", redis_log},
      {"setresp", redis_setresp},
      {"set_repl", redis_set_repl},
      {"replicate_commands", redis_replicate_commands},
      {"acl_check_cmd", redis_acl_check_cmd},
      {"breakpoint", redis_breakpoint},
      {"debug", redis_debug},
  };
  for (const luaL_Reg& function : kFunctions) {
    lua_pushcfunction(state, function.func);
    lua_setfield(state, -2, function.name);
  }
  constexpr struct {
    const char* name;
    int value;
  } kConstants[] = {
      {"LOG_DEBUG", 0},
      {"LOG_VERBOSE", 1},
      {"LOG_NOTICE", 2},
      {"LOG_WARNING", kLogLevelMax},
      {"REPL_NONE", 0},
      {"REPL_AOF", kReplicateToAof},
      {"REPL_SLAVE", kReplicateToReplicas},
      {"REPL_REPLICA", kReplicateToReplicas},
      {"REPL_ALL", kReplicateAll},
      {"REDIS_VERSION_NUM", 0x0007000f},
  };
  for (const auto& constant : kConstants) {
    lua_pushinteger(state, constant.value);
    lua_setfield(state, -2, constant.name);
  }
  lua_pushliteral(state, "7.0.15");
  lua_setfield(state, -2, "REDIS_VERSION");
}

}  // namespace locklapse::redis
