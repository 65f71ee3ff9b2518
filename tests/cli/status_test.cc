// Exit statuses, and what goes to stdout and what to stderr.
#include <string>

#include "tests/cli/program.h"

namespace locklapse::cli {
namespace {

class StatusTest : public ProgramTest {
 protected:
  // Messages only, and the status that goes with them.
  void expect_refused(const std::string& command, int status, const std::string& err) {
    const Ran ran = shell(command);
    EXPECT_EQ(ran.status, status) << command << "\n" << ran.err;
    EXPECT_EQ(ran.out, "") << command;
    EXPECT_NE(ran.err.find(err), std::string::npos) << command << "\n" << ran.err;
  }
};

TEST_F(StatusTest, SaysWhatCameOfARun) {
  const std::string violated(kViolated);
  write("safe.yaml", kSafe);
  write("violated.yaml", kViolated);
  write("not-exercised.yaml", kNotExercised);
  write("expected.yaml", violated + "expect: {set-lua: {outcome: violated}}\n");
  write("unexpected.yaml", violated + "expect: {set-lua: {outcome: safe}}\n");
  EXPECT_EQ(shell("locklapse run safe.yaml").status, 0);
  EXPECT_EQ(shell("locklapse run violated.yaml").status, 1);
  EXPECT_EQ(shell("locklapse run not-exercised.yaml").status, 2);
  EXPECT_EQ(shell("locklapse run expected.yaml").status, 0);
  EXPECT_EQ(shell("locklapse run unexpected.yaml").status, 1);
  EXPECT_EQ(shell("locklapse run safe.yaml not-exercised.yaml").status, 2);
  EXPECT_EQ(shell("locklapse run not-exercised.yaml violated.yaml safe.yaml").status, 1);
  EXPECT_EQ(shell("locklapse run safe.yaml").err, "");
}

TEST_F(StatusTest, DemonstrationsDoNotCount) {
  write("demo.yaml", std::string(kViolated) + "expect: {watchdog: {outcome: safe}}\n");
  write("plain.yaml", kViolated);
  EXPECT_EQ(shell("locklapse run demo.yaml --strategy all").status, 0);
  EXPECT_EQ(shell("locklapse run demo.yaml --strategy set-lua").status, 1);
  EXPECT_EQ(shell("locklapse run plain.yaml --strategy all").status, 1);
  EXPECT_EQ(shell("locklapse matrix plain.yaml").status, 0);
  EXPECT_EQ(shell("locklapse draw plain.yaml").status, 0);
}

TEST_F(StatusTest, MatrixMindsExpectationsOnly) {
  write("a.yaml", std::string(kViolated) + "expect: {set-lua: {outcome: safe}}\n");
  EXPECT_EQ(shell("locklapse matrix a.yaml").status, 1);
}

TEST_F(StatusTest, UsageIs64) {
  write("a.yaml", kSafe);
  expect_refused("locklapse", 64, "no verb; allowed: run, draw, matrix, list");
  expect_refused("locklapse rnu a.yaml", 64,
                 "unknown verb 'rnu'; allowed: run, draw, matrix, list; did you "
                 "mean 'run'?");
  expect_refused("locklapse run", 64, "FILE|DIR is required");
  expect_refused("locklapse run a.yaml --stratgy all", 64,
                 "unexpected argument '--stratgy'; did you mean '--strategy'?");
  expect_refused("locklapse --frobnicate", 64, "unexpected argument '--frobnicate'");
  expect_refused("locklapse run a.yaml --strategy set-lau", 64, "unknown strategy 'set-lau'");
  expect_refused("locklapse run a.yaml --strategy ''", 64, "unknown strategy ''");
  expect_refused("locklapse run a.yaml --guard fense", 64, "did you mean 'fence'?");
  expect_refused("locklapse run a.yaml --format jsn", 64,
                 "unknown format 'jsn'; allowed: text, json, junit, "
                 "markdown; did you mean 'json'?");
  expect_refused("locklapse run a.yaml --backend reddis", 64,
                 "unknown backend 'reddis'; allowed: model, redis; did you mean 'redis'?");
  expect_refused("locklapse run a.yaml --seed -1", 64, "--seed");
  expect_refused("locklapse run a.yaml --seed 18446744073709551616", 64, "--seed");
  expect_refused("locklapse run a.yaml --events", 64, "--events goes with --format json");
  expect_refused("locklapse run a.yaml --set", 64, "--set");
  expect_refused("locklapse draw a.yaml --as svg", 64,
                 "form svg is not supported yet; allowed: text, mermaid");
  expect_refused("locklapse draw a.yaml a.yaml", 64, "unexpected argument 'a.yaml'");
  expect_refused("locklapse draw a.yaml --strategy all", 64, "--strategy: allowed: one strategy");
  expect_refused("locklapse matrix a.yaml --format html", 64, "format html is not supported yet");
  expect_refused("locklapse list", 64, "KIND is required");
  expect_refused("locklapse list strategys", 64, "did you mean 'strategies'?");
  expect_refused("locklapse list causes scenarios", 64, "a directory goes with scenarios only");
}

TEST_F(StatusTest, BadInputIs65) {
  write("good.yaml", kSafe);
  write("bad.yaml", "clients: {A: {at: 5}}\n");
  write("worse.yaml", "titel: x\n");
  write("empty/readme.txt", "");
  expect_refused("locklapse run nowhere.yaml", 65,
                 "nowhere.yaml: cannot be opened: No such file or directory\n");
  expect_refused("locklapse run bad.yaml", 65, "bad.yaml:1:19: at: '5' has no unit");
  expect_refused("locklapse run empty", 65, "empty: no scenario in it");
  expect_refused("locklapse draw bad.yaml", 65, "bad.yaml:1:19:");
  expect_refused("locklapse matrix bad.yaml", 65, "bad.yaml:1:19:");
  expect_refused("locklapse list scenarios", 65, "scenarios: cannot be opened");
  expect_refused("locklapse run good.yaml --set lock.tll=1s", 65,
                 "--set lock.tll=1s: lock: unknown key 'tll'");
  // Every file's errors at once, and nothing is run.
  const Ran ran = shell("locklapse run good.yaml bad.yaml worse.yaml");
  EXPECT_EQ(ran.status, 65);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("bad.yaml:1:19:"), std::string::npos);
  EXPECT_NE(ran.err.find("worse.yaml:1:1:"), std::string::npos);
}

TEST_F(StatusTest, HelpIsDataAndHasExamples) {
  for (const char* verb : {"", "run", "draw", "matrix", "list"}) {
    const Ran ran = shell(std::string("locklapse ") + verb + " --help");
    EXPECT_EQ(ran.status, 0) << verb;
    EXPECT_EQ(ran.err, "") << verb;
    EXPECT_NE(ran.out.find("Examples:\n  locklapse " + std::string(verb)), std::string::npos)
        << ran.out;
  }
  const Ran version = shell("locklapse --version");
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.out.rfind("locklapse ", 0), 0u) << version.out;
}

}  // namespace
}  // namespace locklapse::cli
