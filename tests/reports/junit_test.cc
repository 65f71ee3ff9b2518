#include "reports/junit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/golden/golden.h"
#include "tests/reports/story.h"

namespace locklapse::reports {
namespace {

TEST(JUnit, OneSuitePerScenarioAndOneCasePerStrategyAndGuard) {
  auto late = late_delete_story();
  auto crowd = crowd_story();
  auto quiet = quiet_story();
  const std::vector<RunReport> runs = {late->report(), crowd->report(), quiet->report()};
  expect_golden("three-runs.junit.xml", junit_xml(runs));
}

TEST(JUnit, AViolationThatWasExpectedPasses) {
  auto story = late_delete_story();
  EXPECT_EQ(junit_xml({&story->report(), 1}).find("<failure"), std::string::npos);
}

TEST(JUnit, AViolationOfWhichNothingWasExpectedFails) {
  auto story = late_delete_story();
  story->run.as_expected.reset();
  EXPECT_NE(junit_xml({&story->report(), 1}).find("<failure"), std::string::npos);
}

TEST(JUnit, ADemonstrationOfWhichNothingWasExpectedIsSkipped) {
  auto story = late_delete_story();
  story->run.as_expected.reset();
  story->run.demonstration = true;
  const std::string xml = junit_xml({&story->report(), 1});
  EXPECT_EQ(xml.find("<failure"), xml.npos);
  EXPECT_NE(xml.find("<skipped message=\"nothing is expected of it; outcome: violated\"/>"), xml.npos);
  EXPECT_NE(xml.find("skipped=\"1\""), xml.npos);
}

TEST(JUnit, WhatNoRealServerCanPlayIsSkippedWithTheReason) {
  auto story = late_delete_story();
  story->run.as_expected = false;
  story->run.confirmation = {Agreement::kNotRunnable, "it has no <brakes", {}};
  const std::string xml = junit_xml({&story->report(), 1});
  EXPECT_NE(xml.find("<skipped message=\"not runnable on a real redis-server: it has no &#60;brakes\"/>"), xml.npos)
      << xml;
  EXPECT_EQ(xml.find("<failure"), xml.npos);
}

TEST(JUnit, WhatARealServerPlaysOtherwiseFailsThoughAsExpected) {
  auto story = late_delete_story();
  story->run.confirmation = {Agreement::kDisagreeing, {}, {"redis says safe; the model says violated", "more"}};
  const std::string xml = junit_xml({&story->report(), 1});
  EXPECT_NE(xml.find("<failure message=\"redis says safe; the model says violated\""), xml.npos);
  EXPECT_NE(xml.find("\nmore\n"), xml.npos);
}

TEST(JUnit, AnUnknownRunIsAnError) {
  auto story = every_kind_story();
  const std::string xml = junit_xml({&story->report(), 1});
  EXPECT_NE(xml.find("<error message=\"every event once is no run\""), xml.npos);
  EXPECT_NE(xml.find("errors=\"1\""), xml.npos);
}

TEST(JUnit, HostileNamesStayInsideTheirAttributes) {
  auto story = hostile_story();
  const std::string xml = junit_xml({&story->report(), 1});
  expect_golden("hostile.junit.xml", xml);
  EXPECT_EQ(xml.find("<script"), xml.npos);
  EXPECT_EQ(xml.find("<b>"), xml.npos);
  EXPECT_TRUE(std::all_of(xml.begin(), xml.end(), [](char c) {
    return c == '\n' || static_cast<unsigned char>(c) >= 0x20;
  }));
}

}  // namespace
}  // namespace locklapse::reports
