// locklapse run --backend redis, as a user types it.
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.h"
#include "tests/live/needs_redis.h"

namespace locklapse::cli {
namespace {

const std::string kScenarios = std::string(LOCKLAPSE_SOURCE_DIR) + "/scenarios";

std::string last_line(const std::string& text) {
  const std::string trimmed = text.substr(0, text.find_last_not_of('\n') + 1);
  return trimmed.substr(trimmed.rfind('\n') + 1);
}

class RealServerRunTest : public live::WithRedis<ProgramTest> {};

TEST_F(RealServerRunTest, ConfirmsTheWholeCatalogue) {
  const Ran ran = shell("locklapse run " + kScenarios + " --backend redis");
  EXPECT_EQ(ran.status, 0) << ran.err;
  const std::string tally = last_line(ran.out);
  EXPECT_NE(tally.find(" not_as_expected=0 "), std::string::npos) << tally;
  EXPECT_NE(tally.find(" not_runnable=0 disagreeing=0 status=0"), std::string::npos) << tally;
  EXPECT_EQ(tally.find(" confirmed=0 "), std::string::npos) << tally;
}

TEST_F(RealServerRunTest, HasTheHistoryOfTheModelByteForByte) {
  const std::string run = "locklapse run " + kScenarios + "/abc.yaml --strategy all --format json --events";
  auto redis = nlohmann::json::parse(shell(run + " --backend redis").out);
  auto model = nlohmann::json::parse(shell(run).out);
  ASSERT_FALSE(redis["runs"].empty());
  for (auto& each : redis["runs"]) {
    EXPECT_EQ(each["backend"], "redis");
    EXPECT_EQ(each["confirmation"]["agreement"], "confirmed");
    each["backend"] = "model";
    each["confirmation"] = nullptr;
  }
  EXPECT_EQ(redis, model);
}

TEST_F(RealServerRunTest, SaysWhatCannotBePlayedThere) {
  write("debug.yaml", std::string(kSafe) + "faults: [{at: 1s, operator: \"DEBUG SLEEP 1\"}]\n");
  write("safe.yaml", kSafe);
  const Ran alone = shell("locklapse run debug.yaml --backend redis");
  EXPECT_EQ(alone.status, 2);
  EXPECT_NE(alone.out.find("not runnable on a real redis-server: DEBUG is not sent"), std::string::npos) << alone.out;
  const Ran both = shell("locklapse run debug.yaml safe.yaml --backend redis");
  EXPECT_EQ(both.status, 0);
  EXPECT_NE(both.out.find(" confirmed=1 not_runnable=1 disagreeing=0 "), std::string::npos) << both.out;
}

TEST_F(ProgramTest, WithoutARedisServerNothingIsConfirmed) {
  write("safe.yaml", kSafe);
  const Ran ran = shell("PATH=/nonexistent locklapse run safe.yaml --backend redis");
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_NE(ran.out.find("redis-server is not installed"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(" confirmed=0 not_runnable=1 disagreeing=0 status=2\n"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace locklapse::cli
