// The table library: Lua's own functions behind guards for read-only tables, order and cost.
#include "sim/redis/lua_vm.h"

namespace locklapse::redis {

namespace {

std::int64_t length(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  return static_cast<std::int64_t>(lua_objlen(state, 1));
}

int table_insert(lua_State* state) {
  refuse_read_only(state, 1);
  // Only an insertion in the middle moves elements.
  if (lua_gettop(state) > 2) charge(state, length(state) / 4);
  return vm_of(state).originals[LuaVm::kInsert](state);
}

int table_remove(lua_State* state) {
  if (lua_gettop(state) > 1) charge(state, length(state) / 4);
  return vm_of(state).originals[LuaVm::kRemove](state);
}

int table_concat(lua_State* state) {
  charge(state, length(state));
  return vm_of(state).originals[LuaVm::kConcat](state);
}

int table_sort(lua_State* state) {
  // Sorting takes quadratic time where the elements are chosen to make it so.
  const std::int64_t n = length(state);
  charge(state, n + n * n / 64);
  return vm_of(state).originals[LuaVm::kSort](state);
}

int table_foreach(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  if (push_protected(state, 1)) lua_replace(state, 1);
  refuse_unordered(state, 1);
  return vm_of(state).originals[LuaVm::kForeach](state);
}

}  // namespace

void fill_table_library(lua_State* state) {
  constexpr luaL_Reg kFunctions[] = {
      {"insert", table_insert}, {"remove", table_remove},   {"concat", table_concat},
      {"sort", table_sort},     {"foreach", table_foreach},
  };
  for (const luaL_Reg& function : kFunctions) {
    lua_pushcfunction(state, function.func);
    lua_setfield(state, -2, function.name);
  }
}

}  // namespace locklapse::redis
