// The bit library that Redis gives its scripts: operations on 32-bit words, results as signed
// numbers.
#include <bit>
#include <cstdint>
#include <cstring>

#include "sim/redis/lua_vm.h"

namespace locklapse::redis {

namespace {

// A number modulo 2^32, halves rounded to even.
std::uint32_t word_argument(lua_State* state, int index) {
  // Adding 2^52 + 2^51 brings the integer part into the low bits of the number's representation.
  const double shifted = luaL_checknumber(state, index) + 6755399441055744.0;
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(shifted));
}

int push_word(lua_State* state, std::uint32_t word) {
  lua_pushnumber(state, static_cast<std::int32_t>(word));
  return 1;
}

int bit_tobit(lua_State* state) { return push_word(state, word_argument(state, 1)); }
int bit_bnot(lua_State* state) { return push_word(state, ~word_argument(state, 1)); }

template <typename Operation>
int fold(lua_State* state, Operation operation) {
  std::uint32_t word = word_argument(state, 1);
  for (int i = lua_gettop(state); i > 1; --i) word = operation(word, word_argument(state, i));
  return push_word(state, word);
}

int bit_band(lua_State* state) {
  return fold(state, [](std::uint32_t a, std::uint32_t b) { return a & b; });
}
int bit_bor(lua_State* state) {
  return fold(state, [](std::uint32_t a, std::uint32_t b) { return a | b; });
}
int bit_bxor(lua_State* state) {
  return fold(state, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
}

template <typename Operation>
int shift(lua_State* state, Operation operation) {
  const std::uint32_t word = word_argument(state, 1);
  return push_word(state, operation(word, static_cast<int>(word_argument(state, 2) & 31)));
}

int bit_lshift(lua_State* state) {
  return shift(state, [](std::uint32_t word, int n) { return word << n; });
}
int bit_rshift(lua_State* state) {
  return shift(state, [](std::uint32_t word, int n) { return word >> n; });
}
int bit_arshift(lua_State* state) {
  return shift(state, [](std::uint32_t word, int n) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >> n);
  });
}
int bit_rol(lua_State* state) {
  return shift(state, [](std::uint32_t word, int n) { return std::rotl(word, n); });
}
int bit_ror(lua_State* state) {
  return shift(state, [](std::uint32_t word, int n) { return std::rotr(word, n); });
}

int bit_bswap(lua_State* state) {
  const std::uint32_t word = word_argument(state, 1);
  return push_word(state, word >> 24 | (word >> 8 & 0xff00) | (word & 0xff00) << 8 | word << 24);
}

// tohex(x [, digits]): a negative number of digits asks for capitals.
int bit_tohex(lua_State* state) {
  std::uint32_t word = word_argument(state, 1);
  auto count = lua_isnone(state, 2) ? 8 : static_cast<std::int32_t>(word_argument(state, 2));
  const char* digits = "0123456789abcdef";
  if (count < 0) {
    count = count == INT32_MIN ? 8 : -count;
    digits = "0123456789ABCDEF";
  }
  if (count > 8) count = 8;
  char text[8];
  for (int i = count; i-- > 0; word >>= 4) text[i] = digits[word & 15];
  lua_pushlstring(state, text, static_cast<std::size_t>(count));
  return 1;
}

}  // namespace

void fill_bit_library(lua_State* state) {
  constexpr luaL_Reg kFunctions[] = {
      {"tobit", bit_tobit},   {"bnot", bit_bnot},       {"band", bit_band},
      {"bor", bit_bor},       {"bxor", bit_bxor},       {"lshift", bit_lshift},
      {"rshift", bit_rshift}, {"arshift", bit_arshift}, {"rol", bit_rol},
      {"ror", bit_ror},       {"bswap", bit_bswap},     {"tohex", bit_tohex},
  };
  for (const luaL_Reg& function : kFunctions) {
    lua_pushcfunction(state, function.func);
    lua_setfield(state, -2, function.name);
  }
}

}  // namespace locklapse::redis
