#include "sim/locks/contender.h"

#include <gtest/gtest.h>

#include "tests/locks/lock_world.h"

namespace locklapse {
namespace {

Action pause(PlaceId process, Duration length) {
  Action action;
  action.kind = Action::Kind::kPause;
  action.target = process;
  action.length = length;
  return action;
}

// A holds for 10 s under a long TTL, B waits as it is told to.
struct Waiting {
  explicit Waiting(const RetryPlan& retry, std::string_view strategy = "set-lua") : world(strategy) {
    ContenderPlan holder = world.plan(Duration{}, seconds(10));
    holder.ttl_ms = 60'000;
    world.contender("A", holder, 0);
    ContenderPlan waiter = world.plan(seconds(1), milliseconds(10));
    waiter.retry = retry;
    b = world.contender("B", waiter, 1).id;
    world.run();
  }
  std::size_t tries() const {
    std::size_t tries = 0;
    for (const Event& event : world.all(EventKind::kAttempt)) tries += event.client == b ? 1 : 0;
    return tries;
  }
  LockWorld world;
  ClientId b;
};

RetryPlan retry_every(Duration every) {
  RetryPlan retry;
  retry.enabled = true;
  retry.every = every;
  return retry;
}

TEST(Contender, TriesOnceWhenItHasNoRetry) {
  const Waiting waiting{RetryPlan{}};
  EXPECT_EQ(waiting.tries(), 1u);
  EXPECT_EQ(waiting.world.count(EventKind::kGaveUp), 1u);
}

TEST(Contender, TriesAsOftenAsItsLimitAllows) {
  RetryPlan retry = retry_every(seconds(1));
  retry.limit = 4;
  EXPECT_EQ(Waiting(retry).tries(), 4u);
}

TEST(Contender, GivesUpAtItsTimeLimit) {
  RetryPlan retry = retry_every(seconds(1));
  retry.give_up = milliseconds(3500);
  const Waiting waiting(retry);
  EXPECT_EQ(waiting.tries(), 4u);
  EXPECT_EQ(waiting.world.times_ms(EventKind::kGaveUp), std::vector<std::int64_t>{4'500});
}

TEST(Contender, GivesUpAtItsTimeLimitAlsoWhenItWaitsToBeWoken) {
  RetryPlan retry = retry_every(seconds(1));
  retry.give_up = milliseconds(3500);
  EXPECT_EQ(Waiting(retry, "reentrant").world.times_ms(EventKind::kGaveUp), std::vector<std::int64_t>{4'500});
}

TEST(Contender, AddsNoMoreThanItsJitterToTheInterval) {
  RetryPlan retry = retry_every(seconds(1));
  retry.jitter = milliseconds(500);
  const Waiting waiting(retry);
  std::vector<Time> attempts;
  for (const Event& event : waiting.world.all(EventKind::kAttempt)) {
    if (event.client == waiting.b) attempts.push_back(event.at);
  }
  bool varied = false;
  for (std::size_t i = 2; i < attempts.size(); ++i) {
    const Duration gap = attempts[i] - attempts[i - 1];
    EXPECT_GE(gap, milliseconds(1002));
    EXPECT_LE(gap, milliseconds(1502));
    varied = varied || gap != attempts[i - 1] - attempts[i - 2];
  }
  EXPECT_TRUE(varied);
}

TEST(Contender, GoesOnWithoutTheLockWhenItFailsOpen) {
  LockWorld world("set-lua");
  world.contender("A", world.plan(Duration{}, milliseconds(500)), 0);
  ContenderPlan careless = world.plan(milliseconds(100), milliseconds(10));
  careless.fail_open = true;
  world.contender("B", careless, 1);
  world.run();
  const auto entered = world.all(EventKind::kEntered);
  ASSERT_EQ(entered.size(), 2u);
  EXPECT_EQ(entered[1].extra, 1);
  EXPECT_EQ(world.count(EventKind::kReleased), 1u);
}

TEST(Contender, CleansUpBehindATryThatFailedWhenItIsToldTo) {
  LockWorld world("set-lua");
  world.contender("A", world.plan(Duration{}, milliseconds(500)), 0);
  ContenderPlan tidy = world.plan(milliseconds(100), milliseconds(10));
  tidy.clean_up = true;
  world.contender("B", tidy, 1);
  world.run();
  // B's token is not A's: its clean-up finds nothing to delete.
  EXPECT_EQ(world.commands(Phase::kRelease), (std::vector<std::string>{"EVAL compare-and-delete 1 lock B#1",
                                                                       "EVAL compare-and-delete 1 lock A#1"}));
  EXPECT_EQ(world.all(EventKind::kReleased)[0].number, 1);
}

TEST(Contender, CallsTheDownstreamAgainUntilItSucceedsOrTheTriesAreOver) {
  for (const std::uint32_t fails : {0u, 2u, 3u}) {
    LockWorld world("set-lua");
    ContenderPlan plan = world.plan(Duration{}, Duration{});
    plan.ttl_ms = 60'000;
    plan.call = CallPlan{seconds(3), 3, fails, seconds(1)};
    world.contender("A", plan);
    world.run();
    EXPECT_EQ(world.count(EventKind::kCalling), std::min(fails + 1, 3u));
    EXPECT_EQ(world.texts(EventKind::kLeft)[0], fails < 3 ? "done" : "failed");
  }
}

TEST(Watchdog, RenewsForAsLongAsTheWorkLastsAndNoLonger) {
  LockWorld world("watchdog");
  world.contender("A", world.plan(Duration{}, seconds(5)));
  world.run();
  EXPECT_EQ(world.count(EventKind::kRenewed), 14u);
  EXPECT_EQ(world.texts(EventKind::kRenewalEnded), std::vector<std::string>{"stopped"});
  EXPECT_EQ(world.all(EventKind::kReleased)[0].number, 1);
}

TEST(Watchdog, TellsTheHolderWhoStopsBeforeItsWorkIsDone) {
  LockWorld world("watchdog");
  world.contender("A", world.plan(Duration{}, seconds(10)), 0);
  world.contender("B", world.plan(milliseconds(1200), seconds(10)), 1);
  world->add_action(Time{} + milliseconds(100), pause(0, seconds(2)));
  world.run();
  ASSERT_EQ(world.count(EventKind::kTold), 1u);
  const Event left = world.all(EventKind::kLeft)[0];
  EXPECT_EQ(left.client, 0);
  EXPECT_EQ(left.text, "stopped");
  EXPECT_EQ(left.at, world.all(EventKind::kTold)[0].at);
}

TEST(Watchdog, AHolderThatIsStoppedInsideANestedSectionReleasesEveryLevel) {
  LockWorld world("reentrant");
  ContenderPlan nested = world.plan(Duration{}, seconds(10));
  nested.nest = 2;
  nested.renewal.enabled = true;
  nested.renewal_ttl_ms = 1000;
  world.contender("A", nested, 0);
  world->add_action(Time{} + milliseconds(100), pause(0, seconds(2)));
  world.run();
  EXPECT_EQ(world.texts(EventKind::kLeft), std::vector<std::string>{"stopped"});
  EXPECT_EQ(world.count(EventKind::kReleased), 2u);
}

TEST(Watchdog, AHolderThatIgnoresTheNewsWorksOn) {
  LockWorld world("watchdog");
  ContenderPlan stubborn = world.plan(Duration{}, seconds(10));
  stubborn.renewal.holder_stops = false;
  world.contender("A", stubborn, 0);
  world->add_action(Time{} + milliseconds(100), pause(0, seconds(2)));
  world.run();
  EXPECT_EQ(world.count(EventKind::kTold), 1u);
  EXPECT_EQ(world.texts(EventKind::kLeft), std::vector<std::string>{"done"});
}

TEST(Watchdog, StopsByItsOwnClockWhenRedisIsOutOfReach) {
  LockWorld world("watchdog");
  RequestPolicy impatient;
  impatient.timeout = milliseconds(200);
  world.contender("A", world.plan(Duration{}, seconds(10)), 0, impatient);
  Action partition;
  partition.kind = Action::Kind::kPartition;
  partition.length = seconds(60);
  world->add_action(Time{} + milliseconds(100), partition);
  world.run();
  // Granted at 2 ms for 1000 ms; the renewal due then goes unanswered for another 200 ms.
  ASSERT_EQ(world.count(EventKind::kTold), 1u);
  EXPECT_LE(world.times_ms(EventKind::kTold)[0], 1'202);
}

TEST(Watchdog, OneUnansweredRenewalEndsALoopThatStopsOnErrorsAndNobodyHears) {
  LockWorld world("watchdog");
  RequestPolicy impatient;
  impatient.timeout = milliseconds(50);
  ContenderPlan fragile = world.plan(Duration{}, seconds(3));
  fragile.renewal.stop_on_error = true;
  world.contender("A", fragile, 0, impatient);
  MessageFault lost;
  lost.client = 0;
  lost.phase = Phase::kRenew;
  lost.reply = true;
  world->add_message_fault(lost);
  world.run();
  EXPECT_EQ(world.texts(EventKind::kRenewalEnded), std::vector<std::string>{"failed"});
  EXPECT_EQ(world.count(EventKind::kTold), 0u);
}

TEST(Watchdog, InTheWorkingThreadItStarvesUntilTheWorkIsDone) {
  LockWorld world("watchdog");
  ContenderPlan plan = world.plan(Duration{}, seconds(5));
  plan.renewal.in_work_thread = true;
  world.contender("A", plan);
  world.run();
  EXPECT_EQ(world.count(EventKind::kRenewed), 0u);
}

TEST(Contender, ARestartedProcessBeginsItsRoundAgainUnderANewToken) {
  LockWorld world("set-lua");
  world.contender("A", world.plan(Duration{}, milliseconds(500)));
  Action crash;
  crash.kind = Action::Kind::kCrash;
  crash.restart_after = seconds(5);
  world->add_action(Time{} + milliseconds(100), crash);
  world.run();
  EXPECT_EQ(world.texts(EventKind::kEntered), (std::vector<std::string>{"A#1", "A#2"}));
  EXPECT_EQ(world.texts(EventKind::kLeft), (std::vector<std::string>{"crashed", "done"}));
}

}  // namespace
}  // namespace locklapse
