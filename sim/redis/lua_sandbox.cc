// Puts the globals of a script together: Lua's libraries without what reaches outside, Redis's own
// functions in place of those that would not be deterministic or could be made to run for ever.
#include <cstring>

#include "sim/redis/lua_vm.h"

namespace locklapse::redis {

namespace {

int refuse_write(lua_State* state) {
  return luaL_error(state, "Attempt to modify a readonly table");
}

int refuse_unknown_global(lua_State* state) {
  if (lua_isstring(state, 2) == 0) {
    return luaL_error(state,
                      "Second argument to luaProtectedTableError must be a string or number");
  }
  return luaL_error(state, "Script attempted to access nonexistent global variable '%s'",
                    lua_tostring(state, 2));
}

// Pushes a read-only view of the table on top of the stack, in its place.
void protect(lua_State* state, LuaVm& vm) {
  lua_newtable(state);  // table view
  lua_newtable(state);  // table view meta
  lua_pushvalue(state, -3);
  lua_setfield(state, -2, "__index");
  lua_pushcfunction(state, refuse_write);
  lua_setfield(state, -2, "__newindex");
  lua_setmetatable(state, -2);
  lua_rawgeti(state, LUA_REGISTRYINDEX, vm.real_tables);  // table view tables
  lua_pushvalue(state, -2);
  lua_pushvalue(state, -4);
  lua_rawset(state, -3);
  lua_pop(state, 1);
  lua_remove(state, -2);
}

void open_library(lua_State* state, lua_CFunction open, const char* name) {
  lua_pushcfunction(state, open);
  lua_pushstring(state, name);
  lua_call(state, 1, 0);
}

// Takes a function out of its library; the sandbox calls it under a guard.
lua_CFunction take(lua_State* state, const char* library, const char* name) {
  lua_getglobal(state, library);
  lua_getfield(state, -1, name);
  const lua_CFunction function = lua_tocfunction(state, -1);
  lua_pop(state, 2);
  return function;
}

void take_originals(lua_State* state, LuaVm& vm) {
  vm.originals[LuaVm::kSetMetatable] = take(state, "_G", "setmetatable");
  vm.originals[LuaVm::kGetMetatable] = take(state, "_G", "getmetatable");
  vm.originals[LuaVm::kUnpack] = take(state, "_G", "unpack");
  vm.originals[LuaVm::kRawset] = take(state, "_G", "rawset");
  vm.originals[LuaVm::kResume] = take(state, "coroutine", "resume");
  vm.originals[LuaVm::kCreate] = take(state, "coroutine", "create");
  vm.originals[LuaVm::kWrap] = take(state, "coroutine", "wrap");
  vm.originals[LuaVm::kByte] = take(state, "string", "byte");
  vm.originals[LuaVm::kInsert] = take(state, "table", "insert");
  vm.originals[LuaVm::kRemove] = take(state, "table", "remove");
  vm.originals[LuaVm::kConcat] = take(state, "table", "concat");
  vm.originals[LuaVm::kSort] = take(state, "table", "sort");
  vm.originals[LuaVm::kForeach] = take(state, "table", "foreach");
}

int reference(lua_State* state) { return luaL_ref(state, LUA_REGISTRYINDEX); }

// Text in front of which a blank goes if it looks like byte code, so that the parser refuses it.
struct TextReader {
  std::string_view text;
  bool guarded;
};

const char* read_text(lua_State* /*state*/, void* data, std::size_t* size) {
  auto& reader = *static_cast<TextReader*>(data);
  if (reader.guarded) {
    reader.guarded = false;
    *size = 1;
    return " ";
  }
  *size = reader.text.size();
  const char* bytes = reader.text.data();
  reader.text = {};
  return *size == 0 ? nullptr : bytes;
}

}  // namespace

int load_text(lua_State* state, std::string_view text, const char* chunk_name) {
  TextReader reader{text, !text.empty() && text[0] == LUA_SIGNATURE[0]};
  return lua_load(state, read_text, &reader, chunk_name);
}

void open_sandbox(lua_State* state, LuaVm& vm) {
  open_library(state, luaopen_base, "");
  open_library(state, luaopen_table, LUA_TABLIBNAME);
  open_library(state, luaopen_string, LUA_STRLIBNAME);
  open_library(state, luaopen_math, LUA_MATHLIBNAME);
  take_originals(state, vm);
  lua_newtable(state);
  vm.real_tables = reference(state);
  lua_pushliteral(state, "KEYS");
  vm.keys_name = reference(state);
  lua_pushliteral(state, "ARGV");
  vm.argv_name = reference(state);
  lua_pushboolean(state, 0);
  vm.identities = reference(state);

  lua_pushvalue(state, LUA_GLOBALSINDEX);
  fill_base(state, vm);
  for (const char* name : {"dofile", "loadfile", "print", "newproxy", "getfenv", "setfenv"}) {
    lua_pushnil(state);
    lua_setfield(state, -2, name);
  }
  lua_getfield(state, -1, LUA_TABLIBNAME);
  fill_table_library(state);
  lua_pop(state, 1);
  lua_getfield(state, -1, LUA_STRLIBNAME);
  fill_string_library(state);
  lua_pop(state, 1);
  lua_getfield(state, -1, LUA_MATHLIBNAME);
  fill_math_library(state);
  lua_pop(state, 1);
  lua_newtable(state);
  fill_bit_library(state);
  lua_setfield(state, -2, "bit");
  lua_newtable(state);
  fill_redis_library(state);
  lua_setfield(state, -2, "redis");

  for (const char* name :
       {LUA_TABLIBNAME, LUA_STRLIBNAME, LUA_MATHLIBNAME, LUA_COLIBNAME, "bit", "redis"}) {
    lua_getfield(state, -1, name);
    protect(state, vm);
    lua_setfield(state, -2, name);
  }
  // ("x"):rep(3) must not reach the unprotected table either.
  lua_pushliteral(state, "");
  lua_getmetatable(state, -1);
  lua_getfield(state, -3, LUA_STRLIBNAME);
  lua_setfield(state, -2, "__index");
  protect(state, vm);
  vm.string_metatable = reference(state);
  lua_pop(state, 1);

  lua_newtable(state);
  lua_pushcfunction(state, refuse_unknown_global);
  lua_setfield(state, -2, "__index");
  lua_pushvalue(state, -1);
  protect(state, vm);
  vm.globals_metatable = reference(state);
  lua_setmetatable(state, -2);
  lua_pushvalue(state, -1);
  vm.real_globals = reference(state);
  lua_pushvalue(state, -1);
  protect(state, vm);  // globals view
  lua_pushvalue(state, -1);
  lua_setfield(state, -3, "_G");
  lua_pushvalue(state, -1);
  vm.script_globals = reference(state);
  lua_replace(state, LUA_GLOBALSINDEX);
  lua_pop(state, 1);
}

}  // namespace locklapse::redis
