// The simulator's own pseudo-random integers: the same sequence with every compiler and library.
//
// xoshiro256** seeded through splitmix64; bounded numbers by Lemire's multiply-and-reject, so there is
// no bias and no floating point. One stream per purpose: drawing a latency more must not change the
// retry jitter of another client.
#pragma once

#include <array>
#include <cstdint>

namespace locklapse {

// One step of splitmix64: advances `state` and returns a well-mixed 64-bit value.
std::uint64_t splitmix64(std::uint64_t& state);

class Random {
 public:
  // Streams with different `purpose` under one seed are independent.
  Random(std::uint64_t seed, std::uint64_t purpose);

  std::uint64_t next();
  // Uniform in [0, n). REQUIRES: n >= 1.
  std::uint32_t below(std::uint32_t n);

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace locklapse
