#include "sim/live/live_source.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "sim/live/real_server.h"
#include "tests/live/needs_redis.h"

namespace locklapse::live {
namespace {

// What an observer is told, as "key owner xcount deadline", or "key gone".
class Diary final : public redis::KeyspaceObserver {
 public:
  void on_key_change(const redis::KeyChange& change) override {
    const bool gone = change.kind == redis::KeyChangeKind::kRemoved;
    lines.push_back(std::string(change.key) + " " +
                    (gone ? "gone"
                          : std::string(change.owner_after) + " x" + std::to_string(change.count_after) + " " +
                                (change.deadline_ms < 0 ? "-" : std::to_string(change.deadline_ms - kEpoch.ms()))));
  }
  void on_ttl_ended(int, std::string_view, std::string_view, std::int64_t) override {}

  std::vector<std::string> lines;
};

class LiveSourceTest : public NeedsRedis {
 protected:
  redis::Backend& make(const redis::ServerConfig& config = {}) { return nodes.make(arena, config, &diary); }
  // The replies to one command.
  std::vector<redis::Reply> run(redis::Backend& node, std::vector<std::string_view> words) {
    redis::Outbox outbox;
    node.execute(node.connect(), words, kEpoch, outbox);
    std::vector<redis::Reply> replies;
    for (redis::Delivery& delivery : outbox) replies.push_back(std::move(delivery.reply));
    return replies;
  }

  Arena arena;
  Diary diary;
  LiveSource nodes;
};

TEST_F(LiveSourceTest, GivesEveryRunAnEmptyServer) {
  for (int i = 0; i < 3; ++i) {
    nodes.begin_run();
    redis::Backend& node = make();
    EXPECT_TRUE(run(node, {"GET", "k"}).at(0).is_null());
    EXPECT_TRUE(run(node, {"SET", "k", "v"}).at(0).is_ok());
    EXPECT_FALSE(nodes.failure());
  }
}

TEST_F(LiveSourceTest, GivesARunSeveralServersThatShareNothing) {
  redis::Backend& one = make();
  redis::Backend& other = make();
  run(one, {"SET", "k", "v"});
  EXPECT_TRUE(run(other, {"GET", "k"}).at(0).is_null());
  EXPECT_EQ(run(one, {"GET", "k"}).at(0).text(), "v");
}

TEST_F(LiveSourceTest, TellsEveryStepOfAScript) {
  redis::Backend& node = make();
  run(node, {"EVAL",
             "redis.call('set', 's', 'a') redis.call('pexpire', 's', 500) redis.call('set', 's', 'b', 'KEEPTTL') "
             "redis.call('hincrby', 'h', 'A:1', 1) redis.call('hincrby', 'h', 'A:1', 2) "
             "redis.call('hincrby', 'h', 'A:1', -3) redis.call('del', 'h') "
             "redis.call('set', 'n', '41') redis.call('incr', 'n') redis.call('set', 'n', 'x', 'PX', 7)",
             "0"});
  EXPECT_FALSE(nodes.failure());
  const std::vector<std::string> expected{"s a x0 -",    "s a x0 500",  "s b x0 500",  "h A:1 x1 -",
                                          "h A:1 x3 -",  "h A:1 x0 -",  "h gone",      "n 41 x0 -",
                                          "n 42 x0 -",   "n x x0 7"};
  EXPECT_EQ(diary.lines, expected);
}

TEST_F(LiveSourceTest, IsSilentAfterWhatIsNotSentToARealServer) {
  for (const std::vector<std::string_view>& words :
       {std::vector<std::string_view>{"DEBUG", "SLEEP", "100"}, {"config", "SET", "notify-keyspace-events", ""},
        {"CLIENT", "KILL", "TYPE", "normal"}, {"MONITOR"}, {"SHUTDOWN"}, {"REPLICAOF", "10.0.0.1", "1"}}) {
    nodes.begin_run();
    redis::Backend& node = make();
    run(node, {"SET", "k", "v", "PX", "10"});
    EXPECT_TRUE(run(node, words).empty()) << words[0];
    ASSERT_TRUE(nodes.failure()) << words[0];
    EXPECT_TRUE(nodes.failure()->not_runnable) << words[0];
    EXPECT_TRUE(run(node, {"GET", "k"}).empty()) << words[0];
    EXPECT_FALSE(node.next_wakeup()) << words[0];
    EXPECT_FALSE(node.next_deadline_ms()) << words[0];
  }
  nodes.begin_run();
  EXPECT_TRUE(run(make(), {"GET", "k"}).at(0).is_null());
  EXPECT_FALSE(nodes.failure());
}

TEST_F(LiveSourceTest, SaysWhyAConfigurationIsNotRunnable) {
  make({.dialect = redis::Dialect::kRedis84});
  ASSERT_TRUE(nodes.failure());
  EXPECT_TRUE(nodes.failure()->not_runnable);
  EXPECT_NE(nodes.failure()->why.find("7.0 line"), std::string::npos) << nodes.failure()->why;
}

TEST_F(LiveSourceTest, TellsAServerThatBreaksDownFromOneThatCannot) {
  LiveSource broken({.arguments = {"--no-such-option", "1"}});
  redis::Backend& node = broken.make(arena, {}, nullptr);
  ASSERT_TRUE(broken.failure());
  EXPECT_FALSE(broken.failure()->not_runnable);
  EXPECT_TRUE(run(node, {"PING"}).empty());
}

TEST(LiveSource, IsNotRunnableWithoutTheProgram) {
  LiveSource nodes({.program = "no-such-redis-server"});
  Arena arena;
  nodes.make(arena, {}, nullptr);
  ASSERT_TRUE(nodes.failure());
  EXPECT_TRUE(nodes.failure()->not_runnable);
  EXPECT_NE(nodes.failure()->why.find("no-such-redis-server is not installed"), std::string::npos);
}

}  // namespace
}  // namespace locklapse::live
