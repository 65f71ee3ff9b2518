// Failures and elections in a cluster, held against the formulas of Redis 7.0 and what six real
// nodes with a node-timeout of 2000 did.
#include <gtest/gtest.h>

#include <map>

#include "tests/redis/cluster_world.h"

namespace locklapse::redis {
namespace {

using Kind = ClusterEventKind;
using Options = ClusterWorld::Options;
using cluster::Verdict;

constexpr std::int64_t kTimeoutMs = 2'000;
constexpr std::int64_t kTickMs = 100;
constexpr std::int64_t kSlackMs = 5;  // round trips of these tests
constexpr std::int64_t kSettledMs = 20'000;
constexpr std::string_view kLock[] = {"lock"};  // slot 8718: node 1's

// The node answers as the owner of the lock.
bool serves(ClusterWorld& world, int i) {
  return world.node(i).route(kLock, {.writes = true}).verdict == Verdict::kServe;
}

class ClusterFailoverTest : public testing::TestWithParam<std::uint64_t> {
 protected:
  static Options options() {
    Options options;
    options.seed = GetParam();
    return options;
  }
};

TEST_P(ClusterFailoverTest, AReplicaTakesOverWhenItsMasterIsKilled) {
  ClusterWorld world(options());
  world.run_for(kSettledMs + static_cast<std::int64_t>(GetParam()) * 173);
  ASSERT_TRUE(world.events().empty()) << world.log();
  const std::int64_t fault_ms = world.now_ms();
  world.kill(1);
  world.run_for(8'000);
  SCOPED_TRACE(world.log());

  // Nobody pings a node again before half the timeout, and then it has the timeout to answer; a
  // report reaches another master with a ping or pong within another half. On real nodes: 2612 to
  // 3215 ms in nine kills, 3690 in one.
  const std::vector<std::int64_t> failing = world.when(Kind::kFailing, fault_ms);
  ASSERT_EQ(failing.size(), 5U);
  const std::int64_t fail_ms = failing.front();
  EXPECT_GE(fail_ms - fault_ms, kTimeoutMs);
  EXPECT_LE(fail_ms - fault_ms, kTimeoutMs + 2 * (kTimeoutMs / 2 + 2 * kTickMs));
  EXPECT_LE(failing.back() - fail_ms, kSlackMs);
  // With full coverage everyone is down with it.
  EXPECT_EQ(world.when(Kind::kStateDown, fault_ms).size(), 5U);

  const std::int64_t scheduled_ms = world.when(Kind::kElectionScheduled, fault_ms).front();
  EXPECT_LE(scheduled_ms - fail_ms, kTickMs);
  std::int64_t delay_ms = 0;
  for (const auto& [ms, event] : world.events()) {
    if (event.kind == Kind::kElectionScheduled) delay_ms = event.number;
  }
  EXPECT_GE(delay_ms, 500);
  EXPECT_LT(delay_ms, 1'000);
  const std::int64_t started_ms = world.when(Kind::kElectionStarted, fault_ms).front();
  EXPECT_GE(started_ms - scheduled_ms, delay_ms);
  EXPECT_LE(started_ms - scheduled_ms, delay_ms + kTickMs);
  // One round trip for the votes.
  const std::vector<std::int64_t> promoted = world.when(Kind::kPromoted, fault_ms);
  ASSERT_EQ(promoted.size(), 1U);
  EXPECT_LE(promoted.front() - started_ms, kSlackMs);
  EXPECT_EQ(world.when(Kind::kVoted, fault_ms).size(), 2U);
  EXPECT_EQ(world.server(4).follows, kNoNode);
  EXPECT_TRUE(serves(world, 4));
  for (const int i : {0, 2, 3, 5}) {
    const cluster::Routing routing = world.node(i).route(kLock, {});
    EXPECT_EQ(routing.verdict, Verdict::kMoved);
    EXPECT_EQ(routing.to, ClusterWorld::id(4));
  }

  // Back again, it refuses until it is told, with its first ping, that it is a replica now.
  world.start(1);
  EXPECT_EQ(world.node(1).route(kLock, {}).verdict, Verdict::kDown);
  EXPECT_GE(world.until(kTickMs + kSlackMs, [&] { return !world.node(1).is_master(); }), 0);
  EXPECT_EQ(world.server(1).follows, ClusterWorld::id(4));
  EXPECT_EQ(world.node(1).route(kLock, {}).verdict, Verdict::kMoved);
}

TEST_P(ClusterFailoverTest, AMasterCutOffWithTheMinorityStopsAndComesBackAfterTheRejoinDelay) {
  ClusterWorld world(options());
  world.run_for(kSettledMs + static_cast<std::int64_t>(GetParam()) * 173);
  const std::int64_t fault_ms = world.now_ms();
  for (const int other : {0, 2, 3, 5}) {
    world.cut(1, other);
    world.cut(4, other);
  }
  // Measured: 2275 to 2285 ms; the formula is that of PFAIL.
  const std::int64_t stopped_ms = world.until(5'000, [&] { return !serves(world, 1); });
  EXPECT_GE(stopped_ms, kTimeoutMs);
  EXPECT_LE(stopped_ms, kTimeoutMs + kTimeoutMs / 2 + 2 * kTickMs);
  EXPECT_EQ(world.node(1).route(kLock, {}).verdict, Verdict::kDown);
  world.run_for(8'000);
  EXPECT_TRUE(world.when(Kind::kPromoted).empty()) << world.log();

  // Measured: 2.06 s after the cut was mended.
  world.mend_all();
  const std::int64_t serves_ms = world.until(6'000, [&] { return serves(world, 1); });
  EXPECT_GE(serves_ms, kTimeoutMs - kTickMs) << world.log();
  EXPECT_LE(serves_ms, kTimeoutMs + 3 * kTickMs) << world.log();
  EXPECT_GT(world.now_ms(), fault_ms);
}

TEST_P(ClusterFailoverTest, ACutOffMasterStopsBeforeItsReplicaTakesOver) {
  ClusterWorld world(options());
  world.run_for(kSettledMs + static_cast<std::int64_t>(GetParam()) * 173);
  for (const int other : {0, 2, 3, 4, 5}) world.cut(1, other);
  const std::int64_t stopped_ms = world.until(10'000, [&] { return !serves(world, 1); });
  ASSERT_GE(stopped_ms, 0);
  EXPECT_FALSE(serves(world, 4));
  EXPECT_GE(world.until(10'000, [&] { return serves(world, 4); }), 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ClusterFailoverTest, testing::Range<std::uint64_t>(1, 9));

TEST(ClusterTest, ARestartedMasterRefusesForTwoSeconds) {
  ClusterWorld world(Options{});
  world.run_for(kSettledMs);
  world.kill(1);
  world.run_for(300);
  world.start(1);
  const std::int64_t serves_ms = world.until(5'000, [&] { return serves(world, 1); });
  EXPECT_GE(serves_ms, 2'000);
  EXPECT_LE(serves_ms, 2'000 + 2 * kTickMs);
  EXPECT_TRUE(world.when(Kind::kFailing).empty());
}

TEST(ClusterTest, AShortHangGoesUnnoticed) {
  ClusterWorld world(Options{});
  world.run_for(kSettledMs);
  world.pause(1);
  world.run_for(1'500);
  world.resume(1);
  world.run_for(5'000);
  EXPECT_TRUE(world.when(Kind::kFailing).empty()) << world.log();
  EXPECT_TRUE(serves(world, 1));
}

TEST(ClusterTest, AMasterThatHungThroughItsFailoverIsAReplicaWhenItHasReadItsMail) {
  ClusterWorld world(Options{});
  world.run_for(kSettledMs);
  world.pause(1);
  world.run_for(8'000);
  EXPECT_TRUE(serves(world, 4));
  EXPECT_TRUE(serves(world, 1));  // as long as it has not
  world.resume(1);
  world.run_for(10);
  EXPECT_FALSE(serves(world, 1));
  EXPECT_EQ(world.server(1).follows, ClusterWorld::id(4));
}

TEST(ClusterTest, WithoutFullCoverageTheOtherSlotsAreServedOn) {
  Options options;
  options.replicas = 0;
  options.require_full_coverage = false;
  ClusterWorld world(options);
  world.run_for(kSettledMs);
  world.kill(1);
  world.run_for(6'000);
  constexpr std::string_view kFoo[] = {"foo"};  // slot 12182: node 2's
  EXPECT_EQ(world.node(2).route(kFoo, {}).verdict, Verdict::kServe);
  EXPECT_EQ(world.node(2).route(kLock, {}).verdict, Verdict::kMoved);
}

TEST(ClusterTest, NobodyIsElectedWithoutTheMajorityOfMasters) {
  ClusterWorld world(Options{});
  world.run_for(kSettledMs);
  world.kill(0);
  world.kill(1);
  world.run_for(30'000);
  EXPECT_TRUE(world.when(Kind::kPromoted).empty());
  EXPECT_TRUE(world.when(Kind::kFailing).empty()) << world.log();
  EXPECT_FALSE(world.node(2).is_up());
}

TEST(ClusterTest, TheReplicaThatIsFurtherStandsASecondEarlier) {
  Options options;
  options.replicas = 6;  // nodes 4 and 7 follow node 1
  ClusterWorld world(options);
  world.server(7).offset = 5'000;
  world.run_for(kSettledMs);
  world.kill(1);
  world.run_for(8'000);
  std::map<NodeId, std::int64_t> delays;
  for (const auto& [ms, event] : world.events()) {
    if (event.kind == Kind::kElectionScheduled) delays[event.by] = event.number;
  }
  EXPECT_EQ(delays.at(ClusterWorld::id(7)), 500);
  EXPECT_EQ(delays.at(ClusterWorld::id(4)), 1'500);
  EXPECT_TRUE(serves(world, 7));
  EXPECT_EQ(world.server(4).follows, ClusterWorld::id(7));
}

TEST(ClusterTest, AReplicaWithOldDataDoesNotStand) {
  for (const auto& [silent_s, stands] : {std::pair{30, true}, {33, false}}) {
    ClusterWorld world(Options{});
    world.run_for(kSettledMs);
    world.kill(1);
    // More than repl-ping (10 s) and ten times the node-timeout, less one node-timeout.
    world.server(4).silent_s = silent_s;
    world.run_for(10'000);
    EXPECT_EQ(world.when(Kind::kElectionScheduled).size(), stands ? 1U : 0U) << silent_s;
  }
}

TEST(ClusterTest, AnElectionWithoutAnswersIsTriedAgainAfterFourNodeTimeouts) {
  ClusterWorld world(Options{});
  world.run_for(kSettledMs);
  world.kill(1);
  ASSERT_GE(world.until(8'000, [&] { return !world.when(Kind::kElectionScheduled).empty(); }), 0);
  world.cut(4, 0);
  world.cut(4, 2);
  world.run_for(15'000);
  const auto scheduled = world.when(Kind::kElectionScheduled);
  ASSERT_GE(scheduled.size(), 2U) << world.log();
  // Counted from the instant at which the first was due: 500 ms after it was scheduled.
  EXPECT_GE(scheduled[1] - scheduled[0], 500 + 4 * kTimeoutMs);
  EXPECT_LE(scheduled[1] - scheduled[0], 500 + 4 * kTimeoutMs + kTickMs + kSlackMs);
}

TEST(ClusterTest, AReturningMasterLearnsOfItsSuccessorFromAThirdNode) {
  ClusterWorld world(Options{});
  world.run_for(kSettledMs);
  for (const int other : {0, 2, 3, 4, 5}) world.cut(1, other);
  world.run_for(8'000);
  ASSERT_TRUE(serves(world, 4)) << world.log();
  world.kill(4);  // the successor cannot tell it
  world.mend_all();
  world.run_for(1'500);
  EXPECT_EQ(world.node(1).master(), ClusterWorld::id(4)) << world.log();
}

TEST(ClusterTest, NoTwoReplicasWinOneEpochAndAllAgreeInTheEnd) {
  std::size_t won = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Options options;
    options.replicas = 6;
    options.seed = seed;
    options.latency_spread_us = 1U << (8 + seed % 9);
    ClusterWorld world(options);
    Random random(seed, 5);
    world.run_for(5'000);
    for (int round = 0; round < 5; ++round) {
      const int victim = static_cast<int>(random.below(9));
      const bool cut = random.below(2) == 0;
      if (cut) {
        for (int other = 0; other < 9; ++other) {
          if (other != victim && random.below(4) != 0) world.cut(victim, other);
        }
      } else {
        world.kill(victim);
      }
      world.run_for(1'000 + random.below(7'000));
      cut ? world.mend_all() : world.start(victim);
      world.run_for(random.below(5'000));
    }
    world.run_for(30'000);
    std::map<std::int64_t, NodeId> winner;
    for (const auto& [ms, event] : world.events()) {
      if (event.kind != Kind::kPromoted) continue;
      ++won;
      EXPECT_TRUE(winner.emplace(event.number, event.by).second) << "seed " << seed << world.log();
    }
    const NodeId owner = world.node(0).owner(8718);
    for (int i = 0; i < world.size(); ++i) {
      EXPECT_EQ(world.node(i).owner(8718), owner) << "seed " << seed << ' ' << i << world.log();
      EXPECT_TRUE(world.node(i).is_up()) << "seed " << seed << ' ' << i;
    }
  }
  EXPECT_GT(won, 15U);
}

TEST(ClusterTest, AllocatesNothingAfterItsConstruction) {
  ClusterWorld world(Options{});
  const std::size_t before = world.memory.allocations;
  EXPECT_GT(before, 0U);
  world.run_for(kSettledMs);
  world.kill(1);
  world.run_for(10'000);
  world.start(1);
  world.run_for(10'000);
  EXPECT_EQ(world.when(Kind::kPromoted).size(), 1U);
  EXPECT_EQ(world.memory.allocations, before);
}

}  // namespace
}  // namespace locklapse::redis
