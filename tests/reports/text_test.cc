#include "reports/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reports/display_width.h"
#include "tests/golden/golden.h"
#include "tests/reports/story.h"

namespace locklapse::reports {
namespace {

constexpr TextStyle kPlain80{.colour = false, .unicode = true, .width = 80};
constexpr TextStyle kAscii80{.colour = false, .unicode = false, .width = 80};
constexpr TextStyle kColour100{.colour = true, .unicode = true, .width = 100};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Text, DrawsTheLateDelete) {
  expect_golden("late-delete.txt", draw_text(late_delete_story()->report(), kPlain80));
}
TEST(Text, DrawsTheLateDeleteInPureAscii) {
  expect_golden("late-delete.ascii.txt", draw_text(late_delete_story()->report(), kAscii80));
}
TEST(Text, DrawsTheLateDeleteInColour) {
  expect_golden("late-delete.colour.txt", draw_text(late_delete_story()->report(), kColour100));
}
TEST(Text, DrawsTwelveClientsInNarrowLanesWithALegend) {
  expect_golden("crowd.txt", draw_text(crowd_story()->report(), kPlain80));
}
TEST(Text, DrawsHostileNames) {
  expect_golden("hostile.txt", draw_text(hostile_story()->report(), kPlain80));
}
TEST(Text, DrawsEveryKindOfEvent) {
  expect_golden("every-kind.txt", draw_text(every_kind_story()->report(), kPlain80));
}
TEST(Text, ShortFormHasNoPicture) {
  expect_golden("late-delete.run.txt", run_text(late_delete_story()->report(), kPlain80));
}

TEST(Text, SaysWhetherARealServerDoesTheSame) {
  const auto text_with = [](const Confirmation& confirmation) {
    auto story = late_delete_story();
    story->run.confirmation = confirmation;
    return run_text(story->report(), {.colour = false, .unicode = true, .width = 200});
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_FALSE(contains(run_text(late_delete_story()->report(), kPlain80), "real redis-server"));
  EXPECT_TRUE(contains(text_with({Agreement::kConfirmed, {}, {}}),
                       "(as expected), on a real redis-server as in the model\n"));
  const std::string not_runnable = text_with({Agreement::kNotRunnable, "none is installed", {}});
  EXPECT_TRUE(contains(not_runnable, "(as expected), in the model only\n"));
  EXPECT_TRUE(contains(not_runnable, "  not runnable on a real redis-server: none is installed\n"));
  const std::string disagreeing = text_with({Agreement::kDisagreeing, {}, {"one\x1b", "two"}});
  EXPECT_TRUE(contains(disagreeing, "on a real redis-server; the model DISAGREES\n"));
  EXPECT_TRUE(contains(disagreeing, "  disagreement: two\n"));
  EXPECT_FALSE(contains(disagreeing, "\x1b"));
}

TEST(Text, NoLineIsWiderThanAskedExceptTheLast) {
  for (const int width : {60, 80, 100, 200}) {
    for (const auto& story :
         {late_delete_story(), crowd_story(), hostile_story(), every_kind_story()}) {
      for (const bool unicode : {true, false}) {
        const TextStyle style{.colour = false, .unicode = unicode, .width = width};
        std::vector<std::string> lines = lines_of(draw_text(story->report(), style));
        lines.pop_back();
        for (const std::string& line : lines) EXPECT_LE(display_width(line), width) << line;
      }
    }
  }
}

TEST(Text, AHostileNameCannotReachTheTerminal) {
  const std::string text = draw_text(hostile_story()->report(), kPlain80);
  for (const char c : text) {
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << static_cast<int>(c);
  }
  EXPECT_EQ(text.find("\u202e"), text.npos);
  EXPECT_EQ(text.find("\x9b"), text.npos);
}

TEST(Text, AsciiIsAsciiEvenWhenNamesAreNot) {
  const std::string text = draw_text(hostile_story()->report(), kAscii80);
  EXPECT_TRUE(std::all_of(text.begin(), text.end(),
                          [](char c) { return static_cast<unsigned char>(c) < 0x7f; }));
}

TEST(Text, ColourOnlyWhenAskedAndThenOnlyAroundTheSameText) {
  auto story = late_delete_story();
  TextStyle style{.colour = false, .unicode = true, .width = 100};
  EXPECT_EQ(draw_text(story->report(), style).find('\x1b'), std::string::npos);
  style.colour = true;
  const std::string coloured = run_text(story->report(), style);
  std::string stripped;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      i = coloured.find('m', i);
    } else {
      stripped += coloured[i];
    }
  }
  style.colour = false;
  EXPECT_EQ(stripped, run_text(story->report(), style));
}

TEST(Text, TheLastLineIsForGrep) {
  auto story = late_delete_story();
  const RunReport& run = story->report();
  const std::vector<std::string> lines = lines_of(run_text(run, kPlain80));
  EXPECT_EQ(lines.back() + "\n", grep_line(run));
  EXPECT_TRUE(
      lines.back().starts_with("scenario=late-delete strategy=set-del guard=none seed=1 "
                               "outcome=violated overlaps=2 unowned=1 "
                               "stuck=0 damage=0 as_expected=yes hash="));
}

TEST(Text, TheLineForGrepHasTenWordsWhateverTheNames) {
  const std::string line = grep_line(hostile_story()->report());
  EXPECT_EQ(std::count(line.begin(), line.end(), ' '), 10);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
}

TEST(Text, AVeryLongRunIsThinnedOutAndSaysSo) {
  auto story = late_delete_story();
  for (int i = 0; i < 2'000; ++i) {
    story->add(Time{60'000'000'000LL + i * 1'000'000LL}, EventKind::kWritten, 0, "o", {}, i).place =
        0;
  }
  const std::string text = draw_text(story->report(), kPlain80);
  EXPECT_NE(text.find("steps left out: the run is long."), text.npos);
  EXPECT_NE(text.find("OVERLAP 2"), text.npos);
}

TEST(Text, ManyClientsLoseLanesButNotTheOnesThatMatter) {
  auto story = std::make_unique<Story>();
  for (int i = 0; i < 60; ++i) story->add_client("worker-" + std::to_string(i));
  story->acquire(57, Time{});
  story->leave_and_delete(57, Time{1'000'000'000}, 57);
  story->verdict.told.push_back({57, Time{}, {}});
  const std::string text = draw_text(story->report(), kPlain80);
  EXPECT_NE(text.find("clients without a lane"), text.npos);
  EXPECT_NE(text.find("#58 = worker-57"), text.npos);
}

TEST(Text, AnEmptyHistoryIsDrawnToo) {
  Story story;
  story.run.scenario = "empty";
  EXPECT_TRUE(draw_text(story.report(), kPlain80).ends_with("\n"));
}

TEST(Text, ARunCutShortSaysSo) {
  auto story = quiet_story();
  History cut = *story->report().history;
  cut.complete = false;
  story->run.history = &cut;
  EXPECT_NE(draw_text(story->run, kPlain80).find("The run was cut short"), std::string::npos);
}

}  // namespace
}  // namespace locklapse::reports
