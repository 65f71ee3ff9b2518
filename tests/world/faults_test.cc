#include "sim/world/fault.h"

#include <gtest/gtest.h>

#include "tests/world/small_world.h"

namespace locklapse {
namespace {

Action action(Action::Kind kind, Duration length = {}) {
  Action result;
  result.kind = kind;
  result.length = length;
  return result;
}

// Ticks once a second, ten times.
Task<> ticks(Client& client) {
  for (int i = 0; i < 10; ++i) {
    co_await client.sleep(seconds(1));
    client.note(EventKind::kRenewed);
  }
}

std::vector<std::int64_t> seconds_of(SmallWorld& world, ClientId client) {
  std::vector<std::int64_t> result;
  for (const Event& event : world.all(EventKind::kRenewed)) {
    if (event.client == client) result.push_back(event.at.ms() / 1000);
  }
  return result;
}

TEST(Pause, StopsEveryClientOfTheProcessAndNoOther) {
  SmallWorld world;
  Client& a = world.client("A", 0);
  Client& b = world.client("B", 0);
  Client& c = world.client("C", 1);
  for (Client* client : {&a, &b, &c}) world.does(*client, ticks);
  world->add_action(Time{} + milliseconds(2500), action(Action::Kind::kPause, seconds(4)));
  world.run();
  const std::vector<std::int64_t> paused = {1, 2, 6, 7, 8, 9, 10, 11, 12, 13};
  EXPECT_EQ(seconds_of(world, a.id), paused);
  EXPECT_EQ(seconds_of(world, b.id), paused);
  EXPECT_EQ(seconds_of(world, c.id), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(Pause, OverlappingPausesEndWithTheLast) {
  SmallWorld world;
  Client& a = world.client("A", 0);
  world.does(a, ticks);
  world->add_action(Time{} + milliseconds(500), action(Action::Kind::kPause, seconds(3)));
  world->add_action(Time{} + milliseconds(1500), action(Action::Kind::kPause, seconds(5)));
  world.run();
  EXPECT_EQ(seconds_of(world, a.id).front(), 6);
}

TEST(Stall, StopsOneThreadAndNotItsRenewals) {
  SmallWorld world;
  Client& a = world.client("A", 0);
  world.does(a, [](Client& client) -> Task<> {
    auto renewals = [](Client& c) -> Task<> {
      for (int i = 0; i < 5; ++i) {
        co_await c.sleep_in_renewal_thread(seconds(1));
        c.note(EventKind::kRenewed);
      }
    };
    client.roots.start(renewals(client));
    co_await client.sleep(seconds(2));
    client.note(EventKind::kWorked);
  });
  world->add_action(Time{} + seconds(1), action(Action::Kind::kStall, seconds(30)));
  world.run();
  EXPECT_EQ(seconds_of(world, a.id), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(world.times_ms(EventKind::kWorked), std::vector<std::int64_t>{31'000});
}

TEST(Slow, MakesTheWorkInProgressLonger) {
  SmallWorld world;
  Client& a = world.client("A", 0);
  world.does(a, [](Client& client) -> Task<> {
    co_await client.busy(seconds(5));
    client.note(EventKind::kWorked);
    co_await client.busy(seconds(5));
    client.note(EventKind::kWorked);
  });
  world->add_action(Time{} + seconds(1), action(Action::Kind::kSlow, seconds(10)));
  world.run();
  EXPECT_EQ(world.times_ms(EventKind::kWorked), (std::vector<std::int64_t>{15'000, 20'000}));
}

TEST(Crash, EndsWhatTheProcessDidWhileItsRequestStillArrives) {
  SmallWorld world;
  Client& a = world.client("A", 0);
  world.does(a, [](Client& client) -> Task<> {
    co_await command(client.redis, Phase::kAcquire, "SET", "k", "v");
    client.note(EventKind::kWorked);
  });
  StepPattern sent;
  sent.client = 0;
  sent.phase = Phase::kAcquire;
  sent.point = Point::kSent;
  world->add_pinned_action(sent, action(Action::Kind::kCrash), Duration{});
  world.run();
  EXPECT_EQ(world.count(EventKind::kCrashed), 1u);
  EXPECT_EQ(world.count(EventKind::kExecuted), 1u);
  EXPECT_EQ(world.count(EventKind::kWorked), 0u);
}

TEST(Crash, BeforeTheRequestLeavesNothingArrives) {
  SmallWorld world;
  Client& a = world.client("A", 0);
  world.does(a, [](Client& client) -> Task<> {
    co_await command(client.redis, Phase::kAcquire, "SET", "k", "v");
  });
  StepPattern sent;
  sent.client = 0;
  sent.phase = Phase::kAcquire;
  sent.point = Point::kSent;
  sent.before = true;
  world->add_pinned_action(sent, action(Action::Kind::kCrash), Duration{});
  world.run();
  EXPECT_EQ(world.count(EventKind::kSent), 0u);
}

TEST(Restart, BeginsTheLivesOfAllClientsAnew) {
  SmallWorld world;
  Client& a = world.client("A", 0);
  world.does(a, ticks);
  Action crash = action(Action::Kind::kCrash);
  crash.restart_after = seconds(10);
  world->add_action(Time{} + milliseconds(3500), crash);
  world.run();
  EXPECT_EQ(seconds_of(world, a.id),
            (std::vector<std::int64_t>{1, 2, 3, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}));
}

TEST(Restart, APauseOfAnEarlierLifeDoesNotEndOneOfThis) {
  SmallWorld world;
  Client& a = world.client("A", 0);
  world.does(a, ticks);
  world->add_action(Time{} + seconds(1), action(Action::Kind::kPause, seconds(10)));
  world->add_action(Time{} + seconds(2), action(Action::Kind::kRestart));
  world->add_action(Time{} + milliseconds(2500), action(Action::Kind::kPause, seconds(20)));
  world.run();
  EXPECT_EQ(world.times_ms(EventKind::kResumed), std::vector<std::int64_t>{22'500});
}

TEST(Pins, ActAtTheNthMatchingStepOnly) {
  SmallWorld world;
  Client& a = world.client("A", 0);
  world.does(a, [](Client& client) -> Task<> {
    for (int i = 0; i < 4; ++i) co_await command(client.redis, Phase::kRenew, "INCR", "n");
  });
  StepPattern third;
  third.client = 0;
  third.phase = Phase::kRenew;
  third.command = "incr";
  third.point = Point::kExecuted;
  third.nth = 3;
  Action del = action(Action::Kind::kOperator);
  static constexpr std::string_view kWords[] = {"SET", "n", "100"};
  del.argv = kWords;
  world->add_pinned_action(third, del, Duration{});
  world.run();
  EXPECT_EQ(world.texts(EventKind::kExecuted), (std::vector<std::string>{"1", "2", "3", "101"}));
}

TEST(Pins, ActBeforeAReplyIsReadAsWellAsAfter) {
  for (const bool before : {true, false}) {
    SmallWorld world;
    Client& a = world.client("A", 0);
    world.does(a, [](Client& client) -> Task<> {
      co_await command(client.redis, Phase::kAcquire, "PING");
      client.note(EventKind::kWorked);
    });
    StepPattern replied;
    replied.client = 0;
    replied.phase = Phase::kAcquire;
    replied.point = Point::kReplied;
    replied.before = before;
    world->add_pinned_action(replied, action(Action::Kind::kPause, seconds(7)), Duration{});
    world.run();
    EXPECT_EQ(world.times_ms(EventKind::kPaused), std::vector<std::int64_t>{2});
    EXPECT_EQ(world.times_ms(EventKind::kReplied), std::vector<std::int64_t>{before ? 7'002 : 2});
    EXPECT_EQ(world.times_ms(EventKind::kWorked), std::vector<std::int64_t>{7'002});
  }
}

TEST(Pins, AnActionCanComeSomeTimeAfterItsStep) {
  SmallWorld world;
  Client& a = world.client("A", 0);
  world.does(a, [](Client& client) -> Task<> {
    co_await client.mark(Stage::kWork, Point::kStarted, client.event(EventKind::kWorking));
    co_await client.busy(seconds(9));
  });
  StepPattern work;
  work.client = 0;
  work.stage = Stage::kWork;
  work.point = Point::kStarted;
  world->add_pinned_action(work, action(Action::Kind::kPause, seconds(1)), seconds(5));
  world.run();
  EXPECT_EQ(world.times_ms(EventKind::kPaused), std::vector<std::int64_t>{5'000});
}

}  // namespace
}  // namespace locklapse
