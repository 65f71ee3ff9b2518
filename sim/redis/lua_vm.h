// The Lua VM behind LuaEngine and the script that runs in it.
//
// Errors in Lua are longjmps: they skip destructors. So no function that Lua calls may hold an
// object with a destructor while it calls back into Lua; such objects are members here instead.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/number.h"
#include "sim/redis/reply.h"
#include "sim/redis/script_engine.h"

namespace locklapse::redis {

struct LuaVm {
  explicit LuaVm(const ScriptLimits& script_limits) : limits(script_limits) {}

  const ScriptLimits limits;
  lua_State* state = nullptr;

  // --- memory, as the allocator sees it
  bool limited = false;  // only while something compiles or runs
  std::size_t allocated_bytes = 0;
  std::size_t allocated_bytes_max = 0;
  std::size_t largest_block = 0;  // asked for since the script began
  std::size_t resting_bytes = 0;  // after the last collection

  // --- compiled scripts: registry references by SHA1
  std::map<std::string, int, std::less<>> chunks;
  std::size_t chunk_source_bytes = 0;
  std::string_view source;    // what is being compiled
  std::string compile_error;  // empty where it compiled
  int compiled = LUA_NOREF;

  // --- registry references of the sandbox
  int real_globals = LUA_NOREF;       // what the read-only globals look through to
  int real_tables = LUA_NOREF;        // from each read-only table to what it protects
  int script_globals = LUA_NOREF;     // the read-only globals
  int string_metatable = LUA_NOREF;   // its read-only view
  int globals_metatable = LUA_NOREF;  // likewise
  int keys_name = LUA_NOREF;
  int argv_name = LUA_NOREF;
  int identities = LUA_NOREF;  // table: what tostring has given each object

  // --- library functions that the sandbox wraps
  enum Original {
    kSetMetatable,
    kGetMetatable,
    kResume,
    kCreate,
    kWrap,
    kUnpack,
    kByte,
    kInsert,
    kRemove,
    kConcat,
    kSort,
    kForeach,
    kRawset,
    kOriginals
  };
  lua_CFunction originals[kOriginals] = {};

  // --- the script under way
  ScriptHost* host = nullptr;
  std::pmr::memory_resource* memory = nullptr;
  std::string_view sha;
  std::span<const std::string_view> keys;
  std::span<const std::string_view> args;
  std::int64_t instructions_left = 0;
  bool stopped = false;  // at a limit: no pcall may hold the error up
  int resp = 2;
  std::uint64_t random = 0;
  std::int64_t work_seen = 0;
  std::int64_t identities_given = 0;
  std::int64_t reply_elements_left = 0;
  std::optional<Reply> result;

  // --- the redis.call under way
  std::vector<std::string_view> argv;
  std::vector<ShortNumberText> numbers;
  std::optional<Reply> call_reply;
  std::string text;  // an error text being put together
};

inline LuaVm& vm_of(lua_State* state) {
  void* vm = nullptr;
  lua_getallocf(state, &vm);
  return *static_cast<LuaVm*>(vm);
}

// --- lua_engine.cc
// Takes `units` instructions off the script's account; raises the error that ends it when it is
// empty.
void charge(lua_State* state, std::int64_t units);
// Passes an error on that pcall and its like must not hold up. REQUIRES: the error is on top.
void reraise_if_stopped(lua_State* state, int status);
inline constexpr std::size_t kBlockBytesMax = std::size_t{16} << 20;

// --- lua_sandbox.cc
void open_sandbox(lua_State* state, LuaVm& vm);
// Loads text, never byte code; leaves the function or the message on the stack. Returns Lua's
// status.
int load_text(lua_State* state, std::string_view text, const char* chunk_name);

// --- what open_sandbox() opens; each leaves or fills the table on top of the stack
void fill_base(lua_State* state, LuaVm& vm);  // lua_base.cc
void fill_table_library(lua_State* state);    // lua_table.cc
void fill_string_library(lua_State* state);   // lua_string.cc
void fill_math_library(lua_State* state);     // lua_math.cc
void fill_bit_library(lua_State* state);      // lua_bit.cc
void fill_redis_library(lua_State* state);    // lua_redis.cc

// --- lua_base.cc
// Pushes the table that the read-only table at `index` protects; pushes nothing for any other
// value.
bool push_protected(lua_State* state, int index);
// Raises Redis's error if the value at `index` is a read-only table.
void refuse_read_only(lua_State* state, int index);
// Raises an error if walking the table at `index` would show the order of addresses.
void refuse_unordered(lua_State* state, int index);

int base_tostring(lua_State* state);

// --- lua_reply.cc
// Turns the value on top of the stack into a reply and pops it.
void to_reply(lua_State* state, LuaVm& vm, Reply& out, int depth);
// Pushes what redis.call gives a script for a reply.
void push_reply(lua_State* state, LuaVm& vm, const Reply& reply);
// Pushes {err = text}; `text` carries its code.
void push_error(lua_State* state, std::string_view text);

}  // namespace locklapse::redis
