// A/B/C replays per second on one thread: the world assembled, run and judged each time.
//
//   locklapse_replay_bench [SCENARIO [STRATEGY]]      default: scenarios/abc.yaml set-del
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "sim/history/judge.h"
#include "sim/scenario/read.h"
#include "sim/scenario/run.h"
#include "tests/bench/count_allocations.h"

namespace locklapse {
namespace {

constexpr int kWarmUp = 2'000;
constexpr int kReplays = 50'000;

int bench(const std::string& path, const std::string& strategy_name) {
  const scenario::Result read = scenario::read_scenario(path, scenario::vocabulary());
  const Strategy* strategy = find_strategy(strategy_name);
  if (!read.ok() || strategy == nullptr) {
    for (const std::string& error : read.errors) fmt::print(stderr, "{}\n", error);
    return 65;
  }
  const Guard guard = *parse_guard("none");
  scenario::Runner runner;
  std::uint64_t events = 0;
  std::uint64_t overlaps = 0;
  std::uint64_t allocations = 0;    // on the heap while worlds ran; the verdict's own are not counted
  auto begin = std::chrono::steady_clock::now();
  for (int i = -kWarmUp; i < kReplays; ++i) {
    if (i == 0) begin = std::chrono::steady_clock::now();
    FirstChooser chooser;
    const std::uint64_t before = ping_pong::allocations;
    const History history = runner.replay(*read.scenario, *strategy, guard, chooser);
    if (i >= 0) {
      allocations += ping_pong::allocations - before;
      events += history.events.size();
    }
    overlaps += judge(history).overlaps.size();
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  fmt::print(R"({{"replays_per_second": {:.0f}, "events_per_replay": {}, "overlaps_per_replay": {}, )"
             R"("heap_allocations_per_event": {:.3f}}})"
             "\n",
             kReplays / elapsed.count(), events / kReplays, overlaps / (kReplays + kWarmUp),
             static_cast<double>(allocations) / static_cast<double>(events));
  return 0;
}

}  // namespace
}  // namespace locklapse

int main(int argc, char** argv) {
  return locklapse::bench(argc > 1 ? argv[1] : LOCKLAPSE_SOURCE_DIR "/scenarios/abc.yaml",
                          argc > 2 ? argv[2] : "set-del");
}
