#include "sim/core/fifo.h"

#include <gtest/gtest.h>

#include <deque>

#include "sim/core/arena.h"
#include "sim/core/random.h"

namespace locklapse {
namespace {

TEST(Fifo, YieldsWhatCameFirst) {
  Arena arena;
  Fifo<int> fifo(arena);
  EXPECT_TRUE(fifo.empty());
  fifo.push(1);
  fifo.push(2);
  EXPECT_EQ(fifo.pop(), 1);
  fifo.push(3);
  EXPECT_EQ(fifo.pop(), 2);
  EXPECT_EQ(fifo.pop(), 3);
  EXPECT_TRUE(fifo.empty());
}

TEST(Fifo, AgreesWithADequeWhileItGrowsAndTurns) {
  Arena arena;
  Fifo<int> fifo(arena);
  std::deque<int> model;
  Random random(4, 0);
  for (int i = 0; i < 20'000; ++i) {
    if (model.empty() || random.below(100) < (i / 2'000 % 2 == 0 ? 60u : 40u)) {
      fifo.push(i);
      model.push_back(i);
    } else {
      ASSERT_EQ(fifo.pop(), model.front());
      model.pop_front();
    }
    ASSERT_EQ(fifo.size(), model.size());
  }
}

TEST(Fifo, DoesNotGrowWithUseAlone) {
  Arena arena;
  Fifo<int> fifo(arena);
  fifo.push(0);
  const std::size_t used_bytes = arena.used_bytes();
  for (int i = 0; i < 100'000; ++i) {
    fifo.push(i);
    fifo.pop();
  }
  EXPECT_EQ(arena.used_bytes(), used_bytes);
}

}  // namespace
}  // namespace locklapse
