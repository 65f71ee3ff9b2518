#include "sim/core/random.h"

#include <bit>

namespace locklapse {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

Random::Random(std::uint64_t seed, std::uint64_t purpose) {
  std::uint64_t mixed_purpose = purpose;
  std::uint64_t state = seed ^ splitmix64(mixed_purpose);
  for (std::uint64_t& word : state_) word = splitmix64(state);
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint32_t Random::below(std::uint32_t n) {
  // The high half of a 32x32-bit product is uniform once the few low halves that would favour small
  // results are rejected: those under 2^32 mod n, which is itself under n.
  for (;;) {
    const std::uint64_t product = (next() >> 32) * n;
    const auto low = static_cast<std::uint32_t>(product);
    if (low >= n || low >= (0u - n) % n) return static_cast<std::uint32_t>(product >> 32);
  }
}

}  // namespace locklapse
