#include "sim/core/task.h"

#include <gtest/gtest.h>

#include <coroutine>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/arena.h"
#include "sim/core/kernel.h"

namespace locklapse {
namespace {

// Remembers that a task ended.
class Ended final : public Completion {
 public:
  std::coroutine_handle<> on_completed() noexcept override {
    ++times_;
    return std::noop_coroutine();
  }
  int times() const { return times_; }

 private:
  int times_ = 0;
};

class TaskTest : public testing::Test {
 protected:
  Arena arena_;
  Arena::Use use_{arena_};
  Kernel kernel_{arena_};
  Ended ended_;
};

Task<int> number(int n) { co_return n; }

Task<int> later(Kernel& kernel, Duration delay, int n) {
  co_await kernel.sleep(nullptr, delay);
  co_return n;
}

Task<> append(std::vector<int>& log, int n) {
  log.push_back(n);
  co_return;
}

TEST_F(TaskTest, StartsWhenItIsAwaitedAndNotBefore) {
  std::vector<int> log;
  const auto body = [](std::vector<int>& l) -> Task<> {
    Task<> second = append(l, 2);
    l.push_back(1);
    co_await std::move(second);
    l.push_back(3);
  };
  Task<> task = body(log);
  EXPECT_TRUE(log.empty());
  EXPECT_FALSE(task.done());
  task.start(ended_);
  EXPECT_EQ(log, (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(task.done());
  EXPECT_EQ(ended_.times(), 1);
}

TEST_F(TaskTest, YieldsItsResult) {
  const auto body = [](Kernel& kernel) -> Task<int> {
    const int a = co_await number(40);
    const int b = co_await later(kernel, seconds(1), 2);
    co_return a + b;
  };
  Task<int> task = body(kernel_);
  task.start(ended_);
  EXPECT_FALSE(task.done());
  kernel_.run(Time{seconds(1).ns});
  ASSERT_TRUE(task.done());
  EXPECT_EQ(task.take_result(), 42);
}

TEST_F(TaskTest, YieldsResultsThatCanOnlyBeMoved) {
  const auto body = []() -> Task<std::unique_ptr<std::string>> {
    co_return std::make_unique<std::string>("token");
  };
  Task<std::unique_ptr<std::string>> task = body();
  task.start(ended_);
  EXPECT_EQ(*task.take_result(), "token");
}

TEST_F(TaskTest, YieldsResultsWithoutADefault) {
  struct Fence {
    explicit Fence(int n) : value(n) {}
    int value;
  };
  const auto body = []() -> Task<Fence> { co_return Fence(7); };
  Task<Fence> task = body();
  task.start(ended_);
  EXPECT_EQ(task.take_result().value, 7);
}

TEST_F(TaskTest, IsMovedNotCopied) {
  Task<int> first = number(1);
  Task<int> second = std::move(first);
  EXPECT_FALSE(first);
  EXPECT_TRUE(second);
  first = number(2);
  second = std::move(first);
  second.start(ended_);
  EXPECT_EQ(second.take_result(), 2);
  EXPECT_FALSE(Task<>{});
  EXPECT_FALSE(Task<>{}.done());
}

TEST_F(TaskTest, ResumesThroughManyLevels) {
  struct Nest {
    static Task<int> down(Kernel& kernel, int levels) {
      if (levels == 0) co_return co_await later(kernel, seconds(1), 0);
      const int below = co_await down(kernel, levels - 1);
      co_return below + 1;
    }
  };
  Task<int> task = Nest::down(kernel_, 500);
  task.start(ended_);
  kernel_.run(Time{seconds(1).ns});
  EXPECT_EQ(task.take_result(), 500);
}

TEST_F(TaskTest, LoopsOverTasksThatEndAtOnceWithoutGrowingTheStack) {
  // Where the compiler makes no tail call of a transfer, each round would leave frames behind.
  const auto body = [](int rounds) -> Task<long> {
    long sum = 0;
    for (int i = 0; i < rounds; ++i) {
      const int n = co_await number(1);
      sum += n;
    }
    co_return sum;
  };
  Task<long> task = body(1'000'000);
  task.start(ended_);
  EXPECT_EQ(task.take_result(), 1'000'000);
}

TEST_F(TaskTest, LoopsOverTasksThatTakeTimeWithoutGrowingTheStack) {
  const auto body = [](Kernel& kernel, int rounds) -> Task<long> {
    long sum = 0;
    for (int i = 0; i < rounds; ++i) {
      const int n = co_await later(kernel, nanoseconds(i % 2), 1);
      sum += n;
    }
    co_return sum;
  };
  Task<long> task = body(kernel_, 200'000);
  task.start(ended_);
  kernel_.run(Time{seconds(1).ns});
  EXPECT_EQ(task.take_result(), 200'000);
}

// Not inlined, or clang would see the frame's whole life and not allocate it at all.
[[gnu::noinline]] Task<int> allocated(int n) { co_return n; }

TEST_F(TaskTest, TakesItsFrameFromTheCurrentArenaAndGivesItBack) {
  const std::size_t used_bytes = arena_.used_bytes();
  { const Task<int> task = allocated(1); }
  const std::size_t with_one_frame = arena_.used_bytes();
  EXPECT_GT(with_one_frame, used_bytes);
  for (int i = 0; i < 1'000; ++i) {
    const Task<int> task = allocated(i);
  }
  EXPECT_EQ(arena_.used_bytes(), with_one_frame);
}

TEST(Task, TakesItsFrameFromTheHeapWithoutAnArena) {
  ASSERT_EQ(Arena::current(), nullptr);
  Ended ended;
  Task<int> task = number(5);
  task.start(ended);
  EXPECT_EQ(task.take_result(), 5);
}

// --- Cancellation ------------------------------------------------------------------------------

// Notes that it was destroyed.
class Witness {
 public:
  explicit Witness(int& destroyed) : destroyed_(destroyed) {}
  ~Witness() { ++destroyed_; }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

 private:
  int& destroyed_;
};

Task<> sleeper(Kernel& kernel, Gate* gate, int& destroyed, int& woken) {
  const Witness witness(destroyed);
  co_await kernel.sleep(gate, seconds(10));
  ++woken;
}

Task<> parent_of_sleeper(Kernel& kernel, Gate* gate, int& destroyed, int& woken) {
  const Witness witness(destroyed);
  co_await sleeper(kernel, gate, destroyed, woken);
}

TEST_F(TaskTest, CancelsItsTimersWhenItIsDestroyed) {
  int destroyed = 0;
  int woken = 0;
  Task<> task = parent_of_sleeper(kernel_, nullptr, destroyed, woken);
  task.start(ended_);
  kernel_.run(Time{seconds(5).ns});
  EXPECT_FALSE(kernel_.idle());
  task.reset();
  EXPECT_EQ(destroyed, 2);
  EXPECT_TRUE(kernel_.idle());
  kernel_.run(Time{seconds(20).ns});
  EXPECT_EQ(woken, 0);
  EXPECT_EQ(ended_.times(), 0);
}

TEST_F(TaskTest, CancelsATimerThatWaitsAtAClosedGate) {
  Gate process(kernel_, arena_);
  int destroyed = 0;
  int woken = 0;
  Task<> task = parent_of_sleeper(kernel_, &process, destroyed, woken);
  task.start(ended_);
  process.close();
  kernel_.run(Time{seconds(15).ns});
  task.reset();
  process.reset();
  kernel_.run(Time{seconds(20).ns});
  EXPECT_EQ(destroyed, 2);
  EXPECT_EQ(woken, 0);
}

TEST_F(TaskTest, IsCancelledByBeingAssignedTo) {
  int destroyed = 0;
  int woken = 0;
  Task<> task = parent_of_sleeper(kernel_, nullptr, destroyed, woken);
  task.start(ended_);
  task = sleeper(kernel_, nullptr, destroyed, woken);
  EXPECT_EQ(destroyed, 2);
  EXPECT_TRUE(kernel_.idle());
  task.start(ended_);
  kernel_.run(Time{seconds(10).ns});
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(ended_.times(), 1);
}

TEST_F(TaskTest, DestroysArgumentsOfATaskThatNeverStarted) {
  int destroyed = 0;
  const auto body = [](std::unique_ptr<Witness> witness) -> Task<> {
    co_await std::suspend_always();
    witness.reset();
  };
  { const Task<> task = body(std::make_unique<Witness>(destroyed)); }
  EXPECT_EQ(destroyed, 1);
}

TEST_F(TaskTest, SleepsNoLongerThanTimeLasts) {
  int destroyed = 0;
  const auto body = [](Kernel& kernel, int& witness) -> Task<> {
    co_await kernel.sleep(nullptr, seconds(1));
    const std::int64_t longest_ns = std::numeric_limits<std::int64_t>::max();
    co_await kernel.sleep(nullptr, nanoseconds(longest_ns));
    ++witness;
  };
  Task<> task = body(kernel_, destroyed);
  task.start(ended_);
  kernel_.run(Time{std::numeric_limits<std::int64_t>::max() - 1});
  EXPECT_FALSE(task.done());
}

TEST_F(TaskTest, SleepsZeroAsATurnInTheOrderOfTheInstant) {
  std::vector<int> log;
  const auto body = [](Kernel& kernel, std::vector<int>& l, int n) -> Task<> {
    l.push_back(n);
    co_await kernel.sleep(nullptr, seconds(0));
    l.push_back(n + 10);
    co_await kernel.sleep(nullptr, -seconds(1));
    l.push_back(n + 20);
  };
  Task<> first = body(kernel_, log, 1);
  Task<> second = body(kernel_, log, 2);
  first.start(ended_);
  second.start(ended_);
  kernel_.run(Time{});
  EXPECT_EQ(log, (std::vector<int>{1, 2, 11, 12, 21, 22}));
  EXPECT_EQ(kernel_.now(), Time{});
}

}  // namespace
}  // namespace locklapse
