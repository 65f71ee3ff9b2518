// Where sentinels and cluster nodes take their random numbers from: the driver, so that each is one
// of its choices and can be recorded, replayed and searched.
#pragma once

#include <cstdint>

namespace locklapse::redis {

enum class JitterKind : std::uint8_t {
  kTimerPeriod,    // a sentinel's next timer tick: 10 to 19 Hz, n = 10
  kDesync,         // how long a sentinel stays away from elections, in ms, n = 1000
  kElectionDelay,  // what a cluster replica waits before it asks for votes, in ms, n = 500
};

// Plain, so that whoever holds one can be copied byte for byte. Answers 0, the plainest
// alternative, unless the driver gives it a function.
struct JitterSource {
  using Choose = std::uint32_t (*)(void* context, JitterKind kind, std::uint32_t n);

  Choose choose = nullptr;
  void* context = nullptr;

  // In [0, n). REQUIRES: n >= 1.
  std::uint32_t operator()(JitterKind kind, std::uint32_t n) const {
    return choose == nullptr ? 0 : choose(context, kind, n);
  }
};

}  // namespace locklapse::redis
