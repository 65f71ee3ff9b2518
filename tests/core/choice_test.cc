#include "sim/core/choice.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace locklapse {
namespace {

constexpr ChoiceLabel kLatency{ChoiceKind::kLatency};
constexpr ChoiceLabel kJitter{ChoiceKind::kRetryJitter, 1};

std::vector<std::uint32_t> ask(Chooser& chooser, std::initializer_list<std::uint32_t> bounds) {
  std::vector<std::uint32_t> answers;
  for (const std::uint32_t n : bounds) answers.push_back(chooser.choose(n, kLatency));
  return answers;
}

TEST(Chooser, WhatARunChoseIsWhatReplaysIt) {
  SeededChooser seeded(17);
  std::vector<std::uint32_t> schedule;
  RecordingChooser recording(seeded, schedule);
  const std::vector<std::uint32_t> first = ask(recording, {5, 1, 9, 1'000, 2});
  EXPECT_EQ(schedule, first);

  ReplayChooser replay(schedule);
  EXPECT_EQ(ask(replay, {5, 1, 9, 1'000, 2}), first);
  EXPECT_EQ(replay.misfit(), ReplayChooser::kNone);
  EXPECT_EQ(replay.asked(), 5u);
}

TEST(FirstChooser, TakesThePlainestAlternative) {
  FirstChooser first;
  EXPECT_EQ(ask(first, {1, 2, 100}), (std::vector<std::uint32_t>{0, 0, 0}));
}

TEST(SeededChooser, AnswersWithinTheBound) {
  SeededChooser seeded(1);
  for (std::uint32_t n = 1; n < 500; ++n) EXPECT_LT(seeded.choose(n, kLatency), n);
}

TEST(SeededChooser, IsRepeatedByItsSeedAndChangedByAnother) {
  SeededChooser once(8);
  SeededChooser again(8);
  SeededChooser other(9);
  const auto answers = ask(once, {1'000'000, 1'000'000, 1'000'000});
  EXPECT_EQ(ask(again, {1'000'000, 1'000'000, 1'000'000}), answers);
  EXPECT_NE(ask(other, {1'000'000, 1'000'000, 1'000'000}), answers);
}

TEST(SeededChooser, KeepsTheStreamsOfDifferentKindsApart) {
  SeededChooser plain(8);
  SeededChooser interleaved(8);
  for (int i = 0; i < 50; ++i) {
    interleaved.choose(100, kJitter);
    EXPECT_EQ(interleaved.choose(1'000'000, kLatency), plain.choose(1'000'000, kLatency));
  }
}

TEST(SeededChooser, DrawsNothingWhenThereIsNoChoice) {
  SeededChooser plain(8);
  SeededChooser asked_for_nothing(8);
  asked_for_nothing.choose(1, kLatency);
  EXPECT_EQ(asked_for_nothing.choose(1'000'000, kLatency), plain.choose(1'000'000, kLatency));
}

TEST(ReplayChooser, GoesOnPlainlyAfterTheScheduleEnds) {
  const std::vector<std::uint32_t> schedule = {3};
  ReplayChooser replay(schedule);
  EXPECT_EQ(ask(replay, {4, 4, 4}), (std::vector<std::uint32_t>{3, 0, 0}));
  EXPECT_EQ(replay.misfit(), ReplayChooser::kNone);
}

TEST(ReplayChooser, RemembersTheFirstAnswerThatDoesNotFit) {
  const std::vector<std::uint32_t> schedule = {1, 7, 2, 9};
  ReplayChooser replay(schedule);
  EXPECT_EQ(ask(replay, {2, 7, 3, 9}), (std::vector<std::uint32_t>{1, 0, 2, 0}));
  EXPECT_EQ(replay.misfit(), 1u);
}

}  // namespace
}  // namespace locklapse
