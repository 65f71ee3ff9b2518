// Where a cluster node sends the commands of clients.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "sim/redis/cluster_session.h"
#include "sim/redis/command_keys.h"
#include "tests/redis/cluster_world.h"
#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

using Options = ClusterWorld::Options;
using cluster::key_slot;
using cluster::SlotLayout;

std::string keys_of(std::string_view line) {
  const std::vector<std::string> words = words_of(line);
  const std::vector<std::string_view> argv(words.begin(), words.end());
  std::pmr::vector<std::string_view> keys;
  append_keys(argv, keys);
  std::string text;
  for (const std::string_view key : keys) text.append(text.empty() ? "" : " ").append(key);
  return text;
}

TEST(ClusterSlotTest, IsTheChecksumOfTheKeyOrItsFirstTag) {
  EXPECT_EQ(key_slot("lock"), 8718);
  EXPECT_EQ(key_slot("123456789"), 0x31c3);
  EXPECT_EQ(key_slot("foo"), 12182);
  EXPECT_EQ(key_slot("{lock}:order:1"), 8718);
  EXPECT_EQ(key_slot("a{lock}b{other}"), 8718);
  // An empty tag, or one without an end, is no tag.
  EXPECT_EQ(key_slot("{}lock"), 6348);
  EXPECT_NE(key_slot("{}lock"), 8718);
  EXPECT_NE(key_slot("{lock"), 8718);
  EXPECT_EQ(key_slot("foo{{bar}}zap"), key_slot("{bar"));
}

TEST(ClusterSlotTest, LayoutsCutAsRedisCliDoesAndIsolateSlots) {
  SlotLayout layout = SlotLayout::even(3);
  EXPECT_EQ(layout.ranges(), 3);
  EXPECT_EQ(layout.first_slot(cluster::RangeId{1}), 5461);
  EXPECT_EQ(layout.first_slot(cluster::RangeId{2}), 10923);
  layout.isolate(8718);
  EXPECT_EQ(layout.ranges(), 5);
  EXPECT_EQ(layout.range_of(8717), cluster::RangeId{1});
  EXPECT_EQ(layout.range_of(8718), cluster::RangeId{2});
  EXPECT_EQ(layout.range_of(8719), cluster::RangeId{3});
  layout.isolate(16383);
  layout.isolate(0);
  EXPECT_EQ(layout.ranges(), 7);
  EXPECT_EQ(layout.range_of(0), cluster::RangeId{0});
  EXPECT_EQ(layout.range_of(16383), cluster::RangeId{6});
}

TEST(CommandKeysTest, AreFoundByTheCommandsShape) {
  EXPECT_EQ(keys_of("SET k v NX PX 100"), "k");
  EXPECT_EQ(keys_of("del a b c"), "a b c");
  EXPECT_EQ(keys_of("MSET a 1 b 2"), "a b");
  EXPECT_EQ(keys_of("BLPOP a b 0"), "a b");
  EXPECT_EQ(keys_of("EVAL script 2 a b c"), "a b");
  EXPECT_EQ(keys_of("EVALSHA sha 0 a"), "");
  EXPECT_EQ(keys_of("EVAL script 3 a b"), "");
  EXPECT_EQ(keys_of("EVAL script x a"), "");
  EXPECT_EQ(keys_of("EVAL script -1 a"), "");
  EXPECT_EQ(keys_of("WATCH a b"), "a b");
  EXPECT_EQ(keys_of("PUBLISH channel m"), "");
  EXPECT_EQ(keys_of("PING"), "");
  EXPECT_EQ(keys_of("NOSUCHCOMMANDWITHALONGNAME k"), "");
  EXPECT_EQ(keys_of("GET"), "");
}

// Says what a client is told: "pass", "+OK", or the error.
class ClusterRoutingTest : public testing::Test {
 protected:
  static Options options() {
    Options options;
    options.isolated_slot = 8718;
    return options;
  }

