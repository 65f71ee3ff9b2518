#include "sim/history/time_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace locklapse::reports {
namespace {

TEST(TimeText, DurationsTakeTheUnitInWhichTheyAreShort) {
  EXPECT_EQ(duration_text({}), "0 s");
  EXPECT_EQ(duration_text(nanoseconds(7)), "7 ns");
  EXPECT_EQ(duration_text(microseconds(250)), "250 us");
  EXPECT_EQ(duration_text(milliseconds(1)), "1 ms");
  EXPECT_EQ(duration_text(microseconds(1'500)), "1.5 ms");
  EXPECT_EQ(duration_text(milliseconds(30'001)), "30.001 s");
  EXPECT_EQ(duration_text(seconds(60)), "60 s");
  EXPECT_EQ(duration_text(seconds(90)), "90 s");
  EXPECT_EQ(duration_text(seconds(600)), "10 min");
  EXPECT_EQ(duration_text(milliseconds(723'500)), "12 min 3.5 s");
  EXPECT_EQ(duration_text(seconds(7'200)), "2 h");
  EXPECT_EQ(duration_text(seconds(7'265)), "2 h 1 min 5 s");
}

TEST(TimeText, NegativeDurationsKeepTheirSignEvenAtTheLimit) {
  EXPECT_EQ(duration_text(seconds(-5)), "-5 s");
  EXPECT_EQ(duration_text({std::numeric_limits<std::int64_t>::min()}).front(), '-');
}

TEST(TimeText, InstantsHaveExactlyTheDecimalsAskedFor) {
  const Time time{40'005'000'000};
  EXPECT_EQ(instant_text(time, 3), "40.005 s");
  EXPECT_EQ(instant_text(time, 0), "40 s");
  EXPECT_EQ(instant_text(time), "40.005 s");
  EXPECT_EQ(instant_text(Time{}), "0 s");
}

TEST(TimeText, PrecisionComesInStepsOfThreeSoThatColumnsAlign) {
  EXPECT_EQ(decimals_needed(Time{2'000'000'000}), 0);
  EXPECT_EQ(decimals_needed(Time{1'500'000'000}), 3);
  EXPECT_EQ(decimals_needed(Time{1'000}), 6);
  EXPECT_EQ(decimals_needed(Time{1}), 9);
}

}  // namespace
}  // namespace locklapse::reports
