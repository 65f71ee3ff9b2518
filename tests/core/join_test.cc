#include "sim/core/join.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "sim/core/arena.h"

namespace locklapse {
namespace {

class Ended final : public Completion {
 public:
  std::coroutine_handle<> on_completed() noexcept override { return std::noop_coroutine(); }
};

// Runs one task to its end on a kernel, with a log that its children write.
class JoinTest : public testing::Test {
 public:
  // Child number `n`: says when it starts, sleeps, says when it ends (or is destroyed).
  Task<int> child(int n, Duration length) {
    const Farewell farewell(*this, n);
    say("start", n);
    if (length > Duration{}) co_await kernel_.sleep(nullptr, length);
    say("end", n);
    co_return n;
  }
  Task<> quiet(Duration length) { co_await kernel_.sleep(nullptr, length); }

  template <typename T>
  T run(Task<T> task) {
    Ended ended;
    task.start(ended);
    while (!task.done() && kernel_.step(Time{seconds(100).ns})) {
    }
    EXPECT_TRUE(task.done());
    return task.take_result();
  }
  void say(const char* what, int n) {
    if (!log_.empty()) log_ += ' ';
    log_ += what;
    log_ += std::to_string(n);
  }

  struct Farewell {
    Farewell(JoinTest& t, int number) : test(t), n(number) {}
    ~Farewell() { test.say("gone", n); }
    JoinTest& test;
    int n;
  };

