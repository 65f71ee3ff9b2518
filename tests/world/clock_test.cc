#include "sim/world/clock.h"

#include <gtest/gtest.h>

namespace locklapse {
namespace {

Time at_s(std::int64_t s) { return Time{} + seconds(s); }

TEST(Clock, WithoutDriftReadsTrueTimePlusItsOffset) {
  const Clock clock(500);
  EXPECT_EQ(clock.read_ns(Time{}), 500);
  EXPECT_EQ(clock.read_ns(at_s(2)), 2'000'000'500);
}

TEST(Clock, TenPercentFastShowsElevenSecondsAfterTen) {
  const Clock clock(0, 100'000);
  EXPECT_EQ(clock.read_ns(at_s(10)), seconds(11).ns);
}

TEST(Clock, ChangingTheDriftBendsTheReadingWithoutAJump) {
  Clock clock(0, 0);
  clock.set_drift(at_s(10), -500'000);
  EXPECT_EQ(clock.read_ns(at_s(10)), seconds(10).ns);
  EXPECT_EQ(clock.read_ns(at_s(14)), seconds(12).ns);
}

TEST(Clock, AStepMovesEveryLaterReading) {
  Clock clock;
  clock.step(at_s(5), seconds(-3600));
  EXPECT_EQ(clock.read_ns(at_s(6)), seconds(6 - 3600).ns);
}

TEST(Clock, WhenNamesTheFirstInstantAtWhichTheReadingIsReached) {
  for (const std::int64_t ppm : {-900'000, -333'333, -1, 0, 1, 777, 500'000, 3'000'000}) {
    const Clock clock(123, ppm);
    for (const std::int64_t reading : {1'000L, 999'999'937L, 123'456'789'012L}) {
      const Time when = clock.when(reading, Time{});
      EXPECT_GE(clock.read_ns(when), reading) << ppm;
      EXPECT_LT(clock.read_ns(when - nanoseconds(1)), reading) << ppm;
    }
  }
}

TEST(Clock, AReadingThatHasPassedIsReachedNow) {
  EXPECT_EQ(Clock().when(seconds(1).ns, at_s(7)), at_s(7));
}

TEST(Host, AStepOfTheWallClockLeavesTheMonotonicClockAlone) {
  Host host("h", seconds(2), 0);
  EXPECT_EQ(host.wall(Time{}).us, kEpoch.us + 2'000'000);
  host.wall_clock.step(at_s(1), seconds(30));
  EXPECT_EQ(host.wall(at_s(1)).us, kEpoch.us + 33'000'000);
  EXPECT_EQ(host.monotonic_clock.read_ns(at_s(1)), seconds(1).ns);
}

TEST(WallTime, RoundsDownToMillisecondsAlsoBeforeTheEpoch) {
  EXPECT_EQ(WallTime{1'999}.ms(), 1);
  EXPECT_EQ(WallTime{-1}.ms(), -1);
  EXPECT_EQ(WallTime{-1'000}.ms(), -1);
  EXPECT_EQ(WallTime{-1'001}.ms(), -2);
}

}  // namespace
}  // namespace locklapse
