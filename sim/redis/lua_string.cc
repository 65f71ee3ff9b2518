// The string library: Lua's own functions, except for those whose cost a pattern or a number
// decides.
#include <algorithm>
#include <cstring>

#include "sim/redis/ascii.h"
#include "sim/redis/lua_pattern.h"
#include "sim/redis/lua_vm.h"

namespace locklapse::redis {

namespace {

std::string_view string_argument(lua_State* state, int index) {
  std::size_t size = 0;
  const char* bytes = luaL_checklstring(state, index, &size);
  return {bytes, size};
}

// A place to start from, as string.find takes it: from 1, negative from the end, clamped.
std::size_t start_argument(lua_State* state, int index, std::size_t size) {
  const lua_Integer given = luaL_optinteger(state, index, 1);
  const auto length = static_cast<lua_Integer>(size);
  lua_Integer start = given < 0 ? given + length + 1 : given;
  start = std::clamp<lua_Integer>(start - 1, 0, length);
  return static_cast<std::size_t>(start);
}

bool has_specials(std::string_view pattern) {
  return until_nul(pattern).find_first_of("^$*+?.([%-") != std::string_view::npos;
}

int push_plain_find(lua_State* state, std::string_view text, std::string_view part,
                    std::size_t start) {
  charge(state, static_cast<std::int64_t>((text.size() - start + part.size()) / 64));
  // memmem takes linear time whatever it is given.
  const void* found =
      part.empty() ? text.data() + start
                   : memmem(text.data() + start, text.size() - start, part.data(), part.size());
  if (found == nullptr) {
    lua_pushnil(state);
    return 1;
  }
  const auto at = static_cast<lua_Integer>(static_cast<const char*>(found) - text.data());
  lua_pushinteger(state, at + 1);
  lua_pushinteger(state, at + static_cast<lua_Integer>(part.size()));
  return 2;
}

int find_or_match(lua_State* state, bool find) {
  const std::string_view text = string_argument(state, 1);
  std::string_view pattern = string_argument(state, 2);
  const std::size_t start = start_argument(state, 3, text.size());
  if (find && (lua_toboolean(state, 4) != 0 || !has_specials(pattern))) {
    return push_plain_find(state, text, pattern, start);
  }
  const bool anchored = pattern.starts_with('^');
  if (anchored) pattern.remove_prefix(1);
  LuaPattern match(state, text, pattern);
  for (const char* at = text.data() + start; at <= match.text_end(); ++at) {
    if (const char* end = match.match_at(at)) {
      if (!find) return match.push_captures(at, end, true);
      lua_pushinteger(state, at - text.data() + 1);
      lua_pushinteger(state, end - text.data());
      return match.push_captures(at, end, false) + 2;
    }
    if (anchored) break;
  }
  lua_pushnil(state);
  return 1;
}

int string_find(lua_State* state) { return find_or_match(state, true); }
int string_match(lua_State* state) { return find_or_match(state, false); }

// Upvalues: text, pattern, where to go on.
int next_match(lua_State* state) {
  const std::string_view text = string_argument(state, lua_upvalueindex(1));
  const std::string_view pattern = string_argument(state, lua_upvalueindex(2));
  LuaPattern match(state, text, pattern);
  for (const char* at = text.data() + lua_tointeger(state, lua_upvalueindex(3));
       at <= match.text_end(); ++at) {
    const char* end = match.match_at(at);
    if (end == nullptr) continue;
    // Behind an empty match the search goes on one byte later.
    lua_pushinteger(state, end - text.data() + (end == at ? 1 : 0));
    lua_replace(state, lua_upvalueindex(3));
    return match.push_captures(at, end, true);
  }
  return 0;
}

int string_gmatch(lua_State* state) {
  string_argument(state, 1);
  string_argument(state, 2);
  lua_settop(state, 2);
  lua_pushinteger(state, 0);
  lua_pushcclosure(state, next_match, 3);
  return 1;
}

// Adds a replacement string, in which %n stands for a capture and %0 for the match.
void add_replacement(lua_State* state, luaL_Buffer& buffer, LuaPattern& match, const char* begin,
                     const char* end) {
  std::size_t size = 0;
  const char* text = lua_tolstring(state, 3, &size);
  charge(state, static_cast<std::int64_t>(size / 16));
  for (std::size_t i = 0; i < size; ++i) {
    if (text[i] != '%') {
      luaL_addchar(&buffer, text[i]);
      continue;
    }
    const char next = ++i < size ? text[i] : '\0';
    if (next < '0' || next > '9') {
      luaL_addchar(&buffer, next);
    } else if (next == '0') {
      luaL_addlstring(&buffer, begin, static_cast<std::size_t>(end - begin));
    } else {
      match.push_capture(next - '1', begin, end);
      luaL_addvalue(&buffer);
    }
  }
}

void add_value(lua_State* state, luaL_Buffer& buffer, LuaPattern& match, const char* begin,
               const char* end) {
  switch (lua_type(state, 3)) {
    case LUA_TFUNCTION:
      lua_pushvalue(state, 3);
      lua_call(state, match.push_captures(begin, end, true), 1);
      break;
    case LUA_TTABLE:
      match.push_capture(0, begin, end);
      lua_gettable(state, 3);
      break;
    default:
      add_replacement(state, buffer, match, begin, end);
      return;
  }
  if (lua_toboolean(state, -1) == 0) {
    lua_pop(state, 1);
    lua_pushlstring(state, begin, static_cast<std::size_t>(end - begin));
  } else if (lua_isstring(state, -1) == 0) {
    luaL_error(state, "invalid replacement value (a %s)", luaL_typename(state, -1));
  }
  luaL_addvalue(&buffer);
}

int string_gsub(lua_State* state) {
  const std::string_view text = string_argument(state, 1);
  std::string_view pattern = string_argument(state, 2);
  const int type = lua_type(state, 3);
  if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TFUNCTION && type != LUA_TTABLE) {
    return luaL_argerror(state, 3, "string/function/table expected");
  }
  const lua_Integer most = luaL_optinteger(state, 4, static_cast<lua_Integer>(text.size()) + 1);
  const bool anchored = pattern.starts_with('^');
  if (anchored) pattern.remove_prefix(1);

