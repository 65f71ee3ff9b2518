// Time as the simulator counts it: integers, never floating point.
//
// True time is what the kernel orders events by; no simulated program can read it. A program reads
// the wall or the monotonic clock of its own host (sim/world/clock.h), and Redis expires keys by the
// wall clock of its host in whole milliseconds.
//
// Invariant: all arithmetic here is on signed 64-bit nanoseconds, so a run may span some 292 years.
// Values that come from outside are range-checked where they enter (sim/scenario).
#pragma once

#include <compare>
#include <cstdint>

namespace locklapse {

// A span of time in nanoseconds; may be negative.
struct Duration {
  std::int64_t ns = 0;

  constexpr auto operator<=>(const Duration&) const = default;
  constexpr Duration operator+(Duration o) const { return {ns + o.ns}; }
  constexpr Duration operator-(Duration o) const { return {ns - o.ns}; }
  constexpr Duration operator-() const { return {-ns}; }
  constexpr Duration operator*(std::int64_t n) const { return {ns * n}; }
  constexpr Duration operator/(std::int64_t n) const { return {ns / n}; }
  constexpr std::int64_t us() const { return ns / 1'000; }
  constexpr std::int64_t ms() const { return ns / 1'000'000; }
};

constexpr Duration nanoseconds(std::int64_t n) { return {n}; }
constexpr Duration microseconds(std::int64_t n) { return {n * 1'000}; }
constexpr Duration milliseconds(std::int64_t n) { return {n * 1'000'000}; }
constexpr Duration seconds(std::int64_t n) { return {n * 1'000'000'000}; }

// An instant of true time, counted from the start of the run.
struct Time {
  std::int64_t ns = 0;

  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time operator+(Duration d) const { return {ns + d.ns}; }
  constexpr Time operator-(Duration d) const { return {ns - d.ns}; }
  constexpr Duration operator-(Time o) const { return {ns - o.ns}; }
  constexpr std::int64_t us() const { return ns / 1'000; }
  constexpr std::int64_t ms() const { return ns / 1'000'000; }
};

// A reading of some host's wall clock: microseconds since the Unix epoch, as gettimeofday gives it.
struct WallTime {
  std::int64_t us = 0;

  constexpr auto operator<=>(const WallTime&) const = default;
  // Floor, also before 1970: Redis's notion of "now" in milliseconds.
  constexpr std::int64_t ms() const {
    return us >= 0 ? us / 1'000 : -((-us + 999) / 1'000);
  }
};

// True time 0 reads as this on a wall clock without skew: 2026-01-01 00:00:00 UTC. A fixed date keeps
// every PXAT, TIME reply and history the same on every machine and every day.
inline constexpr WallTime kEpoch{1'767'225'600'000'000};

}  // namespace locklapse
