// The phases of a failover, held against what three real sentinels did with a master and two
// replicas (redis 7.0.15), and the rules that decide whether there is one.
#include "sim/redis/sentinel.h"

#include <gtest/gtest.h>

#include "tests/redis/sentinel_world.h"

namespace locklapse::redis {
namespace {

using Kind = SentinelEventKind;
using Options = SentinelWorld::Options;

// Whatever a sentinel notices, it notices at a tick of its timer: every 52 to 100 ms.
constexpr std::int64_t kTickMs = 100;
constexpr std::int64_t kThreeTicksAtLeastMs = 3 * 52;
// A round trip of these tests, and the millisecond that "more than" costs.
constexpr std::int64_t kSlackMs = 5;
// Long enough for everyone to have met everyone: hellos go out every 2 s, INFO every 10 s.
constexpr std::int64_t kSettledMs = 20'000;
const sentinel::Peer kOldMaster = sentinel::peer(NodeId{0});

// What happened when the master failed at `at_ms`, in ms after that.
struct Phases {
  std::vector<std::int64_t> down;  // of each sentinel
  std::int64_t tried, elected, selected, sent, promoted, leader_switched;
  std::vector<std::int64_t> others_switched;
};

Phases phases_of(const SentinelWorld& world, std::int64_t at_ms) {
  const auto first = [&](Kind kind) {
    const std::vector<std::int64_t> instants = world.when(kind, at_ms);
    return instants.empty() ? -1 : instants.front() - at_ms;
  };
  Phases phases{{},
                first(Kind::kTryFailover),
                first(Kind::kElectedLeader),
                first(Kind::kSelectedReplica),
                first(Kind::kPromotionSent),
                first(Kind::kPromotedReplica),
                -1,
                {}};
  SentinelId leader = kNoSentinel;
  for (const auto& [ms, event] : world.events()) {
    if (ms < at_ms) continue;
    if (event.kind == Kind::kElectedLeader) leader = event.by;
    if (event.kind == Kind::kSubjectivelyDown && event.about == kOldMaster &&
        phases.down.size() < 3) {
      phases.down.push_back(ms - at_ms);
    }
    if (event.kind != Kind::kSwitchMaster) continue;
    if (event.by == leader) {
      phases.leader_switched = ms - at_ms;
    } else {
      phases.others_switched.push_back(ms - at_ms);
    }
  }
  return phases;
}

struct PhaseCase {
  bool hang;  // SIGSTOP instead of SIGKILL
  std::int64_t down_after_ms;
  std::uint64_t seed;
};

class SentinelPhasesTest : public testing::TestWithParam<PhaseCase> {};

TEST_P(SentinelPhasesTest, AreThoseMeasuredOnRealSentinels) {
  const auto [hang, down_after_ms, seed] = GetParam();
  Options options;
  options.down_after_ms = down_after_ms;
  options.seed = seed;
  options.latency_spread_us = 300;
  SentinelWorld world(options);
  world.run_for(kSettledMs + static_cast<std::int64_t>(seed) * 137);
  const std::int64_t fault_ms = world.now_ms();
  hang ? world.pause_node(0) : world.kill_node(0);
  world.run_for(down_after_ms + 15'000);
  const Phases phases = phases_of(world, fault_ms);
  SCOPED_TRACE(world.log());

  // A crash breaks the link: the ping of the reconnection, at the next tick, starts the time. A
  // hang is first met by the next periodic ping, up to a second and a tick later.
  const std::int64_t down_max_ms =
      down_after_ms + (hang ? 1'000 + kTickMs : kTickMs) + kTickMs + kSlackMs;
  ASSERT_EQ(phases.down.size(), 3U);
  EXPECT_GE(phases.down.front(), down_after_ms);
  EXPECT_LE(phases.down.back(), down_max_ms);
  // The second to find it down asks the first and knows at its next tick.
  EXPECT_GT(phases.tried, phases.down[1]);
  EXPECT_LE(phases.tried, phases.down[1] + kTickMs + kSlackMs);
  // One tick each for the votes to be counted, the choice, the command.
  EXPECT_LE(phases.elected, phases.tried + kTickMs + kSlackMs);
  EXPECT_LE(phases.selected, phases.elected + kTickMs + kSlackMs);
  EXPECT_GE(phases.sent, phases.tried + kThreeTicksAtLeastMs - kSlackMs);
  EXPECT_LE(phases.sent, phases.tried + 3 * (kTickMs + kSlackMs));
  EXPECT_EQ(world.role_changed_ms(1) - fault_ms, phases.sent);
  // INFO is asked every second now; the first that calls itself master is the proof.
  EXPECT_GT(phases.promoted, phases.sent);
  EXPECT_LE(phases.promoted, phases.sent + 1'000 + kTickMs + kSlackMs);
  // The others hear it by a hello at the next tick; the leader waits for the other replica, which
  // needs a second to follow and is asked every second.
  ASSERT_EQ(phases.others_switched.size(), 2U);
  for (const std::int64_t ms : phases.others_switched) {
    EXPECT_GE(ms, phases.promoted);
    EXPECT_LE(ms, phases.promoted + kTickMs + kSlackMs);
  }
  EXPECT_GE(phases.leader_switched, phases.promoted + 1'000);
  EXPECT_LE(phases.leader_switched, phases.promoted + 2'000 + 4 * kTickMs);

  // Back as a master, it stays one until two INFOs, 10 s apart, have said so; the first comes with
  // the reconnection, tried every second. It is the earliest of three sentinels that acts.
  const std::int64_t back_ms = world.now_ms();
  hang ? world.resume_node(0) : world.start_node(0);
  world.run_for(9'900);
  EXPECT_TRUE(world.is_master(0));
  world.run_for(5'000);
  EXPECT_FALSE(world.is_master(0));
  EXPECT_EQ(world.follows(0), NodeId{1});
  EXPECT_LE(world.role_changed_ms(0) - back_ms, 10'000 + 1'000 + 2 * kTickMs + kSlackMs);
  EXPECT_FALSE(world.when(Kind::kConvertToReplica, back_ms).empty());
}

std::vector<PhaseCase> phase_cases() {
  std::vector<PhaseCase> cases;
  for (const bool hang : {false, true}) {
    for (const std::int64_t down_after_ms : {2'000, 30'000}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) cases.push_back({hang, down_after_ms, seed});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Faults, SentinelPhasesTest, testing::ValuesIn(phase_cases()),
                         [](const testing::TestParamInfo<PhaseCase>& each) {
                           return std::string(each.param.hang ? "Hang" : "Kill") +
                                  std::to_string(each.param.down_after_ms) + "Seed" +
                                  std::to_string(each.param.seed);
                         });

TEST(SentinelTest, WithoutJitterElectsALeaderWhenTimersHaveDifferentPhases) {
  SentinelWorld world(Options{});
  world.run_for(kSettledMs);
  EXPECT_TRUE(world.when(Kind::kSubjectivelyDown).empty()) << world.log();
  world.kill_node(0);
  world.run_for(6'000);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(world.sentinel(i).master_address(), NodeId{1});
}

TEST(SentinelTest, AnswersTheNewAddressBeforeItsOwnSwitchMaster) {
  SentinelWorld world(Options{});
  world.run_for(kSettledMs);
  world.kill_node(0);
  while (world.when(Kind::kPromotedReplica).empty()) world.run_for(1);
  const int leader = static_cast<int>(world.events().back().second.by);
  EXPECT_EQ(world.sentinel(leader).master_address(), NodeId{1});
  EXPECT_TRUE(world.when(Kind::kSwitchMaster, 0, leader).empty());
}

TEST(SentinelTest, DoesNothingForAMasterThatIsBackBeforeDownAfter) {
  SentinelWorld world(Options{});
  world.run_for(kSettledMs);
  world.kill_node(0);
  world.run_for(900);
  world.start_node(0);
  world.run_for(20'000);
  EXPECT_TRUE(world.when(Kind::kSubjectivelyDown).empty()) << world.log();
  EXPECT_EQ(world.when(Kind::kReboot).size(), 3U);
  EXPECT_TRUE(world.is_master(0));
}

TEST(SentinelTest, StaysSubjectiveWithoutTheQuorum) {
  SentinelWorld world(Options{});
  world.run_for(kSettledMs);
  world.kill_sentinel(1);
  world.kill_sentinel(2);
  world.run_for(5'000);
  const std::int64_t fault_ms = world.now_ms();
  world.kill_node(0);
  world.run_for(60'000);
  EXPECT_EQ(world.when_about(Kind::kSubjectivelyDown, kOldMaster, fault_ms).size(), 1U);
  EXPECT_TRUE(world.when(Kind::kObjectivelyDown).empty());
  EXPECT_EQ(world.sentinel(0).master_address(), NodeId{0});
}

TEST(SentinelTest, NeedsTheMajorityOfAllItEverMetEvenWhenTheQuorumIsOne) {
  Options options;
  options.quorum = 1;
  options.failover_timeout_ms = 20'000;
  SentinelWorld world(options);
  world.run_for(kSettledMs);
  world.kill_sentinel(1);
  world.kill_sentinel(2);
  world.run_for(5'000);
  world.kill_node(0);
  world.run_for(100'000);
  const auto tried = world.when(Kind::kTryFailover);
  const auto given_up = world.when(Kind::kNotElected);
  ASSERT_EQ(tried.size(), 3U) << world.log();
  // An election is given up after 10 s; the next try comes when twice the failover-timeout has
  // passed.
  EXPECT_GE(given_up.front() - tried.front(), 10'000);
  EXPECT_LE(given_up.front() - tried.front(), 10'000 + kTickMs);
  EXPECT_GE(tried[1] - tried[0], 40'000);
  EXPECT_LE(tried[1] - tried[0], 40'000 + kTickMs);
  EXPECT_TRUE(world.when(Kind::kElectedLeader).empty());
}

TEST(SentinelTest, FindsNobodyToPromoteWhenEveryPriorityIsZero) {
  SentinelWorld world(Options{});
  world.set_priority(1, 0);
  world.set_priority(2, 0);
  world.run_for(kSettledMs);
  world.kill_node(0);
  world.run_for(10'000);
  EXPECT_EQ(world.when(Kind::kNoGoodReplica).size(), 1U);
  EXPECT_EQ(world.sentinel(0).master_address(), NodeId{0});
}

TEST(SentinelTest, PromotesTheLowestPriorityThenTheLargestOffsetThenTheSmallestRunId) {
  const auto chosen = [](auto&& prepare) {
    Options options;
    options.nodes = 4;
    SentinelWorld world(options);
    prepare(world);
    world.run_for(kSettledMs);
    world.kill_node(0);
    world.run_for(8'000);
    return world.sentinel(0).master_address();
  };
  EXPECT_EQ(chosen([](SentinelWorld&) {}), NodeId{1});
  EXPECT_EQ(chosen([](SentinelWorld& world) { world.set_offset(2, 2'000); }), NodeId{2});
  EXPECT_EQ(chosen([](SentinelWorld& world) {
              world.set_offset(2, 2'000);
              world.set_priority(3, 10);
            }),
            NodeId{3});
  EXPECT_EQ(chosen([](SentinelWorld& world) {
              world.set_offset(1, 2'000);
              world.set_priority(1, 0);
            }),
            NodeId{2});
}

TEST(SentinelTest, KnowsOffsetsAsOldAsTheLastInfo) {
  SentinelWorld first(Options{});
  first.run_for(kSettledMs);
  first.kill_node(0);
  first.run_for(8'000);
  const std::int64_t selected_ms = first.when(Kind::kSelectedReplica).front();

  // The fresher replica got there just before the choice, after it was last asked.
  SentinelWorld second(Options{});
  second.run_for(kSettledMs);
  second.kill_node(0);
  second.run_for(selected_ms - kSettledMs - 50);
  second.set_offset(2, 5'000);
  second.run_for(8'000);
  EXPECT_EQ(second.sentinel(0).master_address(), NodeId{1});
}

TEST(SentinelTest, PassesOverAReplicaThatIsDown) {
  SentinelWorld world(Options{});
  world.set_offset(1, 9'000);
  world.run_for(kSettledMs);
  world.kill_node(1);
  world.run_for(5'000);
  world.kill_node(0);
  world.run_for(8'000);
  EXPECT_EQ(world.sentinel(0).master_address(), NodeId{2});
}

TEST(SentinelTest, OnTheMinoritySideKeepsTheOldMasterUntilTheCutIsMended) {
  SentinelWorld world(Options{});
  world.run_for(kSettledMs);
  // The old master and sentinel 0 against the rest.
  for (const int a : {0, world.host_of_sentinel(0)}) {
    for (const int b : {1, 2, world.host_of_sentinel(1), world.host_of_sentinel(2)})
      world.cut(a, b);
  }
  const std::int64_t cut_ms = world.now_ms();
  world.run_for(15'000);
  EXPECT_EQ(world.sentinel(0).master_address(), NodeId{0});
  EXPECT_EQ(world.sentinel(1).master_address(), world.sentinel(2).master_address());
  EXPECT_NE(world.sentinel(1).master_address(), NodeId{0});
  EXPECT_TRUE(world.is_master(0));
  EXPECT_LE(world.when(Kind::kPromotionSent, cut_ms).front() - cut_ms, 2'000 + 1'600);

  const std::int64_t mended_ms = world.now_ms();
  world.mend_all();
  world.run_for(2'500);
  EXPECT_EQ(world.sentinel(0).master_address(), world.sentinel(1).master_address());
  EXPECT_TRUE(world.is_master(0));
  world.run_for(12'000);
  EXPECT_FALSE(world.is_master(0));
  EXPECT_GE(world.role_changed_ms(0) - mended_ms, 9'900);
  EXPECT_LE(world.role_changed_ms(0) - mended_ms, 11'300);
}

TEST(SentinelTest, TiltsForThirtySecondsAfterAClockStepOfMoreThanTwoSecondsOrBack) {
  for (const auto& [step_ms, tilts] : {std::pair{1'850, false}, {3'100, true}, {-1'000, true}}) {
    SentinelWorld world(Options{});
    world.run_for(kSettledMs);
    const std::int64_t step_at_ms = world.now_ms();
    world.step_clock(0, step_ms);
    world.run_for(40'000);
    ASSERT_EQ(world.when(Kind::kTilt).size(), tilts ? 1U : 0U) << step_ms;
    if (!tilts) continue;
    EXPECT_LE(world.when(Kind::kTilt).front() - step_at_ms, kTickMs);
    const std::int64_t lasted_ms =
        world.when(Kind::kTiltEnd).front() - world.when(Kind::kTilt).front();
    EXPECT_GE(lasted_ms, 30'000);
    EXPECT_LE(lasted_ms, 30'000 + kTickMs);
  }
}

// Two of three in TILT, and the master dies `dies_after_ms` into it.
void tilt_two_and_kill(SentinelWorld& world, std::int64_t dies_after_ms) {
  world.run_for(kSettledMs);
  world.step_clock(0, 5'000);
  world.step_clock(1, -5'000);
  world.run_for(dies_after_ms);
  world.kill_node(0);
}

TEST(SentinelTest, InTiltDelaysTheFailoverThatNeedsIt) {
  SentinelWorld world(Options{});
  tilt_two_and_kill(world, 20'000);
  world.run_for(9'500);
  // The third finds it down, and nobody agrees.
  EXPECT_EQ(world.when_about(Kind::kSubjectivelyDown, kOldMaster, 0).size(), 1U);
  EXPECT_TRUE(world.when(Kind::kObjectivelyDown).empty());
  world.run_for(5'000);
  ASSERT_EQ(world.when(Kind::kPromotionSent).size(), 1U) << world.log();
  EXPECT_GE(world.when(Kind::kPromotionSent).front() - kSettledMs, 30'000);
}

// A replica whose link has been down for more than 10 x down-after, and the time since +sdown,
// counts as too stale; TILT can outlast that.
TEST(SentinelTest, FindsNoReplicaFreshEnoughAfterATiltThatWasLongForItsDownAfter) {
  SentinelWorld world(Options{});
  tilt_two_and_kill(world, 500);
  world.run_for(35'000);
  EXPECT_EQ(world.when(Kind::kElectedLeader).size(), 1U);
  EXPECT_EQ(world.when(Kind::kNoGoodReplica).size(), 1U) << world.log();
  EXPECT_TRUE(world.when(Kind::kPromotionSent).empty());
}

TEST(SentinelTest, TiltsAfterAPauseOfItsOwn) {
  SentinelWorld world(Options{});
  world.run_for(kSettledMs);
  world.pause_sentinel_for(0, 3'000);
  world.run_for(4'000);
  EXPECT_EQ(world.when(Kind::kTilt, 0, 0).size(), 1U);
}

TEST(SentinelTest, FailsOverAtOnceWhenToldTo) {
  SentinelWorld world(Options{});
  world.run_for(kSettledMs);
  const std::int64_t told_ms = world.now_ms();
  sentinel::Outbox outbox;
  EXPECT_TRUE(world.sentinel(0).failover({kEpoch.us + told_ms * 1'000}, outbox));
  EXPECT_FALSE(world.sentinel(0).failover({kEpoch.us + told_ms * 1'000}, outbox));
  world.run_for(1'000);
  EXPECT_LE(world.role_changed_ms(1) - told_ms, 3 * kTickMs + kSlackMs);
  // The old master has not been asked; it is demoted like any that calls itself one.
  world.run_for(25'000);
  EXPECT_FALSE(world.is_master(0));
}

TEST(SentinelTest, KnowsTheNewMasterAfterItsOwnRestart) {
  SentinelWorld world(Options{});
  world.run_for(kSettledMs);
  world.kill_node(0);
  while (world.when(Kind::kPromotedReplica).empty()) world.run_for(1);
  const int leader = static_cast<int>(world.events().back().second.by);
  const std::uint64_t epoch = world.sentinel(leader).config_epoch();
  world.kill_sentinel(leader);
  world.start_sentinel(leader);
  EXPECT_EQ(world.sentinel(leader).master_address(), NodeId{1});
  EXPECT_EQ(world.sentinel(leader).config_epoch(), epoch);
  world.run_for(5'000);
  EXPECT_TRUE(world.when(Kind::kSwitchMaster, 0, leader).empty());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(world.sentinel(i).master_address(), NodeId{1});
}

TEST(SentinelTest, AllocatesNothingOnceItKnowsEveryone) {
  SentinelWorld world(Options{});
  world.run_for(kSettledMs);
  const std::size_t before = world.memory.allocations;
  EXPECT_GT(before, 0U);
  world.run_for(60'000);
  world.kill_node(0);
  world.run_for(10'000);
  world.start_node(0);
  world.run_for(30'000);
  EXPECT_EQ(world.when(Kind::kConvertToReplica).size(), 1U);
  EXPECT_EQ(world.memory.allocations, before);
}

}  // namespace
}  // namespace locklapse::redis
