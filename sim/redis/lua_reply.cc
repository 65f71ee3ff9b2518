// Values that cross between a script and the server.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "sim/redis/lua_vm.h"

namespace locklapse::redis {

namespace {

// Deeper replies no client reads; the server itself gives up when Lua's stack is full.
constexpr int kDepthMax = 256;

// What a C cast gives: towards zero, and the smallest number for all that does not fit.
std::int64_t to_integer(lua_Number number) {
  constexpr lua_Number kLimit = 9223372036854775808.0;
  if (!(number >= -kLimit && number < kLimit)) return INT64_MIN;
  return static_cast<std::int64_t>(number);
}

// Pushes the field of the table on top if it has the type; pushes nothing otherwise.
bool push_field(lua_State* state, const char* name, int type) {
  lua_pushstring(state, name);
  lua_rawget(state, -2);
  if (lua_type(state, -1) == type) return true;
  lua_pop(state, 1);
  return false;
}

// The string on top as the server sends it in a line: up to a NUL, without line ends.
std::string_view line_text(lua_State* state, LuaVm& vm) {
  vm.text.assign(lua_tostring(state, -1));
  std::replace(vm.text.begin(), vm.text.end(), '\r', ' ');
  std::replace(vm.text.begin(), vm.text.end(), '\n', ' ');
  return vm.text;
}

std::string_view bulk_text(lua_State* state) {
  std::size_t size = 0;
  const char* bytes = lua_tolstring(state, -1, &size);
  return {bytes, size};
}

void array_to_reply(lua_State* state, LuaVm& vm, Reply& out, int depth) {
  out = Reply::array(vm.memory);
  for (int i = 1;; ++i) {
    lua_rawgeti(state, -1, i);
    if (lua_isnil(state, -1)) break;
    to_reply(state, vm, out.append_null(), depth + 1);
  }
  lua_pop(state, 1);
}

bool client_speaks_resp3(const LuaVm& vm) { return vm.host->client_resp() == 3; }

// To a client of RESP2 maps and sets become flat arrays.
void entries_to_reply(lua_State* state, LuaVm& vm, Reply& out, int depth, bool values) {
  refuse_unordered(state, lua_gettop(state));
  const Reply::Type type = values ? Reply::Type::kMap : Reply::Type::kSet;
  out = Reply::aggregate(client_speaks_resp3(vm) ? type : Reply::Type::kArray, vm.memory);
  lua_pushnil(state);
  while (lua_next(state, -2) != 0) {
    lua_pushvalue(state, -2);
    to_reply(state, vm, out.append_null(), depth + 1);
    if (values) {
      to_reply(state, vm, out.append_null(), depth + 1);
    } else {
      lua_pop(state, 1);
    }
  }
}

bool verbatim_to_reply(lua_State* state, LuaVm& vm, Reply& out) {
  if (!push_field(state, "verbatim_string", LUA_TTABLE)) return false;
  bool found = false;
  if (push_field(state, "format", LUA_TSTRING)) {
    // The wire has room for three bytes.
    std::string format(bulk_text(state).substr(0, 3));
    format.resize(3, ' ');
    lua_pop(state, 1);
    if (push_field(state, "string", LUA_TSTRING)) {
      out = client_speaks_resp3(vm) ? Reply::verbatim(format, bulk_text(state), vm.memory)
                                    : Reply::bulk(bulk_text(state), vm.memory);
      lua_pop(state, 1);
      found = true;
    }
  }
  lua_pop(state, 1);
  return found;
}

void table_to_reply(lua_State* state, LuaVm& vm, Reply& out, int depth) {
  if (push_field(state, "err", LUA_TSTRING)) {
    out = Reply::error(line_text(state, vm), vm.memory);
  } else if (push_field(state, "ok", LUA_TSTRING)) {
    out = Reply::simple(line_text(state, vm), vm.memory);
  } else if (push_field(state, "double", LUA_TNUMBER)) {
    const auto number = double_text(lua_tonumber(state, -1));
    out = client_speaks_resp3(vm) ? Reply::floating(number.view(), vm.memory)
                                  : Reply::bulk(number.view(), vm.memory);
  } else if (push_field(state, "big_number", LUA_TSTRING)) {
    out = client_speaks_resp3(vm) ? Reply::big_number(line_text(state, vm), vm.memory)
                                  : Reply::bulk(line_text(state, vm), vm.memory);
  } else if (verbatim_to_reply(state, vm, out)) {
    return;
  } else if (push_field(state, "map", LUA_TTABLE)) {
    entries_to_reply(state, vm, out, depth, true);
  } else if (push_field(state, "set", LUA_TTABLE)) {
    entries_to_reply(state, vm, out, depth, false);
  } else {
    array_to_reply(state, vm, out, depth);
    return;
  }
  lua_pop(state, 1);
}

}  // namespace

void to_reply(lua_State* state, LuaVm& vm, Reply& out, int depth) {
  if (depth > kDepthMax || --vm.reply_elements_left < 0) {
    out = Reply::error("ERR reached lua stack limit", vm.memory);
    lua_pop(state, 1);
    return;
  }
  luaL_checkstack(state, 8, "reply too deep");
  switch (lua_type(state, -1)) {
    case LUA_TSTRING:
      out = Reply::bulk(bulk_text(state), vm.memory);
      break;
    case LUA_TBOOLEAN:
      if (vm.resp == 3 && client_speaks_resp3(vm)) {
        out = Reply::boolean(lua_toboolean(state, -1) != 0, vm.memory);
      } else if (lua_toboolean(state, -1) != 0) {
        out = Reply::integer(1, vm.memory);
      } else {
        out = vm.resp == 3 ? Reply::integer(0, vm.memory) : Reply::null_bulk(vm.memory);
      }
      break;
    case LUA_TNUMBER:
      out = Reply::integer(to_integer(lua_tonumber(state, -1)), vm.memory);
      break;
    case LUA_TTABLE:
      table_to_reply(state, vm, out, depth);
      break;
    default:
      out = Reply::null_bulk(vm.memory);
      break;
  }
  lua_pop(state, 1);
}

void push_error(lua_State* state, std::string_view text) {
  lua_createtable(state, 0, 2);
  lua_pushlstring(state, text.data(), text.size());
  lua_setfield(state, -2, "err");
}

namespace {

// Pushes {name = value}. REQUIRES: the value is on top, and gives way to it.
void wrap(lua_State* state, const char* name) {
  lua_createtable(state, 0, 1);
  lua_insert(state, -2);
  lua_setfield(state, -2, name);
}

// Pushes a table made of the elements; in a map they come in pairs, in a set they are keys.
void push_elements(lua_State* state, LuaVm& vm, const Reply& reply) {
  const auto& elements = reply.elements();
  lua_createtable(state, 0, 0);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    push_reply(state, vm, elements[i]);
    if (reply.type() == Reply::Type::kMap) {
      push_reply(state, vm, elements[++i]);
    } else if (reply.type() == Reply::Type::kSet) {
      lua_pushboolean(state, 1);
    } else {
      lua_rawseti(state, -2, static_cast<int>(i + 1));
      continue;
    }
    lua_rawset(state, -3);
  }
}

void push_verbatim(lua_State* state, const Reply& reply) {
  lua_createtable(state, 0, 2);
  const auto format = reply.format();
  lua_pushlstring(state, format.data(), format.size());
  lua_setfield(state, -2, "format");
  lua_pushlstring(state, reply.text().data(), reply.text().size());
  lua_setfield(state, -2, "string");
  wrap(state, "verbatim_string");
}

}  // namespace

