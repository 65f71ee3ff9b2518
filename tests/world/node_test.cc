#include "sim/world/node.h"

#include <gtest/gtest.h>

#include "tests/world/small_world.h"

namespace locklapse {
namespace {

Task<> take(Client& client) {
  co_await command(client.redis, Phase::kAcquire, "SET", "lock", "A#1", "NX", "PX", "100");
}

Action clock_step(PlaceId host, Duration by) {
  Action action;
  action.kind = Action::Kind::kClockStep;
  action.target = host;
  action.length = by;
  return action;
}

constexpr PlaceId kNodeHost = 1;

TEST(Node, TellsTheInstantAtWhichATtlEndsAndLaterThePhysicalRemoval) {
  SmallWorld world;
  world.does(world.client("A"), take);
  world.run();
  // Executed at 1 ms, deadline 101 ms, dead from 102 ms on.
  EXPECT_EQ(world.times_ms(EventKind::kTtlEnded), std::vector<std::int64_t>{102});
  const auto removed = world.times_ms(EventKind::kKeyExpired);
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_GE(removed[0], 102);
  EXPECT_LE(removed[0], 202);
}

TEST(Node, WritesDownWhoMadeAKeyItsOwn) {
  SmallWorld world;
  world.does(world.client("A"), take);
  world.run();
  const Event written = world.all(EventKind::kKeyWritten).at(0);
  EXPECT_EQ(written.text, "lock");
  EXPECT_EQ(written.detail, "A#1");
  EXPECT_EQ(written.client, 0);
  EXPECT_EQ(written.phase, Phase::kAcquire);
  EXPECT_EQ(written.number, kEpoch.us / 1000 + 101);
}

TEST(Node, AStepOfItsClockEndsATtlAtOnce) {
  SmallWorld world;
  world.does(world.client("A"), take);
  world->add_action(Time{} + milliseconds(10), clock_step(kNodeHost, seconds(1)));
  world.run();
  EXPECT_EQ(world.times_ms(EventKind::kTtlEnded), std::vector<std::int64_t>{10});
}

TEST(Node, AStepBackMakesAKeyLiveLonger) {
  SmallWorld world;
  world.does(world.client("A"), take);
  world->add_action(Time{} + milliseconds(10), clock_step(kNodeHost, seconds(-60)));
  world.run();
  EXPECT_EQ(world.times_ms(EventKind::kTtlEnded), std::vector<std::int64_t>{60'102});
}

TEST(Node, AFastClockEndsATtlEarly) {
  SmallWorld world;
  world.does(world.client("A"), take);
  Action drift;
  drift.kind = Action::Kind::kClockDrift;
  drift.target = kNodeHost;
  drift.ppm = 1'000'000;   // twice as fast
  world->add_action(Time{} + milliseconds(2), drift);
  world.run();
  EXPECT_EQ(world.times_ms(EventKind::kTtlEnded), std::vector<std::int64_t>{52});
}

TEST(Node, AnOperatorsCommandBelongsToNoClient) {
  SmallWorld world;
  world.does(world.client("A"), take);
  Action del;
  del.kind = Action::Kind::kOperator;
  static constexpr std::string_view kWords[] = {"DEL", "lock"};
  del.argv = kWords;
  world->add_action(Time{} + milliseconds(50), del);
  world.run();
  const Event removed = world.all(EventKind::kKeyRemoved).at(0);
  EXPECT_EQ(removed.client, kNoClient);
  EXPECT_EQ(removed.detail, "A#1");
  EXPECT_EQ(world.texts(EventKind::kOperator), std::vector<std::string>{"DEL lock"});
}

}  // namespace
}  // namespace locklapse