  std::string run(int i, std::string_view line, bool writes = false) {
    return run(sessions_[static_cast<std::size_t>(i)], i, line, writes);
  }
  std::string run(ClusterSession& session, int i, std::string_view line, bool writes = false) {
    const std::vector<std::string> words = words_of(line);
    const std::vector<std::string_view> argv(words.begin(), words.end());
    std::pmr::string error;
    switch (session.admit(world.node(i), argv, writes, kAddresses, error)) {
      case Admission::kPass:
        return "pass";
      case Admission::kAnswered:
        return "+OK";
      case Admission::kRefused:
        return "-" + std::string(error);
      case Admission::kDiscard:
        return "discard -" + std::string(error);
    }
    return "";
  }
  cluster::RangeId lock_range() const {
    SlotLayout layout = SlotLayout::even(3);
    layout.isolate(8718);
    return layout.range_of(8718);
  }

  static constexpr std::string_view kAddresses[] = {"127.0.0.1:7700", "127.0.0.1:7701",
                                                    "127.0.0.1:7702", "127.0.0.1:7703",
                                                    "127.0.0.1:7704", "127.0.0.1:7705"};

  ClusterWorld world{options()};
  std::pmr::memory_resource* memory_ = std::pmr::new_delete_resource();
  std::array<ClusterSession, 6> sessions_{ClusterSession(*memory_), ClusterSession(*memory_),
                                          ClusterSession(*memory_), ClusterSession(*memory_),
                                          ClusterSession(*memory_), ClusterSession(*memory_)};
};

TEST_F(ClusterRoutingTest, SendsClientsToTheOwner) {
  EXPECT_EQ(run(1, "SET lock t NX", true), "pass");
  EXPECT_EQ(run(0, "SET lock t NX", true), "-MOVED 8718 127.0.0.1:7701");
  EXPECT_EQ(run(0, "EVAL script 1 lock t", true), "-MOVED 8718 127.0.0.1:7701");
  EXPECT_EQ(run(0, "PUBLISH lock m"), "pass");
  EXPECT_EQ(run(0, "EVAL script 0"), "pass");
}

TEST_F(ClusterRoutingTest, RefusesKeysOfSeveralSlotsBeforeItLooksAtTheOwner) {
  const std::string cross = "-CROSSSLOT Keys in request don't hash to the same slot";
  EXPECT_EQ(run(1, "DEL lock foo", true), cross);
  EXPECT_EQ(run(0, "DEL lock foo", true), cross);
  EXPECT_EQ(run(1, "DEL lock {lock}:2", true), "pass");
}

TEST_F(ClusterRoutingTest, AReplicaServesReadsAfterReadOnlyAndNeverWrites) {
  EXPECT_EQ(run(4, "GET lock"), "-MOVED 8718 127.0.0.1:7701");
  EXPECT_EQ(run(4, "READONLY"), "+OK");
  EXPECT_EQ(run(4, "GET lock"), "pass");
  EXPECT_EQ(run(4, "SET lock t", true), "-MOVED 8718 127.0.0.1:7701");
  EXPECT_EQ(run(4, "GET foo"), "-MOVED 12182 127.0.0.1:7702");
  EXPECT_EQ(run(4, "READWRITE"), "+OK");
  EXPECT_EQ(run(4, "GET lock"), "-MOVED 8718 127.0.0.1:7701");
}

