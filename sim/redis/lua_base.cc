// The base library of a script, as far as it differs from Lua's: read-only tables, errors that
// cannot be caught, names of objects that are no addresses.
#include <cstdio>

#include "sim/redis/lua_vm.h"

namespace locklapse::redis {

bool push_protected(lua_State* state, int index) {
  if (!lua_istable(state, index) || lua_getmetatable(state, index) == 0) return false;
  lua_pop(state, 1);
  lua_pushvalue(state, index);
  lua_rawgeti(state, LUA_REGISTRYINDEX, vm_of(state).real_tables);
  lua_insert(state, -2);
  lua_rawget(state, -2);
  lua_remove(state, -2);
  if (!lua_isnil(state, -1)) return true;
  lua_pop(state, 1);
  return false;
}

void refuse_read_only(lua_State* state, int index) {
  if (!push_protected(state, index)) return;
  // Without a place, as the server's own table functions raise it.
  lua_pushliteral(state, "Attempt to modify a readonly table");
  lua_error(state);
}

void refuse_unordered(lua_State* state, int index) {
  std::int64_t entries = 0;
  lua_pushnil(state);
  while (lua_next(state, index) != 0) {
    lua_pop(state, 1);
    ++entries;
    switch (lua_type(state, -1)) {
      case LUA_TNUMBER:
      case LUA_TSTRING:
      case LUA_TBOOLEAN:
        break;
      default:
        luaL_error(state, "the order of a table with %s keys is not the same in every run",
                   luaL_typename(state, -1));
    }
  }
  charge(state, entries / 8);
}

// An address would differ from run to run: objects are numbered in the order in which they are
// named.
int base_tostring(lua_State* state) {
  luaL_checkany(state, 1);
  if (luaL_callmeta(state, 1, "__tostring") != 0) return 1;
  switch (lua_type(state, 1)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
      lua_pushvalue(state, 1);
      lua_tostring(state, -1);
      return 1;
    case LUA_TBOOLEAN:
      lua_pushstring(state, lua_toboolean(state, 1) != 0 ? "true" : "false");
      return 1;
    case LUA_TNIL:
      lua_pushliteral(state, "nil");
      return 1;
    default:
      break;
  }
  LuaVm& vm = vm_of(state);
  lua_settop(state, 1);
  lua_rawgeti(state, LUA_REGISTRYINDEX, vm.identities);
  lua_pushvalue(state, 1);
  lua_rawget(state, 2);
  if (lua_isnil(state, -1)) {
    lua_pop(state, 1);
    lua_pushvalue(state, 1);
    lua_pushnumber(state, static_cast<lua_Number>(++vm.identities_given));
    lua_rawset(state, 2);
    lua_pushnumber(state, static_cast<lua_Number>(vm.identities_given));
  }
  char number[24];
  std::snprintf(number, sizeof(number), "0x%012llx",
                static_cast<unsigned long long>(lua_tonumber(state, -1)));
  lua_pushfstring(state, "%s: %s", luaL_typename(state, 1), number);
  return 1;
}

namespace {

int base_next(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_settop(state, 2);
  if (push_protected(state, 1)) lua_replace(state, 1);
  if (lua_isnil(state, 2)) refuse_unordered(state, 1);
  if (lua_next(state, 1) != 0) return 2;
  lua_pushnil(state);
  return 1;
}

int base_pairs(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_pushcfunction(state, base_next);
  lua_pushvalue(state, 1);
  lua_pushnil(state);
  return 3;
}

int base_rawget(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  luaL_checkany(state, 2);
  lua_settop(state, 2);
  if (push_protected(state, 1)) lua_replace(state, 1);
  lua_rawget(state, 1);
  return 1;
}

int base_rawset(lua_State* state) {
  refuse_read_only(state, 1);
  return vm_of(state).originals[LuaVm::kRawset](state);
}

int base_setmetatable(lua_State* state) {
  refuse_read_only(state, 1);
  return vm_of(state).originals[LuaVm::kSetMetatable](state);
}

int base_getmetatable(lua_State* state) {
  if (lua_type(state, 1) == LUA_TSTRING) {
    lua_rawgeti(state, LUA_REGISTRYINDEX, vm_of(state).string_metatable);
    return 1;
  }
  LuaVm& vm = vm_of(state);
  if (!push_protected(state, 1)) return vm.originals[LuaVm::kGetMetatable](state);
  // Of the shared tables only the globals have a metatable that a script may see.
  lua_rawgeti(state, LUA_REGISTRYINDEX, vm.script_globals);
  if (lua_rawequal(state, 1, -1) != 0) {
    lua_rawgeti(state, LUA_REGISTRYINDEX, vm.globals_metatable);
  } else {
    lua_pushnil(state);
  }
  return 1;
}

// Redis's pcall: an error that carries a reply is given as its text.
int base_pcall(lua_State* state) {
  if (lua_gettop(state) == 0) return 0;
  const int args = lua_gettop(state) - 1;
  lua_pushboolean(state, 1);
  lua_insert(state, 1);
  const int status = lua_pcall(state, args, LUA_MULTRET, 0);
  if (status != 0) {
    reraise_if_stopped(state, status);
    lua_remove(state, 1);
    if (lua_istable(state, -1)) {
      lua_getfield(state, -1, "err");
      if (lua_isstring(state, -1) != 0) {
        lua_replace(state, -2);
      } else {
        lua_pop(state, 1);
      }
    }
    lua_pushboolean(state, 0);
    lua_insert(state, 1);
  }
  return lua_gettop(state);
}

// Calls a script's own handler, unless the script has been stopped: within a handler no instruction
// is counted.
int call_handler(lua_State* state) {
  if (vm_of(state).stopped) return 1;
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_call(state, lua_gettop(state) - 1, 1);
  return 1;
}

int base_xpcall(lua_State* state) {
  luaL_checkany(state, 2);
  lua_settop(state, 2);
  lua_pushcclosure(state, call_handler, 1);
  lua_insert(state, 1);
  const int status = lua_pcall(state, 0, LUA_MULTRET, 1);
  if (status != 0) reraise_if_stopped(state, status);
  lua_pushboolean(state, status == 0 ? 1 : 0);
  lua_replace(state, 1);
  return lua_gettop(state);
}

int load_result(lua_State* state, int status) {
  if (status == 0) return 1;
  reraise_if_stopped(state, status);
  lua_pushnil(state);
  lua_insert(state, -2);
  return 2;
}

int base_loadstring(lua_State* state) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(state, 1, &size);
  const char* name = luaL_optstring(state, 2, text);
  charge(state, static_cast<std::int64_t>(size / 4));
  return load_result(state, load_text(state, {text, size}, name));
}

struct PieceReader {
  bool first = true;
  const char* held = nullptr;  // a piece in front of which a blank has gone
  std::size_t held_size = 0;
};

const char* read_piece(lua_State* state, void* data, std::size_t* size) {
  auto& reader = *static_cast<PieceReader*>(data);
  if (reader.held != nullptr) {
    const char* held = reader.held;
    *size = reader.held_size;
    reader.held = nullptr;
    return held;
  }
  luaL_checkstack(state, 2, "too many nested functions");
  lua_pushvalue(state, 1);
  lua_call(state, 0, 1);
  if (lua_isnil(state, -1)) {
    *size = 0;
    return nullptr;
  }
  if (lua_isstring(state, -1) == 0) luaL_error(state, "reader function must return a string");
  lua_replace(state, 3);  // keeps the piece alive
  const char* piece = lua_tolstring(state, 3, size);
  charge(state, static_cast<std::int64_t>(*size / 4));
  const bool first = reader.first;
  if (*size > 0) reader.first = false;
  if (first && *size > 0 && piece[0] == LUA_SIGNATURE[0]) {
    reader.held = piece;
    reader.held_size = *size;
    *size = 1;
    return " ";
  }
  return piece;
}

int base_load(lua_State* state) {
  const char* name = luaL_optstring(state, 2, "=(load)");
  luaL_checktype(state, 1, LUA_TFUNCTION);
  lua_settop(state, 3);
  PieceReader reader;
  return load_result(state, lua_load(state, read_piece, &reader, name));
}

// What it would tell depends on what ran before in this VM.
int base_collectgarbage(lua_State* state) {
  lua_pushinteger(state, 0);
  return 1;
}

int base_unpack(lua_State* state) {
  charge(state, static_cast<std::int64_t>(lua_objlen(state, 1) / 8));
  return vm_of(state).originals[LuaVm::kUnpack](state);
}

int coroutine_resume(lua_State* state) {
  const int results = vm_of(state).originals[LuaVm::kResume](state);
  if (lua_gettop(state) >= 2 && lua_isboolean(state, -results) &&
      lua_toboolean(state, -results) == 0) {
    lua_State* thread = lua_tothread(state, 1);
    reraise_if_stopped(state, thread == nullptr ? 0 : lua_status(thread));
  }
  return results;
}

int coroutine_create(lua_State* state) {
  charge(state, 100);
  return vm_of(state).originals[LuaVm::kCreate](state);
}

int coroutine_wrap(lua_State* state) {
  charge(state, 100);
  return vm_of(state).originals[LuaVm::kWrap](state);
}

}  // namespace

void fill_base(lua_State* state, LuaVm& /*vm*/) {
  constexpr luaL_Reg kFunctions[] = {
      {"next", base_next},
      {"pairs", base_pairs},
      {"rawget", base_rawget},
      {"rawset", base_rawset},
      {"setmetatable", base_setmetatable},
      {"getmetatable", base_getmetatable},
      {"tostring", base_tostring},
      {"pcall", base_pcall},
      {"xpcall", base_xpcall},
      {"loadstring", base_loadstring},
      {"load", base_load},
      {"collectgarbage", base_collectgarbage},
      {"gcinfo", base_collectgarbage},
      {"unpack", base_unpack},
  };
  for (const luaL_Reg& function : kFunctions) {
    lua_pushcfunction(state, function.func);
    lua_setfield(state, -2, function.name);
  }
  lua_getfield(state, -1, LUA_COLIBNAME);
  lua_pushcfunction(state, coroutine_resume);
  lua_setfield(state, -2, "resume");
  lua_pushcfunction(state, coroutine_create);
  lua_setfield(state, -2, "create");
  lua_pushcfunction(state, coroutine_wrap);
  lua_setfield(state, -2, "wrap");
  lua_pop(state, 1);
}

}  // namespace locklapse::redis
