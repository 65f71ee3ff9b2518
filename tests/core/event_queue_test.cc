// The ladder queue against std::multimap, which keeps equal keys in order of insertion.
#include "sim/core/event_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <memory_resource>
#include <string>
#include <vector>

#include "sim/core/arena.h"
#include "sim/core/random.h"

namespace locklapse {
namespace {

constexpr std::int64_t kEndOfTime = std::numeric_limits<std::int64_t>::max();

// A queue and a multimap that get the same pushes and must give the same pops.
class Pair {
 public:
  explicit Pair(std::pmr::memory_resource& memory) : queue_(memory) {}

  void push(std::int64_t at_ns) {
    const auto id = static_cast<std::uint32_t>(pushed_++);
    queue_.push({at_ns, id, 7});
    model_.emplace(at_ns, id);
  }
  void pop() {
    ASSERT_FALSE(queue_.empty());
    const EventQueue::Entry entry = queue_.pop();
    const auto expected = model_.begin();
    ASSERT_EQ(entry.at_ns, expected->first);
    ASSERT_EQ(entry.slot, expected->second);
    ASSERT_EQ(entry.generation, 7u);
    now_ns_ = entry.at_ns;
    model_.erase(expected);
    ASSERT_EQ(queue_.size(), model_.size());
  }
  void pop_all() {
    while (!model_.empty()) ASSERT_NO_FATAL_FAILURE(pop());
    ASSERT_TRUE(queue_.empty());
  }
  // next(until) must agree with the model, and must not disturb what follows.
  void look(std::int64_t until_ns) {
    const EventQueue::Entry* next = queue_.next(until_ns);
    const bool expected = !model_.empty() && model_.begin()->first <= until_ns;
    ASSERT_EQ(next != nullptr, expected);
    if (expected) {
      ASSERT_EQ(next->slot, model_.begin()->second);
    }
  }
  // Removes the entries whose id leaves `remainder` when divided by `divisor`.
  void remove(std::uint32_t divisor, std::uint32_t remainder) {
    struct Rule {
      std::uint32_t divisor, remainder;
    } const rule{divisor, remainder};
    queue_.remove_if(
        [](const void* context, const EventQueue::Entry& entry) {
          const auto& r = *static_cast<const Rule*>(context);
          return entry.slot % r.divisor == r.remainder;
        },
        &rule);
    std::erase_if(model_, [&](const auto& e) { return e.second % divisor == remainder; });
    ASSERT_EQ(queue_.size(), model_.size());
  }

  std::int64_t now_ns() const { return now_ns_; }
  std::size_t size() const { return model_.size(); }

