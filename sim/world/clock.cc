#include "sim/world/clock.h"

namespace locklapse {

namespace {

constexpr std::int64_t kMillion = 1'000'000;
__extension__ using Wide = __int128;

std::int64_t floor_div(Wide a, std::int64_t b) {
  const auto quotient = static_cast<std::int64_t>(a / b);
  return quotient - (a % b < 0 ? 1 : 0);
}

std::int64_t ceil_div(Wide a, std::int64_t b) {
  const auto quotient = static_cast<std::int64_t>(a / b);
  return quotient + (a % b > 0 ? 1 : 0);
}

}  // namespace

std::int64_t Clock::read_ns(Time t) const {
  const std::int64_t elapsed = (t - anchor_).ns;
  if (ppm_ == 0) return reading_ns_ + elapsed;
  return reading_ns_ + elapsed + floor_div(static_cast<Wide>(elapsed) * ppm_, kMillion);
}

Time Clock::when(std::int64_t reading_ns, Time now) const {
  const std::int64_t wanted = reading_ns - reading_ns_;
  Time t = anchor_ + nanoseconds(ceil_div(static_cast<Wide>(wanted) * kMillion, kMillion + ppm_));
  while (read_ns(t) < reading_ns) t = t + nanoseconds(1);
  return t < now ? now : t;
}

void Clock::rebase(Time now) {
  reading_ns_ = read_ns(now);
  anchor_ = now;
}

void Clock::step(Time now, Duration by) {
  rebase(now);
  reading_ns_ += by.ns;
}

void Clock::set_drift(Time now, std::int64_t ppm) {
  rebase(now);
  ppm_ = ppm;
}

Host::Host(std::string_view host_name, Duration skew, std::int64_t drift_ppm)
    : name(host_name), wall_clock(kEpoch.us * 1'000 + skew.ns, drift_ppm), monotonic_clock(0, drift_ppm) {}

WallTime Host::wall(Time now) const {
  const std::int64_t ns = wall_clock.read_ns(now);
  return WallTime{ns >= 0 ? ns / 1'000 : -((-ns + 999) / 1'000)};
}

Time Host::when_wall(WallTime at, Time now) const { return wall_clock.when(at.us * 1'000, now); }

}  // namespace locklapse
