#include "reports/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reports/lanes.h"
#include "reports/wording.h"
#include "tests/reports/story.h"

namespace locklapse::reports {
namespace {

Timeline timeline_of(Story& story) {
  const RunReport& run = story.report();
  return make_timeline(*run.history, *run.verdict, client_names(*run.history));
}

std::vector<std::string> words_of(const Timeline& timeline) {
  std::vector<std::string> words;
  for (const Step& step : timeline.steps) words.push_back(step.words);
  return words;
}

bool says(const Timeline& timeline, std::string_view text) {
  const auto words = words_of(timeline);
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& each) { return each.find(text) != each.npos; });
}

TEST(Timeline, RefusalsOfASpinningWaiterAreOneStepWithCountAndPeriod) {
  auto story = late_delete_story();
  EXPECT_TRUE(says(timeline_of(*story), "C tries and is refused 5 times, every 1.002 s"));
}

TEST(Timeline, RenewalsAreOneStepWithCountAndPeriod) {
  auto story = quiet_story();
  for (int i = 1; i <= 3; ++i) {
    story->add(Time{2'000'000'000LL + i * 10'000'000'000LL}, EventKind::kRenewed, 0, {}, {},
               30'000);
  }
  EXPECT_TRUE(says(timeline_of(*story), "A renews (TTL 30 s) 3 times, every 10 s"));
}

TEST(Timeline, ACrowdThatDoesTheSameIsOneStep) {
  auto story = crowd_story();
  const Timeline timeline = timeline_of(*story);
  EXPECT_TRUE(says(timeline, "11 clients, each tries and is refused 20 times, every 500 ms"));
  EXPECT_TRUE(says(timeline, "10 clients, each gives up after 20 tries"));
}

TEST(Timeline, AnUnownedDeleteNamesWhoHitWhom) {
  auto story = late_delete_story();
  const Timeline timeline = timeline_of(*story);
  EXPECT_TRUE(says(timeline, "A deletes B's lock (un-owned)"));
  EXPECT_EQ(std::count_if(timeline.steps.begin(), timeline.steps.end(),
                          [](const Step& step) { return step.unowned; }),
            1);
}

TEST(Timeline, AnExpiryUnderAHolderSaysThatItIsStillInside) {
  auto story = late_delete_story();
  EXPECT_TRUE(says(timeline_of(*story), "A's lock expires, A is still inside"));
}

TEST(Timeline, StepsAreInTheOrderOfTheHistory) {
  for (const auto& story : {late_delete_story(), crowd_story(), every_kind_story()}) {
    const Timeline timeline = timeline_of(*story);
    EXPECT_TRUE(std::is_sorted(timeline.steps.begin(), timeline.steps.end(),
                               [](const Step& a, const Step& b) { return a.event < b.event; }));
    EXPECT_TRUE(std::is_sorted(timeline.steps.begin(), timeline.steps.end(),
                               [](const Step& a, const Step& b) { return a.at < b.at; }));
  }
}

TEST(Timeline, ThinningKeepsFindingsAndWhatStandsBesideThem) {
  auto story = crowd_story();
  Timeline timeline = timeline_of(*story);
  const std::size_t before = timeline.steps.size();
  const std::size_t left_out = thin_out(timeline.steps, 12);
  EXPECT_EQ(timeline.steps.size() + left_out, before);
  EXPECT_LE(timeline.steps.size(), 12U);
  EXPECT_TRUE(says(timeline, "OVERLAP 1"));
}

TEST(Timeline, TheSameChangeOnSeveralNodesIsOneStep) {
  auto story = quiet_story();
  story->nodes = {"n1", "n2", "n3"};
  std::vector<Event> events;
  for (const Event& event : story->events) {
    events.push_back(event);
    if (event.kind != EventKind::kKeyWritten) continue;
    for (PlaceId node = 1; node < 3; ++node) {
      events.push_back(event);
      events.back().place = node;
    }
  }
  story->events = events;
  const Timeline timeline = timeline_of(*story);
  EXPECT_TRUE(says(timeline, "n1: A owns the lock, for 30 s (and on 2 more)"));
}

TEST(Timeline, AReentrantLockSaysHowOftenItIsHeld) {
  auto story = quiet_story();
  Event again = story->events[2];
  again.at = Time{500'000'000};
  again.extra = 2;
  story->events.insert(story->events.begin() + 6, again);
  EXPECT_TRUE(says(timeline_of(*story), "redis: A holds the lock twice now"));
}

TEST(Lanes, ATokenUsedByTwoClientsBelongsToWhoWroteItLast) {
  auto story = std::make_unique<Story>();
  const ClientId a = story->add_client("A");
  const ClientId b = story->add_client("B");
  story->acquire(a, Time{});
  story->acquire(b, Time{5'000'000});
  for (Event& event : story->events) {
    if (event.text == "B-1") event.text = "A-1";
    if (event.detail == "B-1") event.detail = "A-1";
  }
  Lanes lanes(*story->report().history);
  lanes.advance(2);
  EXPECT_EQ(lanes.keys()[0].owner, a);
  lanes.advance(story->events.size() - 1);
  EXPECT_EQ(lanes.keys()[0].owner, b);
}

TEST(Lanes, ACrashEndsWhatEveryClientOfTheProcessWasDoing) {
  auto story = crowd_story();
  Lanes lanes(*story->report().history);
  lanes.advance(story->events.size() - 1);
  EXPECT_TRUE(lanes.clients()[0].crashed);
  EXPECT_EQ(lanes.clients()[0].doing, Doing::kNothing);
  EXPECT_FALSE(lanes.clients()[2].crashed);
}

}  // namespace
}  // namespace locklapse::reports