void push_reply(lua_State* state, LuaVm& vm, const Reply& reply) {
  luaL_checkstack(state, 6, "reply too deep");
  const std::string_view text = reply.text();
  switch (reply.type()) {
    case Reply::Type::kSimple:
      lua_createtable(state, 0, 1);
      lua_pushlstring(state, text.data(), text.size());
      lua_setfield(state, -2, "ok");
      break;
    case Reply::Type::kError:
      push_error(state, text);
      lua_pushboolean(state, 1);
      lua_setfield(state, -2, "ignore_error_stats_update");
      break;
    case Reply::Type::kInteger:
      lua_pushnumber(state, static_cast<lua_Number>(reply.integer()));
      break;
    case Reply::Type::kBulk:
      lua_pushlstring(state, text.data(), text.size());
      break;
    case Reply::Type::kNullBulk:
    case Reply::Type::kNullArray:
      if (vm.resp == 3) {
        lua_pushnil(state);
      } else {
        lua_pushboolean(state, 0);
      }
      break;
    case Reply::Type::kArray:
    case Reply::Type::kPush:
      push_elements(state, vm, reply);
      break;
    case Reply::Type::kMap:
      push_elements(state, vm, reply);
      wrap(state, "map");
      break;
    case Reply::Type::kSet:
      push_elements(state, vm, reply);
      wrap(state, "set");
      break;
    case Reply::Type::kDouble: {
      double number = 0;
      parse_double(text, number);
      lua_pushnumber(state, number);
      wrap(state, "double");
      break;
    }
    case Reply::Type::kBoolean:
      lua_pushboolean(state, reply.integer() != 0 ? 1 : 0);
      break;
    case Reply::Type::kBigNumber:
      lua_pushlstring(state, text.data(), text.size());
      wrap(state, "big_number");
      break;
    case Reply::Type::kVerbatim:
      push_verbatim(state, reply);
      break;
  }
}

}  // namespace locklapse::redis
