#include "sim/redis/sha1.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace locklapse::redis {

namespace {

using State = std::array<std::uint32_t, 5>;

std::uint32_t big_endian_word(const unsigned char* p) {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}

void add_block(State& state, const unsigned char* block) {
  std::uint32_t w[80];
  for (int i = 0; i < 16; ++i) w[i] = big_endian_word(block + 4 * i);
  for (int i = 16; i < 80; ++i) {
    w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  }
  std::uint32_t a = state[0];
  std::uint32_t b = state[1];
  std::uint32_t c = state[2];
  std::uint32_t d = state[3];
  std::uint32_t e = state[4];
  const auto round = [&](std::uint32_t f, std::uint32_t k, std::uint32_t word) {
    const std::uint32_t next = std::rotl(a, 5) + f + e + k + word;
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  };
  for (int i = 0; i < 20; ++i) round((b & c) | (~b & d), 0x5a827999, w[i]);
  for (int i = 20; i < 40; ++i) round(b ^ c ^ d, 0x6ed9eba1, w[i]);
  for (int i = 40; i < 60; ++i) round((b & c) | (b & d) | (c & d), 0x8f1bbcdc, w[i]);
  for (int i = 60; i < 80; ++i) round(b ^ c ^ d, 0xca62c1d6, w[i]);
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

}  // namespace

Sha1Hex sha1_hex(std::string_view bytes) {
  State state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  for (; left >= 64; left -= 64, data += 64) add_block(state, data);

  unsigned char tail[128] = {};
  if (left > 0) std::memcpy(tail, data, left);
  tail[left] = 0x80;
  const std::size_t padded = left < 56 ? 64 : 128;
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int i = 0; i < 8; ++i) {
    tail[padded - 1 - static_cast<std::size_t>(i)] = static_cast<unsigned char>(bits >> (8 * i));
  }
  add_block(state, tail);
  if (padded == 128) add_block(state, tail + 64);

  Sha1Hex hex;
  for (std::size_t i = 0; i < 40; ++i) {
    hex.digits[i] = "0123456789abcdef"[(state[i / 8] >> (28 - 4 * (i % 8))) & 15];
  }
  return hex;
}

}  // namespace locklapse::redis
