// The ladder queue beside a binary heap of (time, sequence), both at a fixed number of pending events:
// take the earliest, put it back later. Delays are what a lock's life asks for: mostly a network's
// latency, sometimes a TTL.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <queue>
#include <vector>

#include "sim/core/arena.h"
#include "sim/core/event_queue.h"
#include "sim/core/random.h"

namespace {

using Entry = locklapse::EventQueue::Entry;

std::vector<std::int64_t> draw_delays() {
  locklapse::Random random(1, 0);
  std::vector<std::int64_t> delays(1 << 16);
  for (std::int64_t& delay : delays) {
    delay = random.below(8) == 0 ? 30'000'000'000 : 500'000 + random.below(1'000'000);
  }
  return delays;
}

class Ladder {
 public:
  void push(std::int64_t at_ns) { queue_.push({at_ns, 0, 0}); }
  std::int64_t pop() { return queue_.pop().at_ns; }

 private:
  locklapse::Arena arena_;
  locklapse::EventQueue queue_{arena_};
};

class BinaryHeap {
 public:
  void push(std::int64_t at_ns) { queue_.push({at_ns, sequence_++, 0}); }
  std::int64_t pop() {
    const std::int64_t at_ns = queue_.top().at_ns;
    queue_.pop();
    return at_ns;
  }

 private:
  struct Ordered {
    std::int64_t at_ns;
    std::uint64_t sequence;
    std::uint64_t what;
    bool operator>(const Ordered& o) const {
      return at_ns != o.at_ns ? at_ns > o.at_ns : sequence > o.sequence;
    }
  };
  std::priority_queue<Ordered, std::vector<Ordered>, std::greater<>> queue_;
  std::uint64_t sequence_ = 0;
};

template <typename Queue>
void hold(benchmark::State& state) {
  static const std::vector<std::int64_t> delays = draw_delays();
  Queue queue;
  std::size_t next = 0;
  const auto delay = [&] { return delays[next++ % delays.size()]; };
  const std::int64_t pending = state.range(0);
  for (std::int64_t i = 0; i < pending; ++i) queue.push(delay());
  for (std::int64_t i = 0; i < 2 * pending; ++i) queue.push(queue.pop() + delay());
  for (auto _ : state) queue.push(queue.pop() + delay());
}

BENCHMARK(hold<Ladder>)->Arg(10)->Arg(1'000)->Arg(100'000);
BENCHMARK(hold<BinaryHeap>)->Arg(10)->Arg(1'000)->Arg(100'000);

}  // namespace
