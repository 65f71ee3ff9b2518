#include "sim/history/judge.h"

#include <gtest/gtest.h>

#include "tests/history/story_builder.h"

namespace locklapse {
namespace {

constexpr ClientId kA = 0, kB = 1;

TEST(Outcome, WithoutAnyEntryNothingWasExercised) {
  StoryBuilder story;
  const Verdict verdict = judge(story.history(1'000));
  EXPECT_EQ(verdict.outcome, Outcome::kNotExercised);
  EXPECT_EQ(verdict.outcome_reason, "nobody ever got the lock");
}

TEST(Outcome, AFaultThatNeverCameMakesASafeRunNotExercised) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  story.leaves(2'000, kA);
  story.releases_by(2'000, kA, "DEL lock", "del");
  History history = story.history(5'000);
  EXPECT_EQ(judge(history).outcome, Outcome::kSafe);
  const std::string_view faults[] = {"pause of A after its second renewal"};
  history.cast.faults = faults;
  const Verdict verdict = judge(history);
  EXPECT_EQ(verdict.outcome, Outcome::kNotExercised);
  EXPECT_EQ(verdict.outcome_reason, "this fault never took effect: pause of A after its second renewal");
}

TEST(Outcome, ARunThatWasCutShortIsUnknownUnlessItHasBrokenAlready) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  History history = story.history(2'000);
  history.complete = false;
  EXPECT_EQ(judge(history).outcome, Outcome::kUnknown);
}

TEST(Stuck, ACrashedHoldersKeyIsStuckUntilItsTtl) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  story.add(5'000, EventKind::kCrashed).place = 0;
  story.leaves(5'000, kA, "crashed");
  story.ttl_ends(31'001);
  const Verdict verdict = judge(story.history(40'000));
  ASSERT_EQ(verdict.stuck.size(), 1u);
  EXPECT_EQ(verdict.stuck[0].from.ms(), 5'000);
  ASSERT_TRUE(verdict.stuck[0].to);
  EXPECT_EQ(verdict.stuck[0].to->ms(), 31'001);
  EXPECT_EQ(verdict.stuck[0].cause, Cause::kStuckUntilTtl);
  EXPECT_EQ(verdict.outcome, Outcome::kSafe);
}

TEST(Stuck, WithoutATtlItIsForEverAndThatIsAViolation) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", -1);
  story.enters(1'001, kA);
  story.add(5'000, EventKind::kCrashed).place = 0;
  story.leaves(5'000, kA, "crashed");
  const Verdict verdict = judge(story.history(40'000));
  ASSERT_EQ(verdict.stuck.size(), 1u);
  EXPECT_FALSE(verdict.stuck[0].to);
  EXPECT_EQ(verdict.stuck[0].cause, Cause::kStuckNoTtl);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
}

TEST(Stuck, AKeyReleasedByItsOwnerIsNotStuck) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  story.leaves(2'000, kA);
  story.releases_by(2'000, kA, "DEL lock", "del");
  EXPECT_TRUE(judge(story.history(5'000)).stuck.empty());
}

TEST(Told, ALossIsToldByTheWatchdogOrAtTheLatestByARefusedRelease) {
  for (const bool watchdog : {true, false}) {
    StoryBuilder story;
    story.takes(1'000, kA, "a", 31'000);
    story.enters(1'001, kA);
    story.ttl_ends(31'001);
    if (watchdog) story.add(33'000, EventKind::kTold, kA).text = "a renewal found the lock lost";
    story.leaves(40'000, kA);
    Event& refused = story.add(40'002, EventKind::kReleased, kA);
    refused.number = 0;
    const Verdict verdict = judge(story.history(50'000));
    ASSERT_EQ(verdict.told.size(), 1u);
    EXPECT_EQ(verdict.told[0].lost_at.ms(), 31'001);
    ASSERT_TRUE(verdict.told[0].told_at);
    EXPECT_EQ(verdict.told[0].told_at->ms(), watchdog ? 33'000 : 40'002);
  }
}

TEST(Told, ADeleteThatSucceedsOnAnothersKeyTellsNothing) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  story.ttl_ends(31'001);
  story.leaves(40'000, kA);
  Event& released = story.add(40'002, EventKind::kReleased, kA);
  released.number = 1;
  const Verdict verdict = judge(story.history(50'000));
  ASSERT_EQ(verdict.told.size(), 1u);
  EXPECT_FALSE(verdict.told[0].told_at);
}

// One accepted write of a holder.
void writes(StoryBuilder& story, std::int64_t at_ms, ClientId client, std::int64_t version_read,
            std::int64_t quantity, std::string_view order) {
  const std::uint32_t command = story.sends(at_ms - 1, client, Phase::kWrite, "WRITE", "write");
  Event& written = story.add(at_ms, EventKind::kWritten, client);
  written.command = command;
  written.extra = version_read;
  written.number = quantity;
  written.text = order;
}

std::vector<DamageKind> kinds(const Verdict& verdict) {
  std::vector<DamageKind> result;
  for (const Damage& damage : verdict.damage) result.push_back(damage.kind);
  return result;
}

TEST(Damage, AWriteThatRestsOnAnOldVersionLosesAnUpdateAndMayOversell) {
  StoryBuilder story;
  writes(story, 1'000, kA, 0, 0, "o1");
  writes(story, 2'000, kB, 0, 0, "o2");
  EXPECT_EQ(kinds(judge(story.history(5'000))),
            (std::vector<DamageKind>{DamageKind::kLostUpdate, DamageKind::kOversell}));
}

TEST(Damage, AnOrderAppliedTwiceIsDuplicateProcessing) {
  StoryBuilder story;
  writes(story, 1'000, kA, 0, 9, "o1");
  writes(story, 2'000, kB, 1, 8, "o1");
  History history = story.history(5'000);
  history.cast.stock = 10;
  EXPECT_EQ(kinds(judge(history)), std::vector<DamageKind>{DamageKind::kDuplicateProcessing});
}

TEST(Damage, AWriteAfterAnotherHasTakenTheLockIsStale) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  story.ttl_ends(31'001);
  story.takes(32'000, kB, "b", 62'000);
  story.enters(32'001, kB);
  writes(story, 33'000, kA, 0, 9, "o1");
  story.leaves(33'001, kA);
  story.leaves(34'000, kB);
  History history = story.history(40'000);
  history.cast.stock = 10;
  EXPECT_EQ(kinds(judge(history)), std::vector<DamageKind>{DamageKind::kStaleWrite});
}

TEST(Damage, AWriteInTimeIsNone) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  writes(story, 3'000, kA, 0, 0, "o1");
  story.leaves(4'000, kA);
  story.releases_by(4'000, kA, "DEL lock", "del");
  EXPECT_TRUE(judge(story.history(10'000)).damage.empty());
}

TEST(Counters, CountHoldsOverTheTtlRefusalsAndTheBusiestSecond) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  for (int i = 0; i < 5; ++i) {
    const std::uint32_t command = story.sends(5'000 + i * 200, kB, Phase::kAcquire, "SET lock", "set");
    story.executes(5'000 + i * 200, kB, command);
    story.add(5'001 + i * 200, EventKind::kRefused, kB);
  }
  story.ttl_ends(31'001);
  story.leaves(40'000, kA);
  const Counters counters = judge(story.history(50'000)).counters;
  EXPECT_EQ(counters.acquisitions, 1u);
  EXPECT_EQ(counters.refused, 5u);
  EXPECT_EQ(counters.holds_over_ttl, 1u);
  EXPECT_EQ(counters.redis_commands, 6u);
  EXPECT_EQ(counters.redis_commands_per_s_max, 5);
}

}  // namespace
}  // namespace locklapse
