#include "sim/core/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <utility>
#include <vector>

#include "sim/core/arena.h"
#include "sim/core/random.h"

namespace locklapse {
namespace {

// A kernel and the numbers that callbacks leave behind.
class KernelTest : public testing::Test {
 public:
  static void note(void* log, std::uint64_t number) {
    static_cast<std::vector<std::uint64_t>*>(log)->push_back(number);
  }
  Timer note_at(std::int64_t at_ns, std::uint64_t number, Gate* gate = nullptr) {
    return kernel_.at(Time{at_ns}, gate, &note, &log_, number);
  }
  Timer note_now(std::uint64_t number, Gate* gate = nullptr) {
    return kernel_.post(gate, &note, &log_, number);
  }
  // Opens or closes a gate at a given time.
  void open_at(std::int64_t at_ns, Gate& gate) {
    kernel_.at(Time{at_ns}, nullptr, [](void* g, std::uint64_t) { static_cast<Gate*>(g)->open(); },
               &gate);
  }
  void close_at(std::int64_t at_ns, Gate& gate) {
    kernel_.at(Time{at_ns}, nullptr, [](void* g, std::uint64_t) { static_cast<Gate*>(g)->close(); },
               &gate);
  }
  std::vector<std::uint64_t> run(std::int64_t until_ns = 1'000'000) {
    kernel_.run(Time{until_ns});
    return std::exchange(log_, {});
  }

