#include "sim/world/guard.h"

#include <gtest/gtest.h>

namespace locklapse {
namespace {

TEST(Guard, EveryListedGuardIsUnderstood) {
  for (const GuardInfo& guard : all_guards()) EXPECT_TRUE(parse_guard(guard.name)) << guard.name;
}

TEST(Guard, GuardsCombineWithAPlus) {
  const auto guard = parse_guard("fence+idempotent");
  ASSERT_TRUE(guard);
  EXPECT_TRUE(guard->fence);
  EXPECT_TRUE(guard->idempotent);
  EXPECT_FALSE(guard->version);
}

TEST(Guard, UnknownRepeatedOrHalfCombinationsAreRefused) {
  for (const char* text : {"", "fences", "fence+", "+fence", "fence+fence", "none+fence", "fence idempotent"}) {
    EXPECT_FALSE(parse_guard(text)) << text;
  }
}

}  // namespace
}  // namespace locklapse
