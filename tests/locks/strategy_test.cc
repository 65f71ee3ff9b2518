#include "sim/locks/strategy.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/locks/lock_world.h"

namespace locklapse {
namespace {

using Lines = std::vector<std::string>;

// What one undisturbed holder sends under each strategy: the protocol at a glance.
struct Protocol {
  const char* strategy;
  Lines acquire;
  Lines renew;
  Lines release;
};

void PrintTo(const Protocol& protocol, std::ostream* out) { *out << protocol.strategy; }

class StrategyProtocol : public testing::TestWithParam<Protocol> {};

TEST_P(StrategyProtocol, SendsTheseCommands) {
  const Protocol& expected = GetParam();
  LockWorld world(expected.strategy);
  world.contender("A", world.plan(Duration{}, milliseconds(400)));
  world.run();
  EXPECT_EQ(world.commands(Phase::kAcquire), expected.acquire);
  EXPECT_EQ(world.commands(Phase::kRenew), expected.renew);
  EXPECT_EQ(world.commands(Phase::kRelease), expected.release);
  ASSERT_EQ(world.count(EventKind::kReleased), 1u);
  EXPECT_EQ(world.all(EventKind::kReleased)[0].number, 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, StrategyProtocol,
    testing::Values(
        Protocol{"setnx-expire", {"SETNX lock locked", "PEXPIRE lock 1000"}, {}, {"DEL lock"}},
        Protocol{"set-del", {"SET lock locked NX PX 1000"}, {}, {"DEL lock"}},
        Protocol{"set-get-del", {"SET lock A#1 NX PX 1000"}, {}, {"GET lock", "DEL lock"}},
        Protocol{"set-lua", {"SET lock A#1 NX PX 1000"}, {}, {"EVAL compare-and-delete 1 lock A#1"}},
        Protocol{"watchdog", {"SET lock A#1 NX PX 1000"}, {"EVAL compare-and-expire 1 lock A#1 1000"},
                 {"EVAL compare-and-delete 1 lock A#1"}},
        Protocol{"watchdog-unowned", {"SET lock A#1 NX PX 1000"}, {"PEXPIRE lock 1000"},
                 {"EVAL compare-and-delete 1 lock A#1"}},
        Protocol{"reentrant", {"EVAL reentrant-enter 1 lock p:A 1000"}, {},
                 {"EVAL reentrant-leave 1 lock p:A 1000"}},
        Protocol{"fenced", {"EVAL take-and-count 2 lock lock:fence A#1 1000"}, {},
                 {"EVAL compare-and-delete 1 lock A#1"}},
        Protocol{"set-own", {"EVAL take-or-keep 1 lock p 1000"}, {}, {"EVAL compare-and-delete 1 lock p"}},
        Protocol{"set-xx", {"SET lock A#1 NX PX 1000"}, {}, {"DEL lock"}},
        Protocol{"list-token", {"SETNX lock:made 1", "RPUSH lock token", "BLPOP lock 1", "HSET lock:taken token A#1"},
                 {}, {"HDEL lock:taken token", "LPUSH lock token"}}),
    [](const auto& instance) {
      std::string name = instance.param.strategy;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

TEST(Strategies, EveryOneIsFoundByItsNameAndSaysWhatItAssumes) {
  std::set<std::string_view> names;
  for (const Strategy* strategy : all_strategies()) {
    EXPECT_TRUE(names.insert(strategy->info().name).second);
    EXPECT_EQ(find_strategy(strategy->info().name), strategy);
    EXPECT_FALSE(strategy->info().meaning.empty());
    EXPECT_FALSE(strategy->info().assumes.empty());
  }
  EXPECT_EQ(find_strategy("no-such"), nullptr);
}

class EveryStrategy : public testing::TestWithParam<const char*> {};

TEST_P(EveryStrategy, ExcludesASecondClientWhileTheFirstWorksWithinItsTtl) {
  LockWorld world(GetParam());
  world.contender("A", world.plan(Duration{}, milliseconds(500)), 0);
  ContenderPlan waits = world.plan(milliseconds(100), milliseconds(10));
  waits.retry.enabled = true;
  waits.retry.every = milliseconds(20);
  // Threads of one process go by one token under set-own: the second client is another process.
  waits.process_name = "q";
  world.contender("B", waits, 1);
  world.run();
  const auto entered = world.all(EventKind::kEntered);
  const auto left = world.all(EventKind::kLeft);
  ASSERT_EQ(entered.size(), 2u);
  EXPECT_GE(entered[1].at, left[0].at);
}

INSTANTIATE_TEST_SUITE_P(All, EveryStrategy,
                         testing::Values("setnx-expire", "set-del", "set-get-del", "set-lua", "watchdog",
                                         "watchdog-unowned", "reentrant", "fenced", "set-own", "set-xx",
                                         "list-token"));

TEST(Fenced, HandsOutARisingNumber) {
  LockWorld world("fenced");
  ContenderPlan twice = world.plan(Duration{}, milliseconds(10));
  twice.rounds = 3;
  world.contender("A", twice);
  world.run();
  std::vector<std::int64_t> numbers;
  for (const Event& event : world.all(EventKind::kEntered)) numbers.push_back(event.number);
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(Reentrant, CountsItsEntriesAndIsFreeAfterAsManyReleases) {
  LockWorld world("reentrant");
  ContenderPlan nested = world.plan(Duration{}, milliseconds(10));
  nested.nest = 3;
  world.contender("A", nested);
  world.run();
  EXPECT_EQ(world.texts(EventKind::kReleased), (std::vector<std::string>{"0", "0", "1"}));
}

TEST(Reentrant, WakesAWaiterByAMessageAndNotByPolling) {
  LockWorld world("reentrant");
  world.contender("A", world.plan(Duration{}, milliseconds(700)), 0);
  ContenderPlan waits = world.plan(milliseconds(100), milliseconds(10));
  waits.retry.enabled = true;
  world.contender("B", waits, 1);
  world.run();
  // Before subscribing, after subscribing, after the message.
  EXPECT_EQ(world.count(EventKind::kRefused), 2u);
  EXPECT_LE((world.all(EventKind::kEntered)[1].at - world.all(EventKind::kLeft)[0].at).ms(), 5);
}

TEST(SetXx, KeepsItsKeyForTheLeastTimeAsked) {
  LockWorld world("set-xx");
  ContenderPlan keeps = world.plan(Duration{}, milliseconds(100));
  keeps.at_least_for = milliseconds(600);
  world.contender("A", keeps);
  world.run();
  EXPECT_EQ(world.commands(Phase::kRelease), Lines{"SET lock A#1 XX PX 500"});
}

}  // namespace
}  // namespace locklapse