  LuaPattern match(state, text, pattern);
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  const char* at = text.data();
  lua_Integer replaced = 0;
  while (replaced < most) {
    const char* end = match.match_at(at);
    if (end != nullptr) {
      ++replaced;
      add_value(state, buffer, match, at, end);
    }
    if (end != nullptr && end > at) {
      at = end;
    } else if (at < match.text_end()) {
      luaL_addchar(&buffer, *at);
      ++at;
    } else {
      break;
    }
    if (anchored) break;
  }
  luaL_addlstring(&buffer, at, static_cast<std::size_t>(match.text_end() - at));
  luaL_pushresult(&buffer);
  lua_pushinteger(state, replaced);
  return 2;
}

int string_rep(lua_State* state) {
  const std::string_view text = string_argument(state, 1);
  const lua_Integer times = std::max<lua_Integer>(luaL_checkinteger(state, 2), 0);
  if (text.empty() || times == 0) {
    lua_pushliteral(state, "");
    return 1;
  }
  if (static_cast<std::uint64_t>(times) > kBlockBytesMax / text.size()) {
    return luaL_error(state, "not enough memory");
  }
  charge(state, times + static_cast<lua_Integer>(text.size()) * times / 16);
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  for (lua_Integer i = 0; i < times; ++i) luaL_addlstring(&buffer, text.data(), text.size());
  luaL_pushresult(&buffer);
  return 1;
}

int string_byte(lua_State* state) {
  charge(state, static_cast<std::int64_t>(std::min<std::size_t>(lua_objlen(state, 1), 8000) / 8));
  return vm_of(state).originals[LuaVm::kByte](state);
}

}  // namespace

void fill_string_library(lua_State* state) {
  constexpr luaL_Reg kFunctions[] = {
      {"find", string_find},    {"match", string_match}, {"gmatch", string_gmatch},
      {"gfind", string_gmatch}, {"gsub", string_gsub},   {"rep", string_rep},
      {"byte", string_byte},
  };
  for (const luaL_Reg& function : kFunctions) {
    lua_pushcfunction(state, function.func);
    lua_setfield(state, -2, function.name);
  }
}

}  // namespace locklapse::redis
