// The periods and limits that a sentinel of Redis 7.0 has built in.
#pragma once

#include <cstdint>

namespace locklapse::redis::sentinel {

inline constexpr std::uint32_t kTimerHz = 10;  // at least; up to twice as often
inline constexpr std::int64_t kPingPeriodMs = 1'000;
inline constexpr std::int64_t kInfoPeriodMs = 10'000;
inline constexpr std::int64_t kInfoPeriodInTroubleMs = 1'000;
inline constexpr std::int64_t kPublishPeriodMs = 2'000;
inline constexpr std::int64_t kAskPeriodMs = 1'000;
inline constexpr std::int64_t kStaleLinkAgeMs = 15'000;
inline constexpr int kUnansweredMax = 100;  // commands on one connection
inline constexpr std::int64_t kElectionTimeoutMs = 10'000;
inline constexpr std::int64_t kReconfigurationTimeoutMs = 10'000;
inline constexpr std::uint32_t kDesyncMs = 1'000;
inline constexpr std::int64_t kTiltTriggerMs = 2'000;
inline constexpr std::int64_t kTiltMs = 30'000;
// How long a replica must call itself master before it is demoted: time for a newer configuration
// to arrive.
inline constexpr std::int64_t kRoleMismatchMs = 4 * kPublishPeriodMs;

}  // namespace locklapse::redis::sentinel
