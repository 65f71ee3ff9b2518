// math.random as Redis has it: the same numbers on every machine, from the same seed for every
// script.
#include <cmath>
#include <cstdint>

#include "sim/redis/lua_vm.h"

namespace locklapse::redis {

namespace {

// The 48-bit generator of lrand48.
std::int32_t next_random(LuaVm& vm) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << 48) - 1;
  vm.random = (vm.random * 0x5DEECE66D + 0xB) & kMask;
  return static_cast<std::int32_t>(vm.random >> 17);
}

int math_random(lua_State* state) {
  constexpr std::int32_t kMax = 0x7fffffff;
  const lua_Number r = static_cast<lua_Number>(next_random(vm_of(state)) % kMax) / kMax;
  switch (lua_gettop(state)) {
    case 0:
      lua_pushnumber(state, r);
      return 1;
    case 1: {
      const int high = luaL_checkint(state, 1);
      luaL_argcheck(state, 1 <= high, 1, "interval is empty");
      lua_pushnumber(state, std::floor(r * high) + 1);
      return 1;
    }
    case 2: {
      const int low = luaL_checkint(state, 1);
      const int high = luaL_checkint(state, 2);
      luaL_argcheck(state, low <= high, 2, "interval is empty");
      const lua_Number width = static_cast<lua_Number>(high) - low + 1;
      lua_pushnumber(state, std::floor(r * width) + low);
      return 1;
    }
    default:
      return luaL_error(state, "wrong number of arguments");
  }
}

int math_randomseed(lua_State* state) {
  const auto seed = static_cast<std::uint32_t>(luaL_checkint(state, 1));
  vm_of(state).random = std::uint64_t{seed} << 16 | 0x330E;
  return 0;
}

}  // namespace

void fill_math_library(lua_State* state) {
  lua_pushcfunction(state, math_random);
  lua_setfield(state, -2, "random");
  lua_pushcfunction(state, math_randomseed);
  lua_setfield(state, -2, "randomseed");
}

}  // namespace locklapse::redis
