#include "sim/world/requester.h"

#include <gtest/gtest.h>

#include "tests/world/small_world.h"

namespace locklapse {
namespace {

RequestPolicy patience(Duration timeout, std::uint32_t retries = 0) {
  RequestPolicy policy;
  policy.timeout = timeout;
  policy.retries = retries;
  return policy;
}

MessageFault message(MessageFault::Kind kind, bool reply, Duration length = {}) {
  MessageFault fault;
  fault.kind = kind;
  fault.client = 0;
  fault.phase = Phase::kAcquire;
  fault.reply = reply;
  fault.length = length;
  return fault;
}

// One INCR of "n", whose answer is kept in `answer`.
std::function<Task<>(Client&)> increments(Answer& answer) {
  return [&answer](Client& client) -> Task<> {
    answer = co_await command(client.redis, Phase::kAcquire, "INCR", "n");
  };
}

TEST(Requester, AnAnswerTakesTheLatencyOfBothWays) {
  SmallWorld world({milliseconds(3), milliseconds(3)});
  Client& a = world.client("A");
  Answer answer;
  world.does(a, increments(answer));
  world.run();
  EXPECT_TRUE(answer.is_integer(1));
  EXPECT_EQ(world.times_ms(EventKind::kExecuted), std::vector<std::int64_t>{3});
  EXPECT_EQ(world.times_ms(EventKind::kReplied), std::vector<std::int64_t>{6});
}

TEST(Requester, ALostReplyEndsInATimeOutAlthoughTheCommandRan) {
  SmallWorld world;
  Client& a = world.client("A", 0, patience(seconds(2)));
  world->add_message_fault(message(MessageFault::Kind::kDrop, true));
  Answer answer;
  world.does(a, increments(answer));
  world.run();
  EXPECT_FALSE(answer.replied());
  EXPECT_EQ(world.count(EventKind::kExecuted), 1u);
  EXPECT_EQ(world.times_ms(EventKind::kTimedOut), std::vector<std::int64_t>{2000});
}

TEST(Requester, AResentCommandRunsTwiceAndTheSecondReplyCounts) {
  SmallWorld world;
  Client& a = world.client("A", 0, patience(seconds(2), 1));
  world->add_message_fault(message(MessageFault::Kind::kDrop, true));
  Answer answer;
  world.does(a, increments(answer));
  world.run();
  EXPECT_TRUE(answer.is_integer(2));
  EXPECT_EQ(world.count(EventKind::kResent), 1u);
}

TEST(Requester, AReplyThatComesAfterTheTimeOutIsIgnored) {
  SmallWorld world;
  Client& a = world.client("A", 0, patience(seconds(2), 1));
  world->add_message_fault(message(MessageFault::Kind::kDelay, true, milliseconds(2500)));
  Answer answer;
  world.does(a, increments(answer));
  world.run();
  EXPECT_TRUE(answer.is_integer(2));
  EXPECT_EQ(world.texts(EventKind::kReplied), std::vector<std::string>{"2"});
}

TEST(Requester, ADuplicatedRequestRunsTwiceAndIsAnsweredOnce) {
  SmallWorld world;
  Client& a = world.client("A");
  world->add_message_fault(message(MessageFault::Kind::kDuplicate, false, seconds(1)));
  Answer answer;
  world.does(a, increments(answer));
  world.run();
  EXPECT_TRUE(answer.is_integer(1));
  EXPECT_EQ(world.texts(EventKind::kExecuted), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(world.count(EventKind::kReplied), 1u);
}

TEST(Requester, ADelayedRequestIsOvertakenByALaterOne) {
  SmallWorld world;
  Client& a = world.client("A", 0, patience(milliseconds(10)));
  world->add_message_fault(message(MessageFault::Kind::kDelay, false, seconds(1)));
  world.does(a, [](Client& client) -> Task<> {
    co_await command(client.redis, Phase::kAcquire, "SET", "k", "late");
    co_await command(client.redis, Phase::kRelease, "SET", "k", "early");
  });
  world.run();
  std::vector<std::string> written;
  for (const Event& event : world.all(EventKind::kKeyWritten)) written.emplace_back(event.detail);
  EXPECT_EQ(written, (std::vector<std::string>{"early", "late"}));
}

TEST(Requester, MessagesOfOneConnectionArriveInOrderWhateverTheirLatency) {
  SmallWorld world({milliseconds(1), milliseconds(50)}, 7);
  Client& a = world.client("A");
  world.does(a, [](Client& client) -> Task<> {
    for (int i = 0; i < 20; ++i) {
      // Not awaited to its end: the next is sent while this one is under way.
      auto send = [](Client& c) -> Task<> { co_await command(c.redis, Phase::kAcquire, "INCR", "n"); };
      client.roots.start(send(client));
      co_await client.sleep(milliseconds(1));
    }
  });
  world.run();
  const std::vector<Event> executed = world.all(EventKind::kExecuted);
  ASSERT_EQ(executed.size(), 20u);
  for (std::size_t i = 1; i < executed.size(); ++i) {
    EXPECT_LT(executed[i - 1].command, executed[i].command);
    EXPECT_LE(executed[i - 1].at, executed[i].at);
  }
}

TEST(Requester, NothingPassesACutLinkUntilItHeals) {
  SmallWorld world;
  Client& a = world.client("A", 0, patience(seconds(2), 4));
  Action partition;
  partition.kind = Action::Kind::kPartition;
  partition.length = seconds(5);
  world->add_action(Time{}, partition);
  Answer answer;
  world.does(a, [&answer](Client& client) -> Task<> {
    co_await client.sleep(milliseconds(1));
    answer = co_await command(client.redis, Phase::kAcquire, "INCR", "n");
  });
  world.run();
  EXPECT_TRUE(answer.is_integer(1));
  EXPECT_EQ(world.count(EventKind::kDropped), 3u);
}

TEST(Requester, APausedClientReadsItsReplyWhenItResumes) {
  SmallWorld world;
  Client& a = world.client("A", 0, patience(seconds(60)));
  Action pause;
  pause.kind = Action::Kind::kPause;
  pause.length = seconds(30);
  StepPattern after;
  after.client = 0;
  after.phase = Phase::kAcquire;
  after.point = Point::kExecuted;
  world->add_pinned_action(after, pause, Duration{});
  Answer answer;
  world.does(a, increments(answer));
  world.run();
  EXPECT_EQ(world.times_ms(EventKind::kReplied), std::vector<std::int64_t>{30'001});
}

TEST(Requester, AWaiterIsWokenByAMessageAndRemembersOneThatCameTooEarly) {
  SmallWorld world;
  Client& waiter = world.client("A");
  Client& other = world.client("B", 1);
  std::vector<std::int64_t> woken_ms;
  world.does(waiter, [&](Client& client) -> Task<> {
    co_await command(client.mailbox, Phase::kWait, "SUBSCRIBE", "c");
    for (int i = 0; i < 2; ++i) {
      const bool pushed = co_await client.mailbox.wait_for_push(client.now() + seconds(60));
      EXPECT_TRUE(pushed);
      woken_ms.push_back(client.now().ms());
      co_await client.sleep(seconds(10));
    }
    const bool pushed = co_await client.mailbox.wait_for_push(client.now() + seconds(1));
    EXPECT_FALSE(pushed);
  });
  world.does(other, [](Client& client) -> Task<> {
    co_await client.sleep(seconds(1));
    co_await command(client.redis, Phase::kRelease, "PUBLISH", "c", "1");
    co_await client.sleep(seconds(1));
    co_await command(client.redis, Phase::kRelease, "PUBLISH", "c", "1");
  });
  world.run();
  EXPECT_EQ(woken_ms, (std::vector<std::int64_t>{1'002, 11'002}));
}

TEST(Requester, ABlockedPopIsAnsweredWhenSomebodyPushes) {
  SmallWorld world;
  Client& waiter = world.client("A");
  Client& other = world.client("B", 1);
  Answer answer;
  world.does(waiter, [&](Client& client) -> Task<> {
    answer = co_await command(client.redis, Phase::kAcquire, "BLPOP", "list", "10");
  });
  world.does(other, [](Client& client) -> Task<> {
    co_await client.sleep(seconds(3));
    co_await command(client.redis, Phase::kRelease, "RPUSH", "list", "x");
  });
  world.run();
  ASSERT_TRUE(answer.replied());
  EXPECT_EQ(answer.reply.elements().size(), 2u);
}

}  // namespace
}  // namespace locklapse
