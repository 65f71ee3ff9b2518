#include "sim/scenario/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sim/scenario/expect.h"
#include "sim/scenario/read.h"

namespace locklapse::scenario {
namespace {

Scenario read_text(std::string_view text) {
  Result result = read_scenario_text(text, "test.yaml", vocabulary());
  for (const std::string& error : result.errors) ADD_FAILURE() << error;
  return result.scenario ? *result.scenario : Scenario{};
}

std::vector<std::string> catalogue() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(LOCKLAPSE_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Catalogue : public testing::TestWithParam<std::string> {};

TEST_P(Catalogue, MeetsWhatItExpectsOfEveryStrategyAndGuard) {
  const Result read = read_scenario(GetParam(), vocabulary());
  ASSERT_TRUE(read.ok()) << read.errors.front();
  EXPECT_FALSE(read.scenario->expect.empty()) << "a scenario of the catalogue says what must come of it";
  Runner runner;
  for (const auto& [strategy, expectation] : read.scenario->expect) {
    std::vector<std::string> guards = {read.scenario->resource ? read.scenario->resource->guard : "none"};
    for (const auto& [guard, special] : expectation.guards) guards.push_back(guard);
    for (const std::string& guard : guards) {
      const RunResult result = runner.run(*read.scenario, {strategy, guard, 0});
      for (const std::string& mismatch : result.mismatches) {
        ADD_FAILURE() << strategy << " " << guard << ": " << mismatch;
      }
    }
  }
}

TEST_P(Catalogue, GivesTheSameHistoryEveryTime) {
  const Result read = read_scenario(GetParam(), vocabulary());
  ASSERT_TRUE(read.ok());
  Runner one, other;
  for (const Strategy* strategy : all_strategies()) {
    const RunOptions options{std::string(strategy->info().name), "none", 42};
    const std::uint64_t first = one.run(*read.scenario, options).trace_hash;
    EXPECT_EQ(one.run(*read.scenario, options).trace_hash, first);
    EXPECT_EQ(other.run(*read.scenario, options).trace_hash, first);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Catalogue, testing::ValuesIn(catalogue()), [](const auto& instance) {
  std::string name = std::filesystem::path(instance.param).stem().string();
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

constexpr std::string_view kAbc = R"(
lock: {key: k, ttl: 30s, strategy: set-del}
clients:
  A: {at: 0s, work: 40s}
  B: {at: 31s, work: 20s}
  C: {at: 41s, work: 5s}
)";

TEST(Runner, ReportsEveryDifferenceFromWhatWasExpected) {
  const Scenario scenario = read_text(std::string(kAbc) + R"(expect:
  set-del:
    outcome: safe
    overlaps: [[A, C]]
    causes: [eviction]
    unowned: []
    stuck: for-ever
    damage: [oversell]
    releases: {A: refused}
    waited: {B: {at-least: 1s}}
    held: {B: {at-most: 1s}}
    told: {A: {at-most: 1s}, C: never}
    commands: {at-most: 1}
    commands-per-second: {at-least: 100}
)");
  const RunResult result = Runner().run(scenario, {"set-del", "none", 0});
  EXPECT_EQ(result.as_expected, false);
  EXPECT_EQ(result.mismatches,
            (std::vector<std::string>{
                "outcome: expected safe, got violated",
                "overlaps: expected A-C, got A-B, B-C",
                "causes: expected eviction, got ttl-overrun, unowned-delete",
                "unowned: expected none, got A-B",
                "stuck: expected for-ever, got none",
                "damage: expected oversell, got none",
                "releases.A: expected refused, got released",
                "waited.B: expected at least 1 s, got 2 ms",
                "held.B: expected at most 1 s, got 20 s",
                "told.A: expected told, got never",
                "told.C: it never lost its lock while inside",
                "commands: expected at most 1, got 6",
                "commands-per-second: expected at least 100, got 2",
            }));
}

TEST(Runner, AnExpectationForAGuardComesInPlaceOfTheGeneralOne) {
  const Scenario scenario = read_text(std::string(kAbc) + R"(resource: {stock: 9, take: 1, guard: none}
expect:
  fenced:
    overlaps: [[A, B]]
    damage: [lost-update, stale-write]
    guards: {fence: {damage: []}}
)");
  Runner runner;
  EXPECT_EQ(runner.run(scenario, {"fenced", "none", 0}).mismatches, std::vector<std::string>{});
  EXPECT_EQ(runner.run(scenario, {"fenced", "fence", 0}).mismatches, std::vector<std::string>{});
}

TEST(Runner, UnderAGuardNobodySpokeOfTheHarmIsNotCompared) {
  const Scenario scenario = read_text(std::string(kAbc) + R"(resource: {stock: 9, take: 1, guard: none}
expect:
  set-lua: {overlaps: [[A, B]], damage: [lost-update, stale-write]}
)");
  Runner runner;
  EXPECT_EQ(runner.run(scenario, {"set-lua", "none", 0}).mismatches, std::vector<std::string>{});
  EXPECT_EQ(runner.run(scenario, {"set-lua", "version", 0}).mismatches, std::vector<std::string>{});
}

TEST(Runner, WithoutAnExpectationSaysNeitherYesNorNo) {
  const RunResult result = Runner().run(read_text(kAbc), {"set-lua", "none", 0});
  EXPECT_FALSE(result.as_expected.has_value());
}

TEST(Runner, TheSeedDecidesLatenciesWithinTheirRange) {
  const Scenario scenario = read_text(std::string(kAbc) + "network: {latency: {min: 1ms, max: 9ms}}\n");
  Runner runner;
  const std::uint64_t seven = runner.run(scenario, {"set-del", "none", 7}).trace_hash;
  EXPECT_EQ(runner.run(scenario, {"set-del", "none", 7}).trace_hash, seven);
  EXPECT_NE(runner.run(scenario, {"set-del", "none", 8}).trace_hash, seven);
}

TEST(Runner, ARecordedScheduleReplaysTheSameHistory) {
  const Scenario scenario = read_text(std::string(kAbc) + "network: {latency: {min: 1ms, max: 9ms}}\n");
  Runner runner;
  std::vector<std::uint32_t> schedule;
  SeededChooser seeded(3);
  RecordingChooser recording(seeded, schedule);
  const Strategy& strategy = *find_strategy("set-lua");
  const std::uint64_t hash = trace_hash(runner.replay(scenario, strategy, Guard{}, recording));
  EXPECT_FALSE(schedule.empty());
  ReplayChooser replaying(schedule);
  EXPECT_EQ(trace_hash(runner.replay(scenario, strategy, Guard{}, replaying)), hash);
  EXPECT_EQ(replaying.misfit(), ReplayChooser::kNone);
}

TEST(Runner, ARunThatWouldNeverEndIsCutShortAndCalledUnknown) {
  const Scenario scenario = read_text(R"(
lock: {key: k, ttl: none, strategy: set-lua}
clients:
  A: {at: 0s, work: 1h}
  B: {at: 0s, work: 1s, retry: {every: 1ms}}
)");
  RunLimits limits;
  limits.events_max = 2'000;
  const RunResult result = Runner(limits).run(scenario, {"set-lua", "none", 0});
  EXPECT_EQ(result.verdict.outcome, Outcome::kUnknown);
  EXPECT_LE(result.history->view().events.size(), 2'100u);
}

TEST(Runner, ARunLeavesNoTraceInTheNext) {
  // A run leaves no trace in the next: another scenario in between does not change the hash.
  const Scenario abc = read_text(kAbc);
  const Scenario other = read_text(R"(
lock: {key: other, ttl: 1s, strategy: reentrant}
clients:
  X: {at: 0s, work: 5s, rounds: 3}
)");
  Runner runner;
  const std::uint64_t first = runner.run(abc, {"fenced", "none", 0}).trace_hash;
  runner.run(other, {"reentrant", "none", 0});
  EXPECT_EQ(runner.run(abc, {"fenced", "none", 0}).trace_hash, first);
}

}  // namespace
}  // namespace locklapse::scenario
