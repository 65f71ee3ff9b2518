#include "sim/redis/lua_engine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sim/redis/lua_vm.h"

namespace locklapse::redis {

namespace {

constexpr int kHookInstructions = 100;
// A script that has touched large blocks runs slower per instruction than the account assumes:
// comparing or copying a string is one instruction whatever its length.
constexpr std::size_t kBytesPerInstruction = 512;
// Garbage is collected once there is this much of it; what one script may leave uncollected.
constexpr std::size_t kGarbageBytesMax = 256 << 10;
// After a script that was larger than this the VM is made anew: cheaper than a heap whose shape
// depends on what ran before.
constexpr std::size_t kOrdinaryBlockBytes = 16 << 10;
constexpr std::size_t kOrdinaryScriptBytes = 1 << 20;
constexpr std::size_t kChunksMax = 256;
constexpr std::size_t kChunkSourceBytesMax = 1 << 20;
// Lent to a script that has run out of memory, so that its error can be told.
constexpr std::size_t kReserveBytes = 64 << 10;
constexpr std::int64_t kReplyElementsMax = 1 << 17;

void* allocate(void* ud, void* block, std::size_t old_bytes, std::size_t new_bytes) {
  LuaVm& vm = *static_cast<LuaVm*>(ud);
  if (new_bytes == 0) {
    vm.allocated_bytes -= old_bytes;
    std::free(block);
    return nullptr;
  }
  if (new_bytes > old_bytes) {
    if (vm.limited && (new_bytes > kBlockBytesMax + 64 ||
                       vm.allocated_bytes + (new_bytes - old_bytes) > vm.allocated_bytes_max)) {
      return nullptr;
    }
    // A block that grows is a table or a stack, which few instructions walk as a whole.
    vm.largest_block = std::max(vm.largest_block, old_bytes == 0 ? new_bytes : new_bytes / 8);
  }
  void* moved = std::realloc(block, new_bytes);
  if (moved != nullptr) vm.allocated_bytes += new_bytes - old_bytes;
  return moved;
}

int die(lua_State* state) {
  const char* what = lua_tostring(state, -1);
  std::fprintf(stderr, "locklapse: error outside of any Lua script: %s\n",
               what == nullptr ? "unknown" : what);
  std::_Exit(70);
}

void stop(lua_State* state, lua_Debug* at) {
  LuaVm& vm = vm_of(state);
  vm.stopped = true;
  lua_getinfo(state, "Sl", at);
  lua_pushfstring(state, "%s:%d: script stopped after %d instructions", at->short_src,
                  at->currentline, static_cast<int>(vm.limits.instructions_max));
  lua_error(state);
}

void on_count(lua_State* state, lua_Debug* at) {
  LuaVm& vm = vm_of(state);
  const std::size_t per_instruction = 1 + vm.largest_block / kBytesPerInstruction;
  vm.instructions_left -= kHookInstructions * static_cast<std::int64_t>(per_instruction);
  if (vm.instructions_left < 0) stop(state, at);
}

// Gives an error where it happened, as {err, source, line}. For an error in a library function that
// is the place from which a script called it.
int locate_error(lua_State* state) {
  lua_Debug at;
  bool found = lua_getstack(state, 1, &at) != 0 && lua_getinfo(state, "Sl", &at) != 0;
  if (found && std::strcmp(at.what, "C") == 0) {
    found = lua_getstack(state, 2, &at) != 0 && lua_getinfo(state, "Sl", &at) != 0;
  }
  if (!lua_istable(state, 1)) {
    lua_pushcfunction(state, base_tostring);
    lua_pushvalue(state, 1);
    lua_call(state, 1, 1);
    lua_newtable(state);
    lua_pushliteral(state, "ERR ");
    lua_pushvalue(state, -3);
    lua_concat(state, 2);
    lua_setfield(state, -2, "err");
    lua_replace(state, 1);
  }
  lua_settop(state, 1);
  if (found) {
    lua_pushstring(state, at.source);
    lua_setfield(state, 1, "source");
    lua_pushinteger(state, at.currentline);
    lua_setfield(state, 1, "line");
  }
  return 1;
}

// Sets KEYS or ARGV.
void set_words(lua_State* state, LuaVm& vm, int name, std::span<const std::string_view> words) {
  lua_rawgeti(state, LUA_REGISTRYINDEX, vm.real_globals);
  lua_rawgeti(state, LUA_REGISTRYINDEX, name);
  lua_createtable(state, static_cast<int>(words.size()), 0);
  int i = 0;
  for (const std::string_view word : words) {
    lua_pushlstring(state, word.data(), word.size());
    lua_rawseti(state, -2, ++i);
  }
  lua_rawset(state, -3);
  lua_pop(state, 1);
}

// Appends a field of the error table on top if it reads as a string.
bool append_field(lua_State* state, const char* name, std::string& text) {
  lua_getfield(state, -1, name);
  std::size_t size = 0;
  const char* bytes = lua_isstring(state, -1) != 0 ? lua_tolstring(state, -1, &size) : nullptr;
  // A C string, as the server treats it.
  if (bytes != nullptr) text.append(bytes, std::strlen(bytes));
  lua_pop(state, 1);
  return bytes != nullptr;
}

// Makes the reply for the error on top of the stack.
void error_result(lua_State* state, LuaVm& vm) {
  vm.text.clear();
  if (!lua_istable(state, -1)) {
    vm.text.append("ERR Error running script ").append(vm.sha).append(", ");
    const char* message =
        lua_type(state, -1) == LUA_TSTRING ? lua_tostring(state, -1) : "execution failure";
    vm.text.append(message, std::min<std::size_t>(std::strlen(message), 100));
  } else {
    if (!append_field(state, "err", vm.text)) vm.text.append("ERR unknown error");
    const std::size_t end = vm.text.size();
    vm.text.append(" script: ").append(vm.sha).append(", on ");
    bool located = append_field(state, "source", vm.text);
    vm.text.push_back(':');
    located = append_field(state, "line", vm.text) && located;
    vm.text.push_back('.');
    if (!located) vm.text.resize(end);
  }
  std::replace(vm.text.begin(), vm.text.end(), '\r', ' ');
  std::replace(vm.text.begin(), vm.text.end(), '\n', ' ');
  vm.result.emplace(Reply::error(vm.text, vm.memory));
}

int run_protected(lua_State* state) {
  LuaVm& vm = vm_of(state);
  lua_settop(state, 0);
  lua_pushcfunction(state, locate_error);
  lua_rawgeti(state, LUA_REGISTRYINDEX, vm.compiled);
  set_words(state, vm, vm.keys_name, vm.keys);
  set_words(state, vm, vm.argv_name, vm.args);
  lua_newtable(state);
  lua_rawseti(state, LUA_REGISTRYINDEX, vm.identities);
  if (lua_pcall(state, 0, 1, 1) != 0) {
    error_result(state, vm);
  } else {
    vm.result.emplace(Reply::null_bulk(vm.memory));
    to_reply(state, vm, *vm.result, 0);
  }
  return 0;
}

int compile_protected(lua_State* state) {
  LuaVm& vm = vm_of(state);
  if (load_text(state, vm.source, "@user_script") != 0) {
    const char* message = lua_tostring(state, -1);
    vm.compile_error.assign(message == nullptr ? "unknown" : message);
    return 0;
  }
  vm.compiled = luaL_ref(state, LUA_REGISTRYINDEX);
  return 0;
}

int open_protected(lua_State* state) {
  open_sandbox(state, vm_of(state));
  return 0;
}

void open(LuaVm& vm) {
  vm.state = lua_newstate(allocate, &vm);
  if (vm.state != nullptr) lua_atpanic(vm.state, die);
  if (vm.state == nullptr || lua_cpcall(vm.state, open_protected, nullptr) != 0) {
    std::fputs("locklapse: cannot open a Lua VM\n", stderr);
    std::_Exit(70);
  }
  lua_gc(vm.state, LUA_GCCOLLECT, 0);
  lua_gc(vm.state, LUA_GCSTOP, 0);
  vm.resting_bytes = vm.allocated_bytes;
}

void close(LuaVm& vm) {
  lua_close(vm.state);
  vm.state = nullptr;
  vm.chunks.clear();
  vm.chunk_source_bytes = 0;
}

void begin_limits(LuaVm& vm) {
  vm.limited = true;
  vm.allocated_bytes_max = vm.allocated_bytes + vm.limits.memory_bytes_max;
  vm.largest_block = 0;
}

// Collects what a script has left, or throws the VM away if it was an unusual one.
void end_limits(LuaVm& vm) {
  vm.limited = false;
  const std::size_t grown =
      vm.allocated_bytes > vm.resting_bytes ? vm.allocated_bytes - vm.resting_bytes : 0;
  if (vm.stopped || vm.largest_block > kOrdinaryBlockBytes || grown > kOrdinaryScriptBytes ||
      vm.chunks.size() > kChunksMax || vm.chunk_source_bytes > kChunkSourceBytesMax) {
    close(vm);
    open(vm);
  } else if (grown > kGarbageBytesMax) {
    lua_gc(vm.state, LUA_GCCOLLECT, 0);
    lua_gc(vm.state, LUA_GCSTOP, 0);
    vm.resting_bytes = vm.allocated_bytes;
  }
}

// Leaves the reference of the compiled script in vm.compiled, or a message in vm.compile_error.
void compile(LuaVm& vm, std::string_view source, std::string_view sha) {
  vm.compile_error.clear();
  if (const auto known = vm.chunks.find(sha); known != vm.chunks.end()) {
    vm.compiled = known->second;
    return;
  }
  vm.source = source;
  vm.compiled = LUA_NOREF;
  vm.stopped = false;
  begin_limits(vm);
  if (lua_cpcall(vm.state, compile_protected, nullptr) != 0) {
    vm.compile_error.assign("not enough memory");
  }
  lua_settop(vm.state, 0);
  vm.limited = false;
  if (!vm.compile_error.empty()) return;
  vm.chunks.emplace(sha, vm.compiled);
  vm.chunk_source_bytes += source.size();
}

Reply compile_error_reply(LuaVm& vm, std::pmr::memory_resource& memory) {
  vm.text.assign("ERR Error compiling script (new function): ").append(vm.compile_error);
  std::replace(vm.text.begin(), vm.text.end(), '\r', ' ');
  std::replace(vm.text.begin(), vm.text.end(), '\n', ' ');
  return Reply::error(vm.text, &memory);
}

}  // namespace

void charge(lua_State* state, std::int64_t units) {
  LuaVm& vm = vm_of(state);
  vm.instructions_left -= units;
  lua_Debug at;
  if (vm.instructions_left < 0) {
    if (lua_getstack(state, 1, &at) == 0) lua_getstack(state, 0, &at);
    stop(state, &at);
  }
}

void reraise_if_stopped(lua_State* state, int status) {
  LuaVm& vm = vm_of(state);
  if (status == LUA_ERRMEM && !vm.stopped) {
    vm.stopped = true;
    vm.allocated_bytes_max += kReserveBytes;
  }
  if (vm.stopped) lua_error(state);
}

LuaEngine::LuaEngine(const ScriptLimits& limits) : vm_(std::make_unique<LuaVm>(limits)) {
  open(*vm_);
}

LuaEngine::~LuaEngine() { close(*vm_); }

Reply LuaEngine::check(std::string_view source, std::string_view sha,
                       std::pmr::memory_resource& memory) {
  LuaVm& vm = *vm_;
  compile(vm, source, sha);
  if (vm.compile_error.empty()) return Reply::null_bulk(&memory);
  Reply error = compile_error_reply(vm, memory);
  end_limits(vm);
  return error;
}

Reply LuaEngine::run(std::string_view source, std::string_view sha,
                     std::span<const std::string_view> keys, std::span<const std::string_view> args,
                     ScriptHost& host, std::pmr::memory_resource& memory) {
  LuaVm& vm = *vm_;
  compile(vm, source, sha);
  if (!vm.compile_error.empty()) {
    Reply error = compile_error_reply(vm, memory);
    end_limits(vm);
    return error;
  }
  vm.host = &host;
  vm.memory = &memory;
  vm.sha = sha;
  vm.keys = keys;
  vm.args = args;
  vm.instructions_left = vm.limits.instructions_max;
  vm.stopped = false;
  vm.resp = 2;
  vm.random = 0x1234ABCD330E;
  vm.work_seen = host.work_done();
  vm.identities_given = 0;
  vm.reply_elements_left = kReplyElementsMax;

  begin_limits(vm);
  lua_sethook(vm.state, on_count, LUA_MASKCOUNT, kHookInstructions);
  if (lua_cpcall(vm.state, run_protected, nullptr) != 0) error_result(vm.state, vm);
  lua_sethook(vm.state, nullptr, 0, 0);

  // Nothing of the script may be seen, or kept alive, by the next one.
  lua_settop(vm.state, 0);
  lua_rawgeti(vm.state, LUA_REGISTRYINDEX, vm.real_globals);
  for (const int name : {vm.keys_name, vm.argv_name}) {
    lua_rawgeti(vm.state, LUA_REGISTRYINDEX, name);
    lua_pushboolean(vm.state, 0);
    lua_rawset(vm.state, -3);
  }
  lua_pushboolean(vm.state, 0);
  lua_rawseti(vm.state, LUA_REGISTRYINDEX, vm.identities);
  lua_settop(vm.state, 0);
  vm.call_reply.reset();
  Reply reply = std::move(*vm.result);
  vm.result.reset();
  end_limits(vm);
  return reply;
}

}  // namespace locklapse::redis
