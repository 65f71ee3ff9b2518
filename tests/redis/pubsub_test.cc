#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class PubSub : public ServerFixture {};

TEST_F(PubSub, ConfirmsEachChannelAndDeliversToSubscribers) {
  EXPECT_EQ(run("SUBSCRIBE a b"),
            "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n*3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:2\r\n");
  EXPECT_EQ(run(other, "PUBLISH a hello"), ":1\r\n");
  EXPECT_EQ(read(me), "*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$5\r\nhello\r\n");
  EXPECT_EQ(run(other, "PUBLISH c hello"), ":0\r\n");
  EXPECT_EQ(read(me), "");
}

TEST_F(PubSub, GivesEveryCommandExactlyOneDeliveryThatIsNoPush) {
  const std::string_view argv[] = {"SUBSCRIBE", "a", "b", "c"};
  Outbox sent(memory);
  server.execute(me, argv, now, sent);
  ASSERT_EQ(sent.size(), 3u);
  EXPECT_FALSE(sent[0].push);
  EXPECT_TRUE(sent[1].push);
  EXPECT_TRUE(sent[2].push);
}

TEST_F(PubSub, DeliversByPattern) {
  EXPECT_EQ(run("PSUBSCRIBE lock:*"), "*3\r\n$10\r\npsubscribe\r\n$6\r\nlock:*\r\n:1\r\n");
  EXPECT_EQ(run(other, "PUBLISH lock:1 free"), ":1\r\n");
  EXPECT_EQ(read(me), "*4\r\n$8\r\npmessage\r\n$6\r\nlock:*\r\n$6\r\nlock:1\r\n$4\r\nfree\r\n");
}

TEST_F(PubSub, CountsAConnectionOncePerSubscriptionThatMatches) {
  run("SUBSCRIBE news");
  run("PSUBSCRIBE n* *s");
  EXPECT_EQ(run(other, "PUBLISH news x"), ":3\r\n");
}

TEST_F(PubSub, AllowsFewCommandsWhileSubscribed) {
  run("SUBSCRIBE a");
  EXPECT_EQ(run("GET k"),
            "-ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / "
            "QUIT / RESET are allowed in this context\r\n");
  EXPECT_EQ(run("PING"), "*2\r\n$4\r\npong\r\n$0\r\n\r\n");
  EXPECT_EQ(run("PING x"), "*2\r\n$4\r\npong\r\n$1\r\nx\r\n");
  EXPECT_EQ(run("UNSUBSCRIBE a"), "*3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n");
  EXPECT_EQ(run("GET k"), kNil);
}

TEST_F(PubSub, UnsubscribingFromNothingIsConfirmedWithNil) {
  EXPECT_EQ(run("UNSUBSCRIBE"), "*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:0\r\n");
  EXPECT_EQ(run("PUNSUBSCRIBE"), "*3\r\n$12\r\npunsubscribe\r\n$-1\r\n:0\r\n");
  EXPECT_EQ(run("PUNSUBSCRIBE x*"), "*3\r\n$12\r\npunsubscribe\r\n$2\r\nx*\r\n:0\r\n");
}

TEST_F(PubSub, LeavesPatternsOldestFirst) {
  run("PSUBSCRIBE z* a*");
  EXPECT_EQ(run("PUNSUBSCRIBE"),
            "*3\r\n$12\r\npunsubscribe\r\n$2\r\nz*\r\n:1\r\n"
            "*3\r\n$12\r\npunsubscribe\r\n$2\r\na*\r\n:0\r\n");
}

TEST_F(PubSub, EndsWithTheConnection) {
  run(other, "SUBSCRIBE a");
  server.disconnect(other);
  EXPECT_EQ(run("PUBLISH a x"), ":0\r\n");
}

TEST_F(PubSub, PublishesFromScriptsBeforeTheScriptAnswers) {
  run(other, "SUBSCRIBE free");
  EXPECT_EQ(eval("return redis.call('publish','free','1')"), ":1\r\n");
  EXPECT_EQ(read(other), "*3\r\n$7\r\nmessage\r\n$4\r\nfree\r\n$1\r\n1\r\n");
}

}  // namespace
}  // namespace locklapse::redis
