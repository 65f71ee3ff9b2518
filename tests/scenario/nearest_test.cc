#include "sim/scenario/nearest.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace locklapse::scenario {
namespace {

TEST(Nearest, DistanceCountsInsertionsDeletionsChangesAndSwaps) {
  EXPECT_EQ(edit_distance("", "", 3), 0u);
  EXPECT_EQ(edit_distance("pause", "pause", 3), 0u);
  EXPECT_EQ(edit_distance("PAUSE", "pause", 3), 0u);
  EXPECT_EQ(edit_distance("puase", "pause", 3), 1u);
  EXPECT_EQ(edit_distance("pase", "pause", 3), 1u);
  EXPECT_EQ(edit_distance("pauuse", "pause", 3), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3u);
  EXPECT_EQ(edit_distance("", "abc", 3), 3u);
}

TEST(Nearest, DistanceStopsAtTheLimit) {
  EXPECT_EQ(edit_distance("abc", "xyz", 2), 3u);
  EXPECT_EQ(edit_distance("a", std::string(1'000'000, 'a'), 2), 3u);
}

TEST(Nearest, AClosestNameOrNone) {
  const std::array<std::string_view, 4> names{"pause", "stall", "set-lua", "set-del"};
  EXPECT_EQ(nearest("puase", names), "pause");
  EXPECT_EQ(nearest("Stall", names), "stall");
  EXPECT_EQ(nearest("set-lu", names), "set-lua");
  EXPECT_EQ(nearest("redlock", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
}

TEST(Nearest, OneLetterIsNoHintForAnother) {
  const std::array<std::string_view, 2> names{"A", "B"};
  EXPECT_EQ(nearest("D", names), std::nullopt);
  EXPECT_EQ(nearest("a", names), "A");
}

}  // namespace
}  // namespace locklapse::scenario
