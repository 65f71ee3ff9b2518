#include "sim/world/resource.h"

#include <gtest/gtest.h>

#include "tests/world/small_world.h"

namespace locklapse {
namespace {

// READ and WRITE words in turn, one client; what the journal says of the writes.
struct Outcome {
  std::vector<std::string> refused;
  std::vector<std::int64_t> quantities;
};

using Words = std::vector<std::string>;

Outcome play(std::string_view guard, const std::vector<Words>& requests, std::int64_t stock = 5,
             std::int64_t take = 1) {
  SmallWorld world;
  ResourcePlan plan;
  plan.stock = stock;
  plan.take = take;
  plan.guard = *parse_guard(guard);
  world.node();
  Resource& resource = world.resource(plan);
  Client& a = world.client("A", 0, {}, &resource);
  world.does(a, [&requests](Client& client) -> Task<> {
    for (const Words& words : requests) {
      const Phase phase = words[0] == "READ" ? Phase::kRead : Phase::kWrite;
      co_await Operation(*client.resource, phase, 1, words[0], [&words](Operation& o) {
        for (std::size_t i = 1; i < words.size(); ++i) o.add(words[i]);
      });
    }
  });
  world.run();
  Outcome outcome;
  for (const Event& event : world.all(EventKind::kWriteRefused)) outcome.refused.emplace_back(event.detail);
  for (const Event& event : world.all(EventKind::kWritten)) outcome.quantities.push_back(event.number);
  return outcome;
}

TEST(Resource, WithoutAGuardWritesWhatTheClientComputedFromWhatItRead) {
  const Outcome outcome = play("none", {{"WRITE", "5", "0", "o1", "0"}, {"WRITE", "5", "0", "o2", "0"}});
  EXPECT_EQ(outcome.quantities, (std::vector<std::int64_t>{4, 4}));
}

TEST(Resource, AnAtomicUpdateStartsFromTheCurrentQuantityAndStopsAtTooLittle) {
  const Outcome outcome = play("atomic-update",
                               {{"WRITE", "5", "0", "o1", "0"}, {"WRITE", "5", "0", "o2", "0"},
                                {"WRITE", "5", "0", "o3", "0"}}, 5, 2);
  EXPECT_EQ(outcome.quantities, (std::vector<std::int64_t>{3, 1}));
  EXPECT_EQ(outcome.refused, std::vector<std::string>{"not enough left"});
}

TEST(Resource, AVersionGuardRefusesAWriteThatRestsOnAnOldVersion) {
  const Outcome outcome = play("version", {{"WRITE", "5", "0", "o1", "0"}, {"WRITE", "5", "0", "o2", "0"},
                                           {"WRITE", "4", "1", "o3", "0"}});
  EXPECT_EQ(outcome.quantities, (std::vector<std::int64_t>{4, 3}));
  EXPECT_EQ(outcome.refused, std::vector<std::string>{"the version read is not current"});
}

TEST(Resource, AnIdempotentGuardAppliesAnOrderOnce) {
  const Outcome outcome = play("idempotent", {{"WRITE", "5", "0", "o1", "0"}, {"WRITE", "4", "1", "o1", "0"}});
  EXPECT_EQ(outcome.quantities, std::vector<std::int64_t>{4});
  EXPECT_EQ(outcome.refused, std::vector<std::string>{"this order was applied before"});
}

TEST(Resource, AFenceLearnsFromReadsSoAnOlderNumberCannotWrite) {
  const Outcome outcome = play("fence", {{"READ", "34"}, {"WRITE", "5", "0", "o1", "33"},
                                         {"WRITE", "5", "0", "o2", "34"}});
  EXPECT_EQ(outcome.refused, std::vector<std::string>{"an older fence number"});
  EXPECT_EQ(outcome.quantities, std::vector<std::int64_t>{4});
}

TEST(Resource, AFenceOnWritesLetsAStaleWriteLandBetweenTheNewHoldersReadAndWrite) {
  const Outcome outcome = play("fence-on-write", {{"READ", "34"}, {"WRITE", "5", "0", "o1", "33"},
                                                  {"WRITE", "5", "0", "o2", "34"},
                                                  {"WRITE", "4", "2", "o3", "33"}});
  EXPECT_EQ(outcome.quantities, (std::vector<std::int64_t>{4, 4}));
  EXPECT_EQ(outcome.refused, std::vector<std::string>{"an older fence number"});
}

TEST(Resource, TheSameNumberTwicePassesAFenceButNotTogetherWithIdempotent) {
  const std::vector<Words> twice = {{"WRITE", "5", "0", "o1", "33"}, {"WRITE", "5", "0", "o1", "33"}};
  EXPECT_EQ(play("fence", twice).quantities.size(), 2u);
  EXPECT_EQ(play("fence+idempotent", twice).quantities.size(), 1u);
}

TEST(Resource, ARequestWithoutANumberIsNotFenced) {
  EXPECT_EQ(play("fence", {{"READ", "9"}, {"WRITE", "5", "0", "o1", "0"}}).quantities.size(), 1u);
}

}  // namespace
}  // namespace locklapse
