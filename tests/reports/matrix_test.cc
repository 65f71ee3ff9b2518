#include "reports/matrix.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/display_width.h"
#include "tests/golden/golden.h"
#include "tests/reports/story.h"

namespace locklapse::reports {
namespace {

constexpr TextStyle kPlain100{.colour = false, .unicode = true, .width = 100};

// Outcomes that differ from cell to cell, so that columns that slip are seen.
class Grid {
 public:
  Grid(int scenarios, std::initializer_list<const char*> strategies,
       std::initializer_list<const char*> guards) {
    int number = 0;
    for (int s = 1; s <= scenarios; ++s) {
      for (const char* guard : guards) {
        for (const char* strategy : strategies) add(s, strategy, guard, number++);
      }
    }
  }

  std::vector<RunReport> runs() const {
    std::vector<RunReport> list;
    for (const auto& story : stories_) list.push_back(story->report());
    return list;
  }

 private:
  void add(int scenario, const char* strategy, const char* guard, int number) {
    auto story = number % 3 == 1 ? late_delete_story() : quiet_story();
    story->run.scenario = fmt::format("scenario-{:02}-of-a-lock", scenario);
    story->run.strategy = strategy;
    story->run.guard = guard;
    story->run.as_expected = number % 7 != 0;
    Verdict& v = story->verdict;
    if (number % 5 == 0) {
      v.outcome = Outcome::kViolated;
      v.stuck.push_back({"k", {}, {}, Cause::kStuckNoTtl, {}, ""});
    }
    if (number % 11 == 0) v.damage.push_back({DamageKind::kOversell, 0, {}, "", {}});
    if (number % 13 == 12) v.outcome = Outcome::kNotExercised;
    stories_.push_back(std::move(story));
  }

  std::vector<std::unique_ptr<Story>> stories_;
};

const std::initializer_list<const char*> kNine = {"set-del",          "set-get-del", "set-lua",
                                                  "setnx-expire",     "set-xx",      "watchdog",
                                                  "watchdog-unowned", "reentrant",   "fenced"};

TEST(Matrix, NineStrategiesAndTwentyScenariosFitAHundredColumns) {
  const std::string text = matrix_text(Grid(20, kNine, {"none"}).runs(), kPlain100);
  expect_golden("matrix.txt", text);
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) EXPECT_LE(display_width(line), 100) << line;
}

TEST(Matrix, FewStrategiesAreToldInWords) {
  const Grid grid(4, {"set-del", "set-lua", "fenced"}, {"none", "fence"});
  expect_golden("matrix.words.txt", matrix_text(grid.runs(), kPlain100));
}

TEST(Matrix, AsciiHasNothingElse) {
  TextStyle style = kPlain100;
  style.unicode = false;
  for (const char c : matrix_text(Grid(5, kNine, {"none"}).runs(), style)) {
    ASSERT_LT(static_cast<unsigned char>(c), 0x7f);
  }
}

TEST(Matrix, MarkdownHasOneColumnPerStrategy) {
  expect_golden("matrix.md",
                matrix_markdown(Grid(3, {"set-del", "set-lua"}, {"none", "fence"}).runs()));
}

TEST(Matrix, JsonHasEveryCell) {
  const std::string text = matrix_json(Grid(2, {"set-del", "set-lua"}, {"none"}).runs());
  const auto json = nlohmann::json::parse(text, nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["strategies"], nlohmann::json({"set-del", "set-lua"}));
  ASSERT_EQ(json["matrix"].size(), 2U);
  EXPECT_EQ(json["matrix"][0]["cells"][1]["outcome"], "violated");
  EXPECT_EQ(json["matrix"][0]["cells"][1]["overlaps"], 2);
  EXPECT_EQ(json["matrix"][0]["cells"][1]["causes"],
            nlohmann::json({"ttl-overrun", "unowned-delete"}));
}

TEST(Matrix, OfTwoRunsOfOneCellTheWorseShows) {
  auto quiet = quiet_story();
  auto late = late_delete_story();
  quiet->run.scenario = late->run.scenario = "same";
  quiet->run.strategy = late->run.strategy = "set-del";
  const std::vector<RunReport> runs = {quiet->report(), late->report(), quiet->report()};
  EXPECT_NE(matrix_text(runs, kPlain100).find("2 overlaps"), std::string::npos);
}

TEST(Matrix, ACellWithoutARunIsEmpty) {
  auto quiet = quiet_story();
  auto late = late_delete_story();
  const std::vector<RunReport> runs = {quiet->report(), late->report()};
  EXPECT_NE(matrix_markdown(runs).find("| `late-delete` | - |"), std::string::npos);
}

TEST(Matrix, HostileNamesAreEscapedInEveryForm) {
  auto story = hostile_story();
  const std::span<const RunReport> runs(&story->report(), 1);
  EXPECT_EQ(matrix_text(runs, kPlain100).find('\x1b'), std::string::npos);
  EXPECT_EQ(matrix_markdown(runs).find('\x1b'), std::string::npos);
  EXPECT_EQ(matrix_json(runs).find('\x1b'), std::string::npos);
}

TEST(Matrix, NoRunsIsSaid) { EXPECT_EQ(matrix_text({}, kPlain100), "no runs\n"); }

}  // namespace
}  // namespace locklapse::reports
