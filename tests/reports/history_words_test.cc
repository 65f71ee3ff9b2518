// The words of histories and verdicts, and histories that outlive their run.
#include <gtest/gtest.h>

#include <set>

#include "sim/history/history.h"
#include "sim/history/verdict.h"
#include "tests/reports/story.h"

namespace locklapse {
namespace {

TEST(HistoryWords, EveryKindHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int i = 0; i < kEventKinds; ++i) names.insert(event_name(static_cast<EventKind>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kEventKinds));
  EXPECT_FALSE(names.contains(""));
}

TEST(HistoryWords, EveryCauseIsFoundByItsName) {
  for (int i = 0; i < kCauses; ++i) {
    const auto cause = static_cast<Cause>(i);
    EXPECT_EQ(find_cause(cause_name(cause)), cause);
    EXPECT_TRUE(cause_meaning(cause).ends_with('.')) << cause_name(cause);
  }
  EXPECT_EQ(find_cause("no-such-cause"), std::nullopt);
  EXPECT_EQ(find_cause(""), std::nullopt);
}

TEST(HistoryWords, AKeptHistoryOutlivesItsSource) {
  auto story = reports::late_delete_story();
  const std::uint64_t hash = trace_hash(*story->report().history);
  const KeptHistory kept(*story->report().history);
  story.reset();
  EXPECT_EQ(trace_hash(kept.view()), hash);
  EXPECT_EQ(kept.view().client_name(1), "B");
  EXPECT_EQ(kept.view().client_name(kNoClient), "operator");
}

TEST(HistoryWords, TheHashSeesEveryField) {
  auto story = reports::quiet_story();
  std::set<std::uint64_t> hashes;
  hashes.insert(story->report().trace_hash);
  const auto changed = [&](auto change) {
    change(story->events[2]);
    hashes.insert(story->report().trace_hash);
  };
  changed([](Event& e) { e.at.ns += 1; });
  changed([](Event& e) { e.kind = EventKind::kKeyDeadline; });
  changed([](Event& e) { e.phase = Phase::kRenew; });
  changed([](Event& e) { e.client = 7; });
  changed([](Event& e) { e.place = 7; });
  changed([](Event& e) { e.attempt = 7; });
  changed([](Event& e) { e.command = 7; });
  changed([](Event& e) { e.text = "other"; });
  changed([](Event& e) { e.detail = "other"; });
  changed([](Event& e) { e.number = 7; });
  changed([](Event& e) { e.extra = 7; });
  EXPECT_EQ(hashes.size(), 12U);
}

TEST(HistoryWords, TheHashIsTheSameOnEveryPlatform) {
  History empty;
  EXPECT_EQ(trace_hash(empty), trace_hash(History{}));
  EXPECT_EQ(reports::quiet_story()->report().trace_hash, 0xe8eb6924cf8247cdU);
}

}  // namespace
}  // namespace locklapse
