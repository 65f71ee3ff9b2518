// The clocks of a host: true time plus an offset that drifts and steps.
//
//   reading(t) = reading_at(anchor) + (t - anchor) * (1 + ppm / 1'000'000)
//
// A step moves the wall clock only; drift bends both clocks of a host. Integers throughout: a reading
// rounds down, when() rounds up, so that reading(when(r)) >= r.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/core/time.h"

namespace locklapse {

class Clock {
 public:
  explicit Clock(std::int64_t reading_ns = 0, std::int64_t ppm = 0)
      : reading_ns_(reading_ns), ppm_(ppm) {}

  std::int64_t read_ns(Time t) const;
  // The earliest true time from `now` on at which the clock reads at least `reading_ns`.
  Time when(std::int64_t reading_ns, Time now) const;
  void step(Time now, Duration by);
  // REQUIRES: ppm > -1'000'000.
  void set_drift(Time now, std::int64_t ppm);

 private:
  void rebase(Time now);

  Time anchor_{};
  std::int64_t reading_ns_;
  std::int64_t ppm_;
};

// A machine: what its programs can know of time.
struct Host {
  Host(std::string_view host_name, Duration skew, std::int64_t drift_ppm);

  WallTime wall(Time now) const;
  // True time of the earliest instant from `now` on at which the wall clock reads at least `at`.
  Time when_wall(WallTime at, Time now) const;

  std::string_view name;
  Clock wall_clock;
  Clock monotonic_clock;
};

}  // namespace locklapse