  Arena arena_;
  Arena::Use use_{arena_};
  Kernel kernel_{arena_};
  std::string log_;
};

// --- when_all ----------------------------------------------------------------------------------

TEST_F(JoinTest, WhenAllYieldsEveryResultWhenTheLastIsThere) {
  const auto body = [](JoinTest& t) -> Task<int> {
    Task<int> a = t.child(1, seconds(3));
    Task<int> b = t.child(2, seconds(1));
    Task<> c = t.quiet(seconds(2));
    const auto results = co_await when_all(std::move(a), std::move(b), std::move(c));
    co_return std::get<0>(results) * 10 + std::get<1>(results);
  };
  EXPECT_EQ(run(body(*this)), 12);
  EXPECT_EQ(kernel_.now(), Time{seconds(3).ns});
  EXPECT_EQ(log_, "start1 start2 end2 gone2 end1 gone1");
}

TEST_F(JoinTest, WhenAllGoesOnAtOnceWhenAllChildrenEndAtOnce) {
  const auto body = [](JoinTest& t) -> Task<int> {
    Task<int> a = t.child(1, {});
    Task<int> b = t.child(2, {});
    const auto results = co_await when_all(std::move(a), std::move(b));
    co_return std::get<0>(results) + std::get<1>(results);
  };
  EXPECT_EQ(run(body(*this)), 3);
  EXPECT_EQ(kernel_.now(), Time{});
  EXPECT_EQ(kernel_.steps(), 0u);
}

TEST_F(JoinTest, WhenAllWaitsForTheOneThatDoesNotEndAtOnce) {
  const auto body = [](JoinTest& t) -> Task<int> {
    Task<int> a = t.child(1, {});
    Task<int> b = t.child(2, seconds(1));
    Task<int> c = t.child(3, {});
    const auto results = co_await when_all(std::move(a), std::move(b), std::move(c));
    co_return std::get<2>(results);
  };
  EXPECT_EQ(run(body(*this)), 3);
  EXPECT_EQ(kernel_.now(), Time{seconds(1).ns});
}

TEST_F(JoinTest, WhenAllMovesResultsThatCanOnlyBeMoved) {
  const auto make = [](int n) -> Task<std::unique_ptr<int>> { co_return std::make_unique<int>(n); };
  const auto body = [](Task<std::unique_ptr<int>> a) -> Task<int> {
    auto results = co_await when_all(std::move(a));
    co_return *std::get<0>(results);
  };
  EXPECT_EQ(run(body(make(9))), 9);
}

TEST_F(JoinTest, WhenAllCancelsItsChildrenWhenItIsCancelled) {
  const auto body = [](JoinTest& t) -> Task<int> {
    Task<int> a = t.child(1, seconds(1));
    Task<int> b = t.child(2, seconds(2));
    co_await when_all(std::move(a), std::move(b));
    co_return 0;
  };
  Ended ended;
  Task<int> task = body(*this);
  task.start(ended);
  kernel_.run(Time{milliseconds(1'500).ns});
  task.reset();
  EXPECT_TRUE(kernel_.idle());
  EXPECT_EQ(log_, "start1 start2 end1 gone1 gone2");
}

// --- when_any ----------------------------------------------------------------------------------

TEST_F(JoinTest, WhenAnyYieldsTheFirstAndCancelsTheOthersBeforeItGoesOn) {
  const auto body = [](JoinTest& t) -> Task<int> {
    Task<int> a = t.child(1, seconds(3));
    Task<int> b = t.child(2, seconds(1));
    Task<int> c = t.child(3, seconds(2));
    const auto results = co_await when_any(std::move(a), std::move(b), std::move(c));
    t.say("on", 0);
    EXPECT_FALSE(std::get<0>(results));
    EXPECT_FALSE(std::get<2>(results));
    co_return std::get<1>(results).value();
  };
  EXPECT_EQ(run(body(*this)), 2);
  EXPECT_EQ(kernel_.now(), Time{seconds(1).ns});
  EXPECT_EQ(log_, "start1 start2 start3 end2 gone2 gone1 gone3 on0");
  EXPECT_TRUE(kernel_.idle());
}

TEST_F(JoinTest, WhenAnyGivesATieToTheChildThatAskedFirst) {
  for (const bool first_asks_first : {true, false}) {
    const auto body = [](JoinTest& t, bool swapped) -> Task<int> {
      Task<int> a = t.child(1, seconds(1));
      Task<int> b = t.child(2, seconds(1));
      if (swapped) std::swap(a, b);
      const auto results = co_await when_any(std::move(a), std::move(b));
      EXPECT_NE(std::get<0>(results).has_value(), std::get<1>(results).has_value());
      co_return std::get<0>(results).value();
    };
    EXPECT_EQ(run(body(*this, !first_asks_first)), first_asks_first ? 1 : 2);
  }
}

TEST_F(JoinTest, WhenAnyGivesATieToTheEventTheKernelRanFirstWhateverTheArgumentOrder) {
  const auto late_asker = [](JoinTest& t) -> Task<int> {
    co_await t.kernel_.sleep(nullptr, seconds(1));
    co_await t.kernel_.sleep(nullptr, seconds(1));  // asked for at 1 s
    co_return 1;
  };
  const auto body = [](JoinTest& t, Task<int> late) -> Task<int> {
    Task<int> early = t.child(2, seconds(2));  // asked for at 0 s
    const auto results = co_await when_any(std::move(late), std::move(early));
    EXPECT_FALSE(std::get<0>(results));
    co_return std::get<1>(results).value();
  };
  EXPECT_EQ(run(body(*this, late_asker(*this))), 2);
}

TEST_F(JoinTest, WhenAnyStartsNoMoreChildrenOnceOneHasEnded) {
  const auto body = [](JoinTest& t) -> Task<int> {
    Task<int> a = t.child(1, seconds(1));
    Task<int> b = t.child(2, {});
    Task<int> c = t.child(3, {});
    const auto results = co_await when_any(std::move(a), std::move(b), std::move(c));
    EXPECT_FALSE(std::get<0>(results));
    EXPECT_FALSE(std::get<2>(results));
    co_return std::get<1>(results).value();
  };
  EXPECT_EQ(run(body(*this)), 2);
  EXPECT_EQ(kernel_.now(), Time{});
  EXPECT_EQ(log_, "start1 start2 end2 gone2 gone1");
  EXPECT_TRUE(kernel_.idle());
}

TEST_F(JoinTest, WhenAnyYieldsMonostateForATaskWithoutAResult) {
  const auto body = [](JoinTest& t) -> Task<bool> {
    Task<> a = t.quiet(seconds(1));
    Task<int> b = t.child(2, seconds(2));
    const auto results = co_await when_any(std::move(a), std::move(b));
    co_return std::get<0>(results) == std::optional<std::monostate>(std::monostate{});
  };
  EXPECT_TRUE(run(body(*this)));
}

TEST_F(JoinTest, WhenAnyNestsInWhenAll) {
  const auto race = [](JoinTest& t, int n) -> Task<int> {
    Task<int> slow = t.child(n, seconds(9));
    Task<int> fast = t.child(n + 1, seconds(n));
    const auto results = co_await when_any(std::move(slow), std::move(fast));
    co_return std::get<1>(results).value();
  };
  const auto body = [](Task<int> a, Task<int> b) -> Task<int> {
    const auto results = co_await when_all(std::move(a), std::move(b));
    co_return std::get<0>(results) * 10 + std::get<1>(results);
  };
  Task<int> first = race(*this, 3);
  Task<int> second = race(*this, 1);
  EXPECT_EQ(run(body(std::move(first), std::move(second))), 42);
  EXPECT_EQ(kernel_.now(), Time{seconds(3).ns});
  EXPECT_TRUE(kernel_.idle());
}

TEST_F(JoinTest, WhenAnyLoopsWithoutGrowingTheStack) {
  const auto body = [](JoinTest& t, int rounds) -> Task<int> {
    int wins = 0;
    for (int i = 0; i < rounds; ++i) {
      Task<> a = t.quiet(nanoseconds(2));
      Task<> b = t.quiet(nanoseconds(i % 3));
      const auto results = co_await when_any(std::move(a), std::move(b));
      wins += std::get<0>(results) ? 1 : 0;
    }
    co_return wins;
  };
  EXPECT_EQ(run(body(*this, 90'000)), 30'000);
}

// --- within ------------------------------------------------------------------------------------

TEST_F(JoinTest, WithinYieldsTheResultThatComesInTime) {
  EXPECT_EQ(run(within(kernel_, nullptr, seconds(2), child(1, seconds(1)))), 1);
  EXPECT_EQ(kernel_.now(), Time{seconds(1).ns});
  EXPECT_TRUE(kernel_.idle());
}

TEST_F(JoinTest, WithinCancelsWhatComesTooLate) {
  EXPECT_EQ(run(within(kernel_, nullptr, seconds(2), child(1, seconds(3)))), std::nullopt);
  EXPECT_EQ(kernel_.now(), Time{seconds(2).ns});
  EXPECT_EQ(log_, "start1 gone1");
  EXPECT_TRUE(kernel_.idle());
}

TEST_F(JoinTest, WithinCountsAResultAtTheVeryLimitAsInTime) {
  // The task asked the kernel before the limit was set, so its event comes first.
  EXPECT_EQ(run(within(kernel_, nullptr, seconds(2), child(1, seconds(2)))), 1);
}

TEST_F(JoinTest, WithinWorksForATaskWithoutAResult) {
  EXPECT_TRUE(run(within(kernel_, nullptr, seconds(2), quiet(seconds(1)))).has_value());
  EXPECT_FALSE(run(within(kernel_, nullptr, seconds(2), quiet(seconds(3)))).has_value());
}

TEST_F(JoinTest, WithinIsOverAtOnceWhenTheTaskIs) {
  EXPECT_EQ(run(within(kernel_, nullptr, seconds(2), child(1, {}))), 1);
  EXPECT_EQ(kernel_.steps(), 0u);
}

TEST_F(JoinTest, WithinWaitsAtAClosedGateLikeItsProcess) {
  Gate process(kernel_, arena_);
  const auto reply = [](Kernel& kernel, Gate* gate) -> Task<int> {
    co_await kernel.sleep(gate, seconds(1));
    co_return 1;
  };
  Task<std::optional<int>> task = within(kernel_, &process, seconds(2), reply(kernel_, &process));
  Ended ended;
  task.start(ended);
  process.close();
  kernel_.run(Time{seconds(5).ns});
  EXPECT_FALSE(task.done());
  process.open();
  kernel_.run(Time{seconds(5).ns});
  // Both were due while the process slept; the reply was due first.
  EXPECT_EQ(task.take_result(), 1);
}

}  // namespace
}  // namespace locklapse
