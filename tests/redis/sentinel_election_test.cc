// What must hold of elections whatever the timing: swept over seeds of latencies and jitters.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "sim/core/random.h"
#include "tests/redis/sentinel_world.h"

namespace locklapse::redis {
namespace {

using Kind = SentinelEventKind;

// A master that dies and comes back, sentinels that restart and pause, links that are cut, all at
// random.
std::string run_storm(std::uint64_t seed, SentinelEvents& events) {
  Random random(seed, 9);
  SentinelWorld::Options options;
  options.sentinels = 3 + 2 * static_cast<int>(seed % 2);
  options.quorum = 1 + static_cast<int>(random.below(3));
  options.down_after_ms = 500 + random.below(2'000);
  options.failover_timeout_ms = 2'000 + random.below(4'000);
  options.seed = seed;
  // From a LAN to links as slow as a tick, where requests for votes cross.
  options.latency_spread_us = 1 << (7 + random.below(11));
  SentinelWorld world(options);
  world.run_for(12'000);
  for (int round = 0; round < 6; ++round) {
    const int node = static_cast<int>(random.below(3));
    const int other = static_cast<int>(random.below(static_cast<std::uint32_t>(options.sentinels)));
    world.kill_node(node);
    if (random.below(3) == 0) world.pause_sentinel_for(other, random.below(1'500));
    if (random.below(3) == 0)
      world.cut(world.host_of_sentinel(other), world.host_of_sentinel((other + 1) % 3));
    world.run_for(options.down_after_ms + random.below(1'000));
    if (random.below(3) == 0) {
      world.kill_sentinel(other);
      world.run_for(random.below(500));
      world.start_sentinel(other);
    }
    world.run_for(2'000 + random.below(10'000));
    world.mend_all();
    world.start_node(node);
    world.run_for(random.below(15'000));
  }
  events = world.events();
  return world.log();
}

TEST(SentinelElectionTest, NoTwoLeadersShareAnEpochAndNoOneVotesTwiceInOne) {
  std::size_t leaders = 0;
  std::size_t lost = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SentinelEvents events;
    const std::string log = run_storm(seed, events);
    std::map<std::uint64_t, SentinelId> leader_of;
    std::set<std::pair<SentinelId, std::uint64_t>> voted;
    for (const auto& [ms, event] : events) {
      if (event.kind == Kind::kElectedLeader) {
        ++leaders;
        ASSERT_TRUE(leader_of.emplace(event.epoch, event.by).second)
            << "seed " << seed << " epoch " << event.epoch << '\n'
            << log;
      }
      if (event.kind == Kind::kNotElected) ++lost;
      if (event.kind == Kind::kVote) {
        ASSERT_TRUE(voted.emplace(event.by, event.epoch).second) << "seed " << seed << '\n' << log;
      }
    }
  }
  // The storms must have been storms: elections won in plenty, and some lost.
  EXPECT_GT(leaders, 40U);
  EXPECT_GT(lost, 5U);
}

TEST(SentinelElectionTest, EverySentinelEndsUpWithTheSameMasterOnceItIsCalm) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SentinelWorld::Options options;
    options.seed = seed;
    options.latency_spread_us = 60'000;
    options.failover_timeout_ms = 3'000;
    SentinelWorld world(options);
    world.run_for(12'000);
    world.kill_node(0);
    world.run_for(40'000);
    world.start_node(0);
    world.run_for(30'000);
    const NodeId master = world.sentinel(0).master_address();
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(world.sentinel(i).master_address(), master) << "seed " << seed << '\n'
                                                            << world.log();
      EXPECT_EQ(world.is_master(i), NodeId{static_cast<std::uint16_t>(i)} == master)
          << "seed " << seed << '\n'
          << world.log();
    }
  }
}

TEST(SentinelElectionTest, TheSameSeedGivesTheSameEvents) {
  SentinelEvents events;
  EXPECT_EQ(run_storm(7, events), run_storm(7, events));
}

}  // namespace
}  // namespace locklapse::redis
