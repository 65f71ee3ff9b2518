#include "sim/core/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <string>
#include <vector>

namespace locklapse {
namespace {

TEST(Arena, HandsOutAlignedBlocksOneAfterTheOther) {
  Arena arena;
  auto* a = static_cast<std::byte*>(arena.take(1));
  auto* b = static_cast<std::byte*>(arena.take(17));
  auto* c = static_cast<std::byte*>(arena.take(32));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a) % 16, 0u);
  EXPECT_EQ(b, a + 16);
  EXPECT_EQ(c, b + 32);
  EXPECT_EQ(arena.used_bytes(), 80u);
}

TEST(Arena, GivesEmptyRequestsABlockOfTheirOwn) {
  Arena arena;
  EXPECT_NE(arena.take(0), arena.take(0));
}

TEST(Arena, ReusesBlocksLastInFirstOut) {
  Arena arena;
  void* a = arena.take(100);
  void* b = arena.take(100);
  void* c = arena.take(100);
  arena.give_back(a, 100);
  arena.give_back(c, 100);
  arena.give_back(b, 100);
  EXPECT_EQ(arena.take(100), b);
  EXPECT_EQ(arena.take(100), c);
  EXPECT_EQ(arena.take(100), a);
}

TEST(Arena, ReusesABlockForItsOwnSizeClassOnly) {
  Arena arena;
  void* small = arena.take(64);
  arena.give_back(small, 64);
  EXPECT_NE(arena.take(65), small);
  EXPECT_NE(arena.take(48), small);
  EXPECT_EQ(arena.take(49), small);
}

TEST(Arena, RoundsLargeBlocksUpToPowersOfTwo) {
  Arena arena;
  void* large = arena.take(1'025);
  EXPECT_EQ(arena.used_bytes(), 2'048u);
  arena.give_back(large, 1'025);
  EXPECT_EQ(arena.take(2'048), large);
  EXPECT_NE(arena.take(1'024), large);
}

TEST(Arena, StartsAnewAfterReset) {
  Arena arena;
  void* first = arena.take(200);
  arena.take(5'000);
  void* freed = arena.take(200);
  arena.give_back(freed, 200);
  arena.reset();
  EXPECT_EQ(arena.used_bytes(), 0u);
  // Neither the old top nor the old free list is remembered.
  EXPECT_EQ(arena.take(200), first);
  EXPECT_NE(arena.take(200), freed);
}

TEST(Arena, GivesTheSameAddressesForTheSameCalls) {
  Arena arena;
  const auto play = [&] {
    std::vector<void*> taken;
    std::pmr::vector<std::pmr::string> words(&arena);
    for (int i = 0; i < 200; ++i) {
      words.emplace_back(std::string(static_cast<std::size_t>(i * 7 % 90), 'x'));
      if (i % 3 == 2) words.erase(words.begin());
      taken.push_back(words.back().data());
    }
    return taken;
  };
  const std::vector<void*> once = play();
  arena.reset();
  EXPECT_EQ(play(), once);
}

TEST(Arena, IsAMemoryResourceForStandardContainers) {
  Arena arena;
  {
    std::pmr::vector<int> numbers(&arena);
    for (int i = 0; i < 10'000; ++i) numbers.push_back(i);
    EXPECT_TRUE(arena.contains(numbers.data()));
    EXPECT_EQ(numbers[9'999], 9'999);
  }
  int outside = 0;
  EXPECT_FALSE(arena.contains(&outside));
}

TEST(Arena, IsRestoredByCopyingItsBytesBack) {
  // What makes a snapshot of a world a memcpy: pointers inside stay valid, the address is fixed.
  Arena arena;
  auto* number = static_cast<int*>(arena.take(sizeof(int)));
  auto** pointer = static_cast<int**>(arena.take(sizeof(int*)));
  *number = 1;
  *pointer = number;
  std::vector<std::byte> snapshot(arena.used_bytes());
  std::memcpy(snapshot.data(), number, snapshot.size());
  *number = 2;
  *pointer = nullptr;
  std::memcpy(static_cast<void*>(number), snapshot.data(), snapshot.size());
  EXPECT_EQ(*number, 1);
  EXPECT_EQ(**pointer, 1);
}

TEST(Arena, IsTheCurrentOneWithinAScope) {
  EXPECT_EQ(Arena::current(), nullptr);
  Arena outer;
  Arena inner;
  {
    Arena::Use use_outer(outer);
    EXPECT_EQ(Arena::current(), &outer);
    {
      Arena::Use use_inner(inner);
      EXPECT_EQ(Arena::current(), &inner);
    }
    EXPECT_EQ(Arena::current(), &outer);
  }
  EXPECT_EQ(Arena::current(), nullptr);
}

TEST(ArenaDeathTest, EndsTheProgramWithStatus70WhenARunOutgrowsItsReserve) {
  EXPECT_EXIT(
      {
        Arena arena(std::size_t{1} << 16);
        for (;;) arena.take(1'000);
      },
      testing::ExitedWithCode(70), "outgrew its memory reserve");
}

TEST(ArenaDeathTest, EndsTheProgramWithStatus70OnAnAbsurdRequest) {
  EXPECT_EXIT(
      {
        Arena arena(std::size_t{1} << 16);
        arena.take(~std::size_t{0} / 2);
      },
      testing::ExitedWithCode(70), "outgrew its memory reserve");
}

#if defined(__SANITIZE_ADDRESS__)
TEST(ArenaDeathTest, ReportsTheUseOfAFreedBlockUnderAddressSanitizer) {
  EXPECT_DEATH(
      {
        Arena arena;
        auto* block = static_cast<volatile int*>(arena.take(64));
        arena.give_back(const_cast<int*>(block), 64);
        block[8] = 1;
      },
      "use-after-poison");
}
#endif

}  // namespace
}  // namespace locklapse
