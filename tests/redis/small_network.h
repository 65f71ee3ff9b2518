// Hosts on a small simulated network, for tests of state machines that send messages: what is under
// way between two hosts arrives in order; what is sent over a cut waits, as in TCP, until it is
// mended.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory_resource>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/core/random.h"

namespace locklapse::redis {

// Counts what is asked of it.
class CountingMemory final : public std::pmr::memory_resource {
 public:
  std::size_t allocations = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++allocations;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

class SmallNetwork {
 public:
  struct Options {
    std::uint64_t seed = 0;  // 0: every latency is the smallest
    std::int64_t latency_us = 100;
    std::uint32_t latency_spread_us = 0;  // with a seed: up to this much more
  };

  explicit SmallNetwork(const Options& options) : options_(options), random_(options.seed, 1) {}

  std::int64_t now_us() const { return now_us_; }
  std::int64_t now_ms() const { return now_us_ / 1'000; }

  void at(std::int64_t at_us, std::function<void()> run) {
    queue_.push({at_us, ++sequence_, std::move(run)});
  }
  // Sends from one host to another.
  void carry(int from, int to, std::function<void()> run) {
    if (is_cut(from, to)) {
      held_.emplace_back(std::pair(from, to), std::move(run));
      return;
    }
    std::int64_t latency_us = options_.latency_us;
    if (options_.seed != 0) latency_us += random_.below(options_.latency_spread_us + 1);
    std::int64_t& last_us = last_arrival_us_[{from, to}];
    last_us = std::max(last_us + 1, now_us_ + latency_us);
    at(last_us, std::move(run));
  }
  void run_for(std::int64_t ms) {
    const std::int64_t until_us = now_us_ + ms * 1'000;
    while (!queue_.empty() && queue_.top().at_us <= until_us) {
      const Action action = queue_.top();
      queue_.pop();
      now_us_ = action.at_us;
      action.run();
    }
    now_us_ = until_us;
  }

  void cut(int a, int b) { cuts_.insert(std::minmax(a, b)); }
  bool is_cut(int a, int b) const { return cuts_.contains(std::minmax(a, b)); }
  void mend_all() {
    cuts_.clear();
    for (auto& [hosts, run] : std::exchange(held_, {})) {
      carry(hosts.first, hosts.second, std::move(run));
    }
  }

 private:
  struct Action {
    std::int64_t at_us;
    std::uint64_t sequence;
    std::function<void()> run;
    bool operator<(const Action& other) const {
      return std::tie(other.at_us, other.sequence) < std::tie(at_us, sequence);
    }
  };

  Options options_;
  Random random_;
  std::int64_t now_us_ = 0;
  std::uint64_t sequence_ = 0;
  std::priority_queue<Action> queue_;
  std::set<std::pair<int, int>> cuts_;
  std::vector<std::pair<std::pair<int, int>, std::function<void()>>> held_;
  std::map<std::pair<int, int>, std::int64_t> last_arrival_us_;
};

}  // namespace locklapse::redis
