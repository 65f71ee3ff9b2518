#include "reports/mermaid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/golden/golden.h"
#include "tests/reports/story.h"

namespace locklapse::reports {
namespace {

std::vector<std::string> statements(const std::string& diagram) {
  std::vector<std::string> list;
  std::istringstream stream(diagram);
  for (std::string line; std::getline(stream, line);) {
    list.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  }
  return list;
}

bool starts_with_any(const std::string& line, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return line.starts_with(start); });
}

TEST(Mermaid, DrawsTheLateDelete) {
  expect_golden("late-delete.mmd", mermaid_diagram(late_delete_story()->report()));
}
TEST(Mermaid, DrawsHostileNames) {
  expect_golden("hostile.mmd", mermaid_diagram(hostile_story()->report()));
}
TEST(Mermaid, DrawsACrowdWithACrash) {
  expect_golden("crowd.mmd", mermaid_diagram(crowd_story()->report()));
}

TEST(Mermaid, RectanglesAndActivationsAreBalanced) {
  for (const auto& story : {late_delete_story(), hostile_story(), crowd_story()}) {
    int depth = 0;
    std::vector<std::string> active;
    for (const std::string& line : statements(mermaid_diagram(story->report()))) {
      if (line.starts_with("rect ")) ++depth;
      if (line == "end") --depth;
      EXPECT_TRUE(depth == 0 || depth == 1) << line;
      if (line.starts_with("activate ")) active.push_back(line.substr(9));
      if (!line.starts_with("deactivate ")) continue;
      const auto found = std::find(active.begin(), active.end(), line.substr(11));
      ASSERT_NE(found, active.end()) << line;
      active.erase(found);
    }
    EXPECT_EQ(depth, 0);
  }
}

TEST(Mermaid, AHostileNameIsNoStatement) {
  for (const std::string& line : statements(mermaid_diagram(hostile_story()->report()))) {
    EXPECT_TRUE(line == "end" || line == "sequenceDiagram" ||
                starts_with_any(line, {"participant c", "participant n", "Note over ", "c0-", "c1-",
                                       "c2-", "n0-", "rect rgb(", "activate c", "deactivate c"}))
        << line;
    for (const char* bad : {"<", "\"", "%%", "`"}) EXPECT_EQ(line.find(bad), line.npos) << line;
  }
}

TEST(Mermaid, EveryHashAndSemicolonBelongsToAnEntityCode) {
  const std::string text = mermaid_diagram(hostile_story()->report());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ';') ADD_FAILURE() << "a bare semicolon at " << i;
    if (text[i] != '#') continue;
    const std::size_t end = text.find_first_not_of("0123456789", i + 1);
    ASSERT_TRUE(end > i + 1 && text[end] == ';') << text.substr(i, 20);
    i = end;
  }
}

TEST(Mermaid, AVeryLongRunStaysBelowTheLimitAndSaysWhatIsMissing) {
  auto story = late_delete_story();
  for (int i = 0; i < 3'000; ++i) {
    story->add(Time{60'000'000'000LL + i * 1'000'000LL}, EventKind::kEntered, 0, "t");
    story->add(Time{60'000'000'000LL + i * 1'000'000LL}, EventKind::kLeft, 0, "done");
  }
  const std::string text = mermaid_diagram(story->report());
  EXPECT_LT(text.size(), kMermaidBytesMax);
  EXPECT_NE(text.find("steps left out to keep the diagram small"), text.npos);
  EXPECT_NE(text.find("OVERLAP 1"), text.npos);
}

TEST(Mermaid, RefusalsOfASpinningWaiterAreOneNote) {
  const std::string text = mermaid_diagram(late_delete_story()->report());
  EXPECT_NE(text.find("C tries and is refused 5 times, every 1.002 s"), text.npos);
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find("c2->>n0", at)) != text.npos; ++at) ++count;
  EXPECT_EQ(count, 3U) << "the first refused SET, the granted SET, the DEL";
}

TEST(Mermaid, AnEmptyHistoryIsStillADiagram) {
  Story story;
  EXPECT_EQ(mermaid_diagram(story.report()), "sequenceDiagram\n  participant n0 as redis\n");
}

}  // namespace
}  // namespace locklapse::reports
