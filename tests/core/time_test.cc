#include "sim/core/time.h"

#include <gtest/gtest.h>

namespace locklapse {
namespace {

TEST(Time, CountsInWholeNanoseconds) {
  EXPECT_EQ(seconds(30).ns, 30'000'000'000);
  EXPECT_EQ(milliseconds(1), microseconds(1'000));
  EXPECT_EQ((Time{} + milliseconds(31'001)).ms(), 31'001);
  EXPECT_EQ((Time{1'999'999}).ms(), 1);
  EXPECT_EQ((Time{1'999'999}).us(), 1'999);
}

TEST(Time, MakesADurationOfTwoInstants) {
  const Time acquired{seconds(1).ns};
  const Time released{seconds(41).ns};
  EXPECT_EQ(released - acquired, seconds(40));
  EXPECT_EQ(acquired - released, -seconds(40));
  EXPECT_EQ((released - acquired) / 4, seconds(10));
  EXPECT_EQ(seconds(10) * 4 - seconds(1) + seconds(2), seconds(41));
}

TEST(Time, IsOrdered) {
  EXPECT_LT(Time{1}, Time{2});
  EXPECT_LT(-seconds(1), Duration{});
  EXPECT_GT(milliseconds(1), microseconds(999));
  EXPECT_LE(WallTime{5}, WallTime{5});
}

TEST(Time, WorksAtCompileTime) {
  static_assert(seconds(2) + milliseconds(500) == milliseconds(2'500));
  static_assert(WallTime{1'999}.ms() == 1);
}

TEST(WallTime, RoundsDownToMillisecondsOnBothSidesOf1970) {
  EXPECT_EQ(WallTime{0}.ms(), 0);
  EXPECT_EQ(WallTime{999}.ms(), 0);
  EXPECT_EQ(WallTime{1'000}.ms(), 1);
  EXPECT_EQ(WallTime{-1}.ms(), -1);
  EXPECT_EQ(WallTime{-1'000}.ms(), -1);
  EXPECT_EQ(WallTime{-1'001}.ms(), -2);
}

TEST(WallTime, StartsEveryRunAtNewYear2026) {
  const std::int64_t days_from_1970 = 56 * 365 + 14;  // 14 leap days
  EXPECT_EQ(kEpoch.us, days_from_1970 * 86'400 * 1'000'000);
}

}  // namespace
}  // namespace locklapse