  using Numbers = std::vector<std::uint64_t>;
  Arena arena_;
  Kernel kernel_{arena_};
  std::vector<std::uint64_t> log_;
};

// --- Order -------------------------------------------------------------------------------------

TEST_F(KernelTest, RunsCallbacksByTimeThenByOrderOfAsking) {
  note_at(20, 1);
  note_at(10, 2);
  note_at(20, 3);
  note_at(10, 4);
  EXPECT_EQ(run(), (Numbers{2, 4, 1, 3}));
  EXPECT_EQ(kernel_.steps(), 4u);
}

TEST_F(KernelTest, StopsTheClockAtEachCallbackAndAtTheEnd) {
  note_at(10, 0);
  note_at(25, 0);
  EXPECT_TRUE(kernel_.step(Time{100}));
  EXPECT_EQ(kernel_.now(), Time{10});
  EXPECT_FALSE(kernel_.step(Time{20}));
  EXPECT_EQ(kernel_.now(), Time{20});
  EXPECT_TRUE(kernel_.step(Time{25}));
  EXPECT_EQ(kernel_.now(), Time{25});
  EXPECT_FALSE(kernel_.step(Time{100}));
  EXPECT_EQ(kernel_.now(), Time{100});
}

TEST_F(KernelTest, NeverTurnsTheClockBack) {
  kernel_.run(Time{50});
  EXPECT_FALSE(kernel_.step(Time{10}));
  EXPECT_EQ(kernel_.now(), Time{50});
}

TEST_F(KernelTest, RunsWhatIsOverdueNowAndAfterWhatIsAlreadyDue) {
  kernel_.run(Time{50});
  note_now(1);
  note_at(30, 2);
  note_at(50, 3);
  note_now(4);
  EXPECT_EQ(run(50), (Numbers{1, 2, 3, 4}));
}

TEST_F(KernelTest, RunsWhatWasPlannedForAnInstantBeforeWhatIsPostedInIt) {
  note_at(10, 1);
  kernel_.at(
      Time{10}, nullptr,
      [](void* test, std::uint64_t) { static_cast<KernelTest*>(test)->note_now(3); }, this);
  note_at(10, 2);
  EXPECT_EQ(run(), (Numbers{1, 2, 3}));
}

TEST_F(KernelTest, AgreesWithASortedListOnManyTimers) {
  Random random(2, 0);
  std::vector<std::pair<std::int64_t, std::uint64_t>> expected;
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    const std::int64_t at_ns = 1 + random.below(3'000);
    note_at(at_ns, i);
    expected.emplace_back(at_ns, i);
  }
  std::sort(expected.begin(), expected.end());
  const Numbers numbers = run();
  ASSERT_EQ(numbers.size(), expected.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], expected[i].second);
}

TEST_F(KernelTest, ReachesTheEndOfTime) {
  const std::int64_t end_ns = std::numeric_limits<std::int64_t>::max();
  note_at(end_ns, 1);
  EXPECT_EQ(run(end_ns - 1), Numbers{});
  EXPECT_EQ(run(end_ns), Numbers{1});
}

TEST_F(KernelTest, IsIdleWhenNothingIsPending) {
  EXPECT_TRUE(kernel_.idle());
  note_at(10, 0);
  EXPECT_FALSE(kernel_.idle());
  run();
  EXPECT_TRUE(kernel_.idle());
  kernel_.cancel(note_now(0));
  EXPECT_TRUE(kernel_.idle());
}

TEST_F(KernelTest, DoesNotGrowOverALongChainAtOneInstant) {
  struct Chain {
    Kernel& kernel;
    int left;
    static void go(void* self, std::uint64_t) {
      auto* chain = static_cast<Chain*>(self);
      if (chain->left-- > 0) chain->kernel.post(nullptr, &go, chain);
    }
  } chain{kernel_, 100'000};
  // Two links under way, so that something is due at every moment.
  kernel_.post(nullptr, &Chain::go, &chain);
  kernel_.post(nullptr, &Chain::go, &chain);
  run();
  EXPECT_LE(chain.left, 0);
  EXPECT_LT(arena_.used_bytes(), 4'096u);
}

// --- Cancellation ------------------------------------------------------------------------------

TEST_F(KernelTest, DoesNotRunWhatWasCancelled) {
  const Timer planned = note_at(10, 1);
  const Timer due = note_now(2);
  note_at(10, 3);
  kernel_.cancel(planned);
  kernel_.cancel(due);
  EXPECT_EQ(run(), Numbers{3});
  EXPECT_EQ(kernel_.steps(), 1u);
}

TEST_F(KernelTest, IgnoresTheCancellationOfStaleTimers) {
  const Timer ran = note_at(10, 1);
  run(10);
  // The slot of `ran` is used again: cancelling `ran` must not touch the new one.
  const Timer next = note_at(20, 2);
  EXPECT_EQ(next.slot, ran.slot);
  kernel_.cancel(ran);
  kernel_.cancel(ran);
  kernel_.cancel(Timer{});
  EXPECT_FALSE(kernel_.idle());
  EXPECT_EQ(run(), Numbers{2});
}

TEST_F(KernelTest, LetsACallbackCancelAnotherOfTheSameInstant) {
  struct Cancel {
    Kernel& kernel;
    Timer victim;
  } cancel{kernel_, {}};
  kernel_.at(
      Time{10}, nullptr,
      [](void* c, std::uint64_t) {
        auto* self = static_cast<Cancel*>(c);
        self->kernel.cancel(self->victim);
      },
      &cancel);
  cancel.victim = note_at(10, 1);
  note_at(10, 2);
  EXPECT_EQ(run(), Numbers{2});
}

TEST_F(KernelTest, CompactsItsQueueWhenStaleEntriesOutnumberLiveOnes) {
  // A command and its timeout, many times over: nearly every timeout is cancelled.
  std::size_t queued_max = 0;
  note_at(1'000'000'000, 1);
  for (int i = 0; i < 100'000; ++i) {
    kernel_.cancel(note_at(900'000'000 + i, 0));
    queued_max = std::max(queued_max, kernel_.queued());
  }
  EXPECT_LE(queued_max, 200u);
  EXPECT_EQ(run(2'000'000'000), Numbers{1});
  EXPECT_EQ(kernel_.queued(), 0u);
}

TEST_F(KernelTest, KeepsTheOrderOverCompactions) {
  Random random(5, 0);
  std::vector<std::pair<std::int64_t, std::uint64_t>> expected;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const std::int64_t at_ns = 1 + random.below(1'000'000) * std::int64_t{1'000};
    const Timer timer = note_at(at_ns, i);
    if (random.below(10) < 8) {
      kernel_.cancel(timer);
    } else {
      expected.emplace_back(at_ns, i);
    }
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_LE(kernel_.queued(), 2 * expected.size() + 64);
  const Numbers numbers = run(1'000'000'000);
  ASSERT_EQ(numbers.size(), expected.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], expected[i].second);
  EXPECT_TRUE(kernel_.idle());
}

// Counts what is asked of the heap.
class CountingResource final : public std::pmr::memory_resource {
 public:
  std::size_t allocations = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++allocations;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

TEST(Kernel, AllocatesNothingPerEventAtItsWorkingSize) {
  CountingResource memory;
  Kernel kernel(memory);
  struct Client {
    Kernel& kernel;
    Timer timeout;
    static void go(void* self, std::uint64_t) {
      auto* client = static_cast<Client*>(self);
      client->kernel.cancel(client->timeout);
      client->timeout = client->kernel.at(client->kernel.now() + seconds(30), nullptr, &go, client);
      client->kernel.at(client->kernel.now() + milliseconds(1), nullptr, &go, client);
    }
  };
  std::vector<Client> clients(500, Client{kernel, {}});
  for (Client& client : clients) kernel.post(nullptr, &Client::go, &client);
  // The queue's shape repeats with the bits of the time, so warm it up over some of its periods.
  kernel.run(Time{seconds(2).ns});
  const std::size_t warm = memory.allocations;
  kernel.run(Time{seconds(4).ns});
  EXPECT_EQ(memory.allocations, warm);
}

// --- Gates -------------------------------------------------------------------------------------

TEST_F(KernelTest, HoldsBackWhatIsAddressedToAClosedGateUntilItOpens) {
  Gate process(kernel_, arena_);
  close_at(5, process);
  note_at(10, 1, &process);
  note_at(11, 2);
  note_at(12, 3, &process);
  open_at(20, process);
  note_at(30, 4, &process);
  EXPECT_EQ(run(15), Numbers{2});
  EXPECT_EQ(run(20), (Numbers{1, 3}));
  EXPECT_EQ(kernel_.now(), Time{20});
  EXPECT_EQ(run(), Numbers{4});
}

TEST_F(KernelTest, RunsWhatWaitedAtAGateBeforeWhatIsDueAsItOpens) {
  Gate process(kernel_, arena_);
  process.close();
  note_at(10, 1, &process);
  open_at(20, process);
  note_at(20, 2, &process);  // due at the very instant of waking
  note_at(20, 3);
  EXPECT_EQ(run(), (Numbers{1, 2, 3}));
}

TEST_F(KernelTest, NeedsAnOpeningForEveryClosing) {
  Gate process(kernel_, arena_);
  process.close();
  process.close();
  note_now(1, &process);
  process.open();
  EXPECT_FALSE(process.is_open());
  EXPECT_EQ(run(10), Numbers{});
  process.open();
  EXPECT_TRUE(process.is_open());
  EXPECT_EQ(run(20), Numbers{1});
  process.open();  // one too many does nothing
  process.close();
  EXPECT_FALSE(process.is_open());
}

TEST_F(KernelTest, IsIdleWhileEverythingWaitsAtAGate) {
  Gate process(kernel_, arena_);
  process.close();
  const Timer kept = note_at(10, 1, &process);
  const Timer cancelled = note_at(10, 2, &process);
  run(10);
  EXPECT_TRUE(kernel_.idle());
  kernel_.cancel(cancelled);
  EXPECT_TRUE(kernel_.idle());
  process.open();
  EXPECT_FALSE(kernel_.idle());
  EXPECT_EQ(run(10), Numbers{1});
  EXPECT_TRUE(kernel_.idle());
  kernel_.cancel(kept);
  EXPECT_TRUE(kernel_.idle());
}

TEST_F(KernelTest, DoesNotCountWhatWaitsAtAGateAsAStep) {
  Gate process(kernel_, arena_);
  process.close();
  note_at(10, 1, &process);
  EXPECT_FALSE(kernel_.step(Time{20}));
  EXPECT_EQ(kernel_.now(), Time{20});
  EXPECT_EQ(kernel_.steps(), 0u);
}

TEST_F(KernelTest, StopsAThreadByItsOwnGateOrThatOfItsProcess) {
  Gate process(kernel_, arena_);
  Gate thread(kernel_, arena_, &process);
  Gate sibling(kernel_, arena_, &process);
  thread.close();
  EXPECT_TRUE(process.is_open());
  EXPECT_TRUE(sibling.is_open());
  EXPECT_FALSE(thread.is_open());
  thread.open();
  process.close();
  EXPECT_FALSE(thread.is_open());
  EXPECT_FALSE(sibling.is_open());
  note_at(1, 1, &thread);
  note_at(2, 2, &sibling);
  note_at(3, 3, &process);
  EXPECT_EQ(run(10), Numbers{});
  process.open();
  EXPECT_EQ(run(20), (Numbers{1, 2, 3}));
}

TEST_F(KernelTest, KeepsTheOrderFromAnOuterGateToAnInnerOne) {
  Gate process(kernel_, arena_);
  Gate thread(kernel_, arena_, &process);
  process.close();
  note_at(1, 1, &thread);  // waits at the process
  close_at(2, thread);
  note_at(3, 2, &thread);  // waits at the thread
  open_at(4, process);     // the first now waits at the thread too, in front of the second
  note_at(5, 3, &thread);
  EXPECT_EQ(run(6), Numbers{});
  thread.open();
  EXPECT_EQ(run(10), (Numbers{1, 2, 3}));
}

TEST_F(KernelTest, KeepsTheOrderFromAnInnerGateToAnOuterOne) {
  Gate process(kernel_, arena_);
  Gate thread(kernel_, arena_, &process);
  thread.close();
  note_at(1, 1, &thread);
  close_at(2, process);
  note_at(3, 2, &thread);
  open_at(4, thread);
  note_at(5, 3, &thread);
  EXPECT_EQ(run(6), Numbers{});
  process.open();
  EXPECT_EQ(run(10), (Numbers{1, 2, 3}));
}

TEST_F(KernelTest, HoldsBackAgainWhatAGateLetGoWhenItClosesAtOnce) {
  Gate process(kernel_, arena_);
  process.close();
  note_at(1, 1, &process);
  note_at(2, 2, &process);
  run(5);
  process.open();
  process.close();
  EXPECT_EQ(run(10), Numbers{});
  note_at(11, 3, &process);
  run(12);
  process.open();
  EXPECT_EQ(run(20), (Numbers{1, 2, 3}));
}

TEST_F(KernelTest, ResetsAGateHoweverOftenItWasClosed) {
  Gate process(kernel_, arena_);
  for (int i = 0; i < 3; ++i) process.close();
  note_at(1, 1, &process);
  const Timer of_the_crashed = note_at(2, 2, &process);
  run(5);
  kernel_.cancel(of_the_crashed);
  process.reset();
  EXPECT_TRUE(process.is_open());
  EXPECT_EQ(run(10), Numbers{1});
}

TEST_F(KernelTest, CancelsWhatWaitsAtAGateAndWhatItJustLetGo) {
  Gate process(kernel_, arena_);
  process.close();
  const Timer waiting = note_at(1, 1, &process);
  const Timer let_go = note_at(2, 2, &process);
  note_at(3, 3, &process);
  run(5);
  kernel_.cancel(waiting);
  process.open();
  kernel_.cancel(let_go);
  EXPECT_EQ(run(10), Numbers{3});
  EXPECT_TRUE(kernel_.idle());
}

}  // namespace
}  // namespace locklapse