 private:
  EventQueue queue_;
  std::multimap<std::int64_t, std::uint32_t> model_;
  std::uint64_t pushed_ = 0;
  std::int64_t now_ns_ = 0;
};

TEST(EventQueue, YieldsEntriesByTime) {
  Arena arena;
  EventQueue queue(arena);
  for (const std::int64_t at : {30, 10, 20}) queue.push({at, static_cast<std::uint32_t>(at), 0});
  EXPECT_EQ(queue.size(), 3u);
  EXPECT_EQ(queue.top().at_ns, 10);
  EXPECT_EQ(queue.pop().slot, 10u);
  EXPECT_EQ(queue.pop().slot, 20u);
  EXPECT_EQ(queue.pop().slot, 30u);
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, YieldsTiesInTheOrderInWhichTheyWerePushed) {
  Arena arena;
  Pair pair(arena);
  for (int i = 0; i < 1'000; ++i) pair.push(i % 3);
  pair.pop_all();
}

TEST(EventQueue, MakesAnEmptyQueueWithoutTouchingMemory) {
  Arena arena;
  EventQueue queue(arena);
  EXPECT_EQ(arena.used_bytes(), 0u);
  EXPECT_EQ(queue.next(kEndOfTime), nullptr);
}

TEST(EventQueue, KeepsAFewEntriesInOneSmallArray) {
  Arena arena;
  EventQueue queue(arena);
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < 48; ++i) queue.push({round * 1'000'000 + 100 - i, 0, 0});
    for (int i = 0; i < 48; ++i) queue.pop();
  }
  EXPECT_LE(arena.used_bytes(), 1'024u);
}

TEST(EventQueue, ReachesTheEndOfTime) {
  Arena arena;
  Pair pair(arena);
  for (int i = 0; i < 200; ++i) {
    pair.push(kEndOfTime - i % 3);
    pair.push(std::int64_t{1} << (i % 63));
    pair.push(0);
  }
  pair.pop_all();
  pair.push(kEndOfTime);
  pair.pop_all();
}

TEST(EventQueue, LooksNoFurtherThanAsked) {
  Arena arena;
  Pair pair(arena);
  for (int i = 0; i < 500; ++i) pair.push(1'000'000'000 + i * 1'000);
  pair.look(0);
  pair.look(999'999'999);
  // What is pushed in front of the crowd after looking in vain comes first.
  for (int i = 0; i < 500; ++i) pair.push(500'000 - i);
  pair.look(499'999);
  pair.look(kEndOfTime);
  pair.pop_all();
}

TEST(EventQueue, StaysInOrderWhenPushedBeforeWhatWasLookedAt) {
  Arena arena;
  Pair pair(arena);
  for (int i = 0; i < 300; ++i) pair.push(1'000'000'000 + std::int64_t{i} * 10'000'000);
  pair.look(kEndOfTime);
  for (int i = 0; i < 300; ++i) {
    pair.push(1'000'000 - i * 1'000);
    if (i % 7 == 0) pair.look(kEndOfTime);
  }
  pair.pop_all();
}

TEST(EventQueue, SurvivesAFloodOfTiesThatGrowsWhileItIsServed) {
  Arena arena;
  Pair pair(arena);
  for (int i = 0; i < 20'000; ++i) pair.push(5'000);
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_NO_FATAL_FAILURE(pair.pop());
    pair.push(5'000);
    pair.push(5'001);
  }
  pair.pop_all();
}

TEST(EventQueue, RemovesWhatIsStaleFromEveryPart) {
  Arena arena;
  Random random(3, 0);
  Pair pair(arena);
  for (std::uint32_t divisor = 2; divisor < 9; ++divisor) {
    for (int i = 0; i < 3'000; ++i) {
      pair.push(pair.now_ns() + static_cast<std::int64_t>(random.next() >> (20 + i % 40)));
    }
    for (int i = 0; i < 20; ++i) ASSERT_NO_FATAL_FAILURE(pair.pop());
    pair.remove(divisor, 1);
    for (int i = 0; i < 500; ++i) ASSERT_NO_FATAL_FAILURE(pair.pop());
  }
  pair.remove(1, 0);
  EXPECT_EQ(pair.size(), 0u);
  pair.push(pair.now_ns());
  pair.pop_all();
}

TEST(EventQueue, UsesItsMemoryAgain) {
  Arena arena;
  EventQueue queue(arena);
  std::size_t used_bytes = 0;
  for (std::int64_t round = 0; round < 50; ++round) {
    for (int i = 0; i < 5'000; ++i) queue.push({(round << 24) + i * 997 % 1'000'003, 0, 0});
    while (!queue.empty()) queue.pop();
    if (round == 4) used_bytes = arena.used_bytes();
  }
  EXPECT_EQ(arena.used_bytes(), used_bytes);
}

TEST(EventQueue, ReturnsAllItsMemory) {
  // A heap that ends the test under AddressSanitizer's leak check if the queue keeps anything.
  EventQueue queue(*std::pmr::new_delete_resource());
  for (int i = 0; i < 5'000; ++i) queue.push({std::int64_t{i} * 12'345'678, 0, 0});
  for (int i = 0; i < 2'000; ++i) queue.pop();
}

// Delays of one shape; what a simulation asks for is some mixture of these.
std::int64_t draw_delay(Random& random, int shape) {
  switch (shape) {
    case 0: return random.below(4);                                          // ties
    case 1: return 1'000'000 * random.below(5);                              // coarse latencies
    case 2: return random.below(2) == 0 ? 200'000 : 30'000'000'000;          // latency and TTL
    case 3: return static_cast<std::int64_t>(random.next() >> random.below(64) >> 1);  // any size
    case 4: return random.below(1'000'000);                                  // spread
    default: return 0;                                                       // one flood
  }
}

class EventQueueProperty : public testing::TestWithParam<int> {};

TEST_P(EventQueueProperty, AgreesWithAMultimapOnRandomInterleavings) {
  const int shape = GetParam();
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Arena arena;
    Random random(seed, static_cast<std::uint64_t>(shape));
    Pair pair(arena);
    for (int i = 0; i < 8'000; ++i) {
      const std::uint32_t action = random.below(100);
      // Phases of growth and of decline, so that sizes from 0 to thousands are met.
      const std::uint32_t push_share = (i / 1'000) % 2 == 0 ? 65 : 35;
      if (action < push_share || pair.size() == 0) {
        const int mixed = shape == 6 ? static_cast<int>(random.below(6)) : shape;
        const std::int64_t delay = draw_delay(random, mixed);
        pair.push(delay > kEndOfTime - pair.now_ns() ? kEndOfTime : pair.now_ns() + delay);
      } else if (action < 97) {
        ASSERT_NO_FATAL_FAILURE(pair.pop());
      } else if (action < 99) {
        const auto ahead = static_cast<std::int64_t>(random.below(3'000'000));
        const bool to_end = ahead > kEndOfTime - pair.now_ns() || random.below(4) == 0;
        ASSERT_NO_FATAL_FAILURE(pair.look(to_end ? kEndOfTime : pair.now_ns() + ahead));
      } else if (random.below(20) == 0) {
        ASSERT_NO_FATAL_FAILURE(pair.remove(3, random.below(3)));
      }
    }
    pair.pop_all();
  }
}

INSTANTIATE_TEST_SUITE_P(DelayShapes, EventQueueProperty, testing::Range(0, 7));

}  // namespace
}  // namespace locklapse
