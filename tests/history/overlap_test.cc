#include <gtest/gtest.h>

#include "sim/history/judge.h"
#include "tests/history/story_builder.h"

namespace locklapse {
namespace {

constexpr ClientId kA = 0, kB = 1, kC = 2;

// A holds from 1 s to 41 s, its TTL ends at 31 s, B comes in at 32 s.
StoryBuilder overrun() {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  story.ttl_ends(31'001);
  story.takes(32'000, kB, "b", 62'000);
  story.enters(32'001, kB);
  return story;
}

TEST(Overlap, LastsFromTheSecondsEntryUntilTheFirstOfThemLeaves) {
  StoryBuilder story = overrun();
  story.leaves(41'000, kA);
  story.leaves(50'000, kB);
  const Verdict verdict = judge(story.history(60'000));
  ASSERT_EQ(verdict.overlaps.size(), 1u);
  const Overlap& overlap = verdict.overlaps[0];
  EXPECT_EQ(overlap.first, kA);
  EXPECT_EQ(overlap.second, kB);
  EXPECT_EQ(overlap.from.ms(), 32'001);
  EXPECT_EQ(overlap.to.ms(), 41'000);
  EXPECT_EQ(overlap.cause, Cause::kTtlOverrun);
  EXPECT_EQ(overlap.because, "A's TTL ended at 31.001 s, A worked until 41 s.");
}

TEST(Overlap, LeavingInTheInstantOfTheOthersEntryIsNone) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  story.leaves(5'000, kA);
  story.takes(4'999, kB, "b", 35'000);
  story.enters(5'000, kB);
  story.leaves(6'000, kB);
  EXPECT_TRUE(judge(story.history(10'000)).overlaps.empty());
}

TEST(Overlap, IsAboutTheResourceAndNotTheKey) {
  StoryBuilder story;
  story.client(kB).key = story.client(kB).lock_name = "other";
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  story.takes(2'000, kB, "b", 32'000);
  story.enters(2'001, kB);
  story.leaves(3'000, kA);
  story.leaves(4'000, kB);
  const Verdict verdict = judge(story.history(10'000));
  ASSERT_EQ(verdict.overlaps.size(), 1u);
  EXPECT_EQ(verdict.overlaps[0].cause, Cause::kKeyMismatch);
}

TEST(Overlap, TwoResourcesDoNotOverlap) {
  StoryBuilder story;
  story.client(kB).resource = 1;
  story.client(kB).key = story.client(kB).lock_name = "other";
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  story.takes(2'000, kB, "b", 32'000);
  story.enters(2'001, kB);
  story.leaves(3'000, kA);
  story.leaves(4'000, kB);
  EXPECT_TRUE(judge(story.history(10'000)).overlaps.empty());
}

TEST(Overlap, ATwentyTwoSecondHoldUnderAThirtySecondTtlIsNoOverrun) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  const std::uint32_t del = story.sends(9'999, kC, Phase::kRelease, "DEL lock", "del");
  story.key(10'000, EventKind::kKeyRemoved, kC, del, Phase::kRelease);
  story.takes(11'000, kB, "b", 41'000);
  story.enters(11'001, kB);
  story.leaves(23'000, kA);
  story.leaves(24'000, kB);
  const Verdict verdict = judge(story.history(30'000));
  ASSERT_EQ(verdict.overlaps.size(), 1u);
  EXPECT_EQ(verdict.overlaps[0].cause, Cause::kUnownedDelete);
  EXPECT_TRUE(verdict.overlaps[0].contributing.empty());
  EXPECT_EQ(verdict.overlaps[0].because, "C's DEL lock at 10 s removed A's key.");
}

TEST(Overlap, AStepOfTheClockIsTheCauseOnlyWhereTheKeyWouldHaveLivedWithoutIt) {
  for (const bool decisive : {true, false}) {
    StoryBuilder story;
    story.takes(1'000, kA, "a", 31'000);
    story.enters(1'001, kA);
    Event& step = story.add(decisive ? 5'000 : 30'900, EventKind::kClockStepped);
    step.number = decisive ? seconds(31).ns : milliseconds(50).ns;
    story.ttl_ends(decisive ? 5'000 : 30'951);
    story.takes(decisive ? 6'000 : 32'000, kB, "b", 99'000);
    story.enters(decisive ? 6'001 : 32'001, kB);
    story.leaves(41'000, kA);
    story.leaves(50'000, kB);
    const Verdict verdict = judge(story.history(60'000));
    ASSERT_EQ(verdict.overlaps.size(), 1u);
    EXPECT_EQ(verdict.overlaps[0].cause, decisive ? Cause::kClockJump : Cause::kTtlOverrun);
  }
}

TEST(Overlap, AnOperatorsDeleteIsAThirdParty) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.enters(1'001, kA);
  story.key(5'000, EventKind::kKeyRemoved, kNoClient, 0, Phase::kOperator);
  story.takes(6'000, kB, "b", 36'000);
  story.enters(6'001, kB);
  story.leaves(8'000, kA);
  story.leaves(9'000, kB);
  const Verdict verdict = judge(story.history(10'000));
  ASSERT_EQ(verdict.overlaps.size(), 1u);
  EXPECT_EQ(verdict.overlaps[0].cause, Cause::kThirdPartyDelete);
  EXPECT_TRUE(verdict.unowned.empty());
}

TEST(Overlap, AReplyThatComesAfterTheTtlIsAMissingValidityCheck) {
  StoryBuilder story;
  story.takes(1'000, kA, "a", 31'000);
  story.ttl_ends(31'001);
  story.takes(32'000, kB, "b", 62'000);
  story.enters(32'001, kB);
  story.enters(33'000, kA);
  story.leaves(34'000, kA);
  story.leaves(35'000, kB);
  const Verdict verdict = judge(story.history(60'000));
  ASSERT_EQ(verdict.overlaps.size(), 1u);
  EXPECT_EQ(verdict.overlaps[0].first, kB);
  EXPECT_EQ(verdict.overlaps[0].second, kA);
  EXPECT_EQ(verdict.overlaps[0].cause, Cause::kNoValidityCheck);
}

TEST(Overlap, TheCauseIsSoughtWithWhoeverHadNoRightToBeInside) {
  // B holds by right and releases later; A comes in on an answer that was too old.
  StoryBuilder story;
  story.takes(1'000, kA, "a", 6'000);
  story.ttl_ends(6'001);
  story.takes(7'000, kB, "b", 67'000);
  story.enters(7'001, kB);
  story.enters(9'000, kA);
  story.leaves(11'000, kA);
  story.leaves(27'000, kB);
  story.releases_by(27'000, kB, "EVAL compare-and-delete 1 lock b", "eval");
  const Verdict verdict = judge(story.history(60'000));
  ASSERT_EQ(verdict.overlaps.size(), 1u);
  EXPECT_EQ(verdict.overlaps[0].cause, Cause::kNoValidityCheck);
  EXPECT_EQ(verdict.overlaps[0].because, "A's TTL ended at 6.001 s, A entered only at 9 s.");
}

TEST(Overlap, ADeleteThatFollowsAnOverrunNamesTheOverrunAsContributing) {
  StoryBuilder story = overrun();
  story.leaves(41'000, kA);
  story.releases_by(41'000, kA, "DEL lock", "del");
  story.takes(42'000, kC, "c", 72'000);
  story.enters(42'001, kC);
  story.leaves(45'000, kC);
  story.leaves(50'000, kB);
  const Verdict verdict = judge(story.history(60'000));
  ASSERT_EQ(verdict.overlaps.size(), 2u);
  EXPECT_EQ(verdict.overlaps[1].cause, Cause::kUnownedDelete);
  EXPECT_EQ(verdict.overlaps[1].contributing, std::vector<Cause>{Cause::kTtlOverrun});
  ASSERT_EQ(verdict.unowned.size(), 1u);
  EXPECT_EQ(verdict.unowned[0].client, kA);
  EXPECT_EQ(verdict.unowned[0].owner, kB);
  EXPECT_EQ(verdict.unowned[0].command, "DEL lock");
}

}  // namespace
}  // namespace locklapse
