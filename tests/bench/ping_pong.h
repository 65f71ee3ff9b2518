// The load that both simulators are given: clients that send a request through a link with latency to
// a server, which answers at once through the same link; and again, for ever. Two events per round trip.
//
// Latencies come from one small generator per client, so both simulators see the same ones, and the
// checksum over all replies must agree: it says that they simulated the same thing.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace ping_pong {

// What one client draws: between 0.5 and 1.5 ms, to the nanosecond.
class Latency {
 public:
  explicit Latency(std::uint32_t client) : state_(client * 2'654'435'761u + 1) {}
  std::int64_t next_ns() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return 500'000 + static_cast<std::int64_t>((std::uint64_t{state_} * 1'000'000) >> 32);
  }

 private:
  std::uint32_t state_;
};

// What has come back so far. The sum does not depend on the order within one instant.
struct Replies {
  std::uint64_t count = 0;
  std::uint64_t checksum = 0;
  void add(std::int64_t at_ns, std::uint32_t client) {
    ++count;
    checksum += static_cast<std::uint64_t>(at_ns) * (client + 1);
  }
};

struct Plan {
  std::uint32_t clients;
  std::int64_t warm_until_ns;  // not measured: queues and pools reach their working size
  std::int64_t until_ns;
};

// argv: CLIENTS [EVENTS]. A round trip takes 2 ms on average, that is two events.
inline Plan read_plan(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s CLIENTS [EVENTS]\n", argv[0]);
    std::exit(64);
  }
  const auto clients = static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10));
  const std::int64_t events = argc > 2 ? std::strtoll(argv[2], nullptr, 10) : 2'000'000;
  const std::int64_t warm_ns = 20'000'000;
  return {clients, warm_ns, warm_ns + events * 1'000'000 / clients};
}

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline void print(const char* simulator, const Plan& plan, const Replies& warm, const Replies& all,
                  double seconds, std::uint64_t allocations_made) {
  const std::uint64_t events = 2 * (all.count - warm.count);
  std::printf("{\"simulator\": \"%s\", \"clients\": %u, \"events\": %llu, \"events_per_second\": %.0f, "
              "\"ns_per_event\": %.2f, \"allocations\": %llu, \"checksum\": \"%016llx\"}\n",
              simulator, plan.clients, static_cast<unsigned long long>(events),
              static_cast<double>(events) / seconds, seconds * 1e9 / static_cast<double>(events),
              static_cast<unsigned long long>(allocations_made),
              static_cast<unsigned long long>(all.checksum));
}

}  // namespace ping_pong