TEST_F(ClusterRoutingTest, AskAndTryAgainWhileASlotMoves) {
  world.node(1).set_migrating(lock_range(), ClusterWorld::id(2));
  world.node(2).set_importing(lock_range(), ClusterWorld::id(1));
  world.server(1).keys = {"{lock}:old"};
  // The source serves what it still has, sends the rest on.
  EXPECT_EQ(run(1, "GET {lock}:old"), "pass");
  EXPECT_EQ(run(1, "SET lock t NX", true), "-ASK 8718 127.0.0.1:7702");
  EXPECT_EQ(run(1, "MGET {lock}:old lock"),
            "-TRYAGAIN Multiple keys request during rehashing of slot");
  // The target serves one command after ASKING.
  EXPECT_EQ(run(2, "SET lock t NX", true), "-MOVED 8718 127.0.0.1:7701");
  EXPECT_EQ(run(2, "ASKING"), "+OK");
  EXPECT_EQ(run(2, "SET lock t NX", true), "pass");
  EXPECT_EQ(run(2, "GET lock"), "-MOVED 8718 127.0.0.1:7701");
  EXPECT_EQ(run(2, "ASKING"), "+OK");
  EXPECT_EQ(run(2, "MGET lock {lock}:old"),
            "-TRYAGAIN Multiple keys request during rehashing of slot");

  // SETSLOT NODE at the target, then at the source: everyone learns it.
  world.run_for(1'000);
  world.operate(2, [&](ClusterNode& node, cluster::Outbox& outbox) {
    node.set_owner(lock_range(), ClusterWorld::id(2), world.wall(), outbox);
  });
  world.run_for(1'000);
  EXPECT_EQ(run(2, "GET lock"), "pass");
  for (const int i : {0, 1, 3, 4, 5}) {
    EXPECT_EQ(run(i, "GET lock"), "-MOVED 8718 127.0.0.1:7702") << i;
  }
  EXPECT_TRUE(world.node(1).is_master());
  EXPECT_EQ(world.server(1).drops, 1);
}

TEST_F(ClusterRoutingTest, AQueuedCommandOfAnotherNodeBreaksTheTransaction) {
  EXPECT_EQ(run(0, "MULTI"), "pass");
  EXPECT_EQ(run(0, "SET lock t", true), "-MOVED 8718 127.0.0.1:7701");
  // The server is told to break it, and so answers EXECABORT itself.
  EXPECT_EQ(run(0, "EXEC"), "pass");
  EXPECT_EQ(run(0, "WATCH lock"), "-MOVED 8718 127.0.0.1:7701");
}

TEST_F(ClusterRoutingTest, ExecIsRoutedByAllThatIsQueued) {
  EXPECT_EQ(run(1, "MULTI"), "pass");
  EXPECT_EQ(run(1, "GET lock"), "pass");
  EXPECT_EQ(run(1, "GET {lock}:2"), "pass");
  EXPECT_EQ(run(1, "EXEC"), "pass");

  EXPECT_EQ(run(1, "MULTI"), "pass");
  EXPECT_EQ(run(1, "SET lock t", true), "pass");
  world.node(1).set_migrating(lock_range(), ClusterWorld::id(2));
  EXPECT_EQ(run(1, "EXEC"), "discard -ASK 8718 127.0.0.1:7702");
  EXPECT_EQ(run(1, "EXEC"), "pass");
}

TEST_F(ClusterRoutingTest, RefusesOtherDatabases) {
  EXPECT_EQ(run(1, "SELECT 0"), "pass");
  EXPECT_EQ(run(1, "SELECT 1"), "-ERR SELECT is not allowed in cluster mode");
}

TEST_F(ClusterRoutingTest, IsDownAsAWholeWhenAMasterFails) {
  world.run_for(10'000);
  world.kill(1);
  ASSERT_GE(world.until(6'000, [&] { return !world.node(0).is_up(); }), 0);
  EXPECT_EQ(run(2, "GET foo"), "-CLUSTERDOWN The cluster is down");
  EXPECT_EQ(run(2, "PING"), "pass");
  EXPECT_EQ(world.node(2).route_blocked("foo").verdict, cluster::Verdict::kDown);
}

TEST_F(ClusterRoutingTest, SaysSoWhenNobodyHasTheSlot) {
  ClusterConfig config;
  config.nodes.add(NodeId{0});
  StubClusterServer server;
  ClusterNode alone(*memory_, config, server, {}, nullptr);
  alone.start(kEpoch, ClusterNode::Start::kSettled);
  constexpr std::string_view kKeys[] = {"lock"};
  std::pmr::string error;
  append_redirection(alone.route(kKeys, {}), {}, error);
  EXPECT_EQ(error, "CLUSTERDOWN Hash slot not served");
}

TEST_F(ClusterRoutingTest, AllowsReadsWhenDownIfToldTo) {
  Options options;
  options.allow_reads_when_down = true;
  ClusterWorld down(options);
  down.run_for(10'000);
  down.kill(1);
  ASSERT_GE(down.until(6'000, [&] { return !down.node(2).is_up(); }), 0);
  constexpr std::string_view kFoo[] = {"foo"};
  EXPECT_EQ(down.node(2).route(kFoo, {}).verdict, cluster::Verdict::kServe);
  EXPECT_EQ(down.node(2).route(kFoo, {.writes = true}).verdict, cluster::Verdict::kDownForWrites);
}

}  // namespace
}  // namespace locklapse::redis
