#include "sim/core/journal.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/core/arena.h"

namespace locklapse {
namespace {

TEST(Journal, KeepsEventsInTheOrderInWhichTheyWereWritten) {
  Arena arena;
  Journal journal(arena);
  for (int i = 0; i < 1'000; ++i) {
    Event event{};
    event.at = Time{i / 3};
    event.kind = EventKind::kAttempt;
    event.number = i;
    journal.add(event);
  }
  ASSERT_EQ(journal.events().size(), 1'000u);
  for (int i = 0; i < 1'000; ++i) EXPECT_EQ(journal.events()[static_cast<std::size_t>(i)].number, i);
}

TEST(Journal, CopiesTextIntoTheMemoryOfTheRun) {
  Arena arena;
  Journal journal(arena);
  std::string_view kept;
  {
    const std::string passing = "lock:order:123";
    kept = journal.keep(passing);
    EXPECT_NE(kept.data(), passing.data());
  }
  EXPECT_EQ(kept, "lock:order:123");
  EXPECT_TRUE(arena.contains(kept.data()));
  EXPECT_TRUE(journal.keep("").empty());
}

}  // namespace
}  // namespace locklapse
