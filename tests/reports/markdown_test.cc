#include "reports/markdown.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/golden/golden.h"
#include "tests/reports/story.h"

namespace locklapse::reports {
namespace {

TEST(Markdown, IsAShortTableWithTheMismatchesBelow) {
  auto late = late_delete_story();
  auto crowd = crowd_story();
  auto quiet = quiet_story();
  const std::vector<RunReport> runs = {late->report(), crowd->report(), quiet->report()};
  expect_golden("three-runs.md", markdown_table(runs));
}

TEST(Markdown, ListsWhatNoRealServerHasConfirmed) {
  auto confirmed = quiet_story();
  auto not_runnable = quiet_story();
  auto disagreeing = quiet_story();
  confirmed->run.confirmation = {Agreement::kConfirmed, {}, {}};
  not_runnable->run.confirmation = {Agreement::kNotRunnable, "why", {}};
  disagreeing->run.confirmation = {Agreement::kDisagreeing, {}, {"this", "that"}};
  const std::vector<RunReport> runs = {confirmed->report(), not_runnable->report(), disagreeing->report()};
  const std::string text = markdown_table(runs);
  EXPECT_NE(text.find("\nConfirmed by a real redis-server: 1.\n\n"
                      "- `quiet` `set-lua` `none`: not runnable: `why`\n"
                      "- `quiet` `set-lua` `none`: `this`\n"
                      "- `quiet` `set-lua` `none`: `that`\n"),
            text.npos)
      << text;
}

TEST(Markdown, HostileNamesOpenNoCellAndNoMarkup) {
  auto story = hostile_story();
  const std::string text = markdown_table({&story->report(), 1});
  expect_golden("hostile.md", text);
  std::istringstream stream(text);
  std::string line;
  std::getline(stream, line);
  std::getline(stream, line);
  std::getline(stream, line);
  int bars = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '|' && (i == 0 || line[i - 1] != '\\')) ++bars;
  }
  EXPECT_EQ(bars, 8) << line;
}

}  // namespace
}  // namespace locklapse::reports
