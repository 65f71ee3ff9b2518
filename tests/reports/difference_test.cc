#include "reports/difference.h"

#include <gtest/gtest.h>

#include "tests/reports/story.h"

namespace locklapse::reports {
namespace {

using Lines = std::vector<std::string>;

bool contains(const std::string& line, const std::string& part) { return line.find(part) != std::string::npos; }

// Two tellings of one story, of which the second can be changed.
struct Pair {
  std::unique_ptr<Story> redis = late_delete_story();
  std::unique_ptr<Story> model = late_delete_story();

  Pair() { model->run.trace_hash = 1; }
  std::vector<std::string> compare(std::size_t lines_max = kDifferencesShownMax) {
    return differences(redis->report(), model->report(), lines_max);
  }
};

TEST(Differences, AreNoneBetweenEqualHistories) {
  Pair pair;
  pair.model->run.trace_hash = pair.redis->run.trace_hash;
  EXPECT_EQ(pair.compare(), Lines{});
}

TEST(Differences, ShowTheFirstEventThatIsNotTheSame) {
  Pair pair;
  Event& event = pair.model->events[3];
  event.number += 7;
  event.text = "else";
  const Lines lines = pair.compare();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with("event 3: redis says ")) << lines[0];
  EXPECT_TRUE(contains(lines[0].substr(lines[0].find("; the model says ")), " else")) << lines[0];
}

TEST(Differences, SayWhenOneHistoryIsLonger) {
  Pair pair;
  pair.redis->events.pop_back();
  const Lines lines = pair.compare();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(contains(lines[0], "redis says that nothing more happens; the model says ")) << lines[0];
}

TEST(Differences, ShowOutcomeAndFindingsBeforeTheEvent) {
  Pair pair;
  pair.model->verdict.outcome = Outcome::kSafe;
  pair.model->verdict.overlaps.clear();
  pair.model->verdict.unowned.clear();
  pair.model->events.back().at = Time{} + seconds(99);
  const Lines lines = pair.compare();
  ASSERT_GE(lines.size(), 4u);
  EXPECT_EQ(lines[0], "redis says violated; the model says safe");
  EXPECT_TRUE(lines[1].starts_with("only redis has the overlap: ")) << lines[1];
  EXPECT_TRUE(lines.back().starts_with("event ")) << lines.back();
}

TEST(Differences, AreCutButForWhereTheHistoriesPart) {
  Pair pair;
  pair.model->verdict.outcome = Outcome::kSafe;
  pair.model->verdict.overlaps.clear();
  pair.model->events.back().at = Time{} + seconds(99);
  const Lines lines = pair.compare(2);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines.back().starts_with("event ")) << lines.back();
}

}  // namespace
}  // namespace locklapse::reports
