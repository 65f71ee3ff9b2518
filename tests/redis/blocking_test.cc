#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class BlockingPop : public ServerFixture {};

TEST_F(BlockingPop, TakesFromTheFirstListThatIsThere) {
  run("RPUSH b 1 2");
  EXPECT_EQ(run("BLPOP a b c 0"), "*2\r\n$1\r\nb\r\n$1\r\n1\r\n");
}

TEST_F(BlockingPop, WaitsForAPush) {
  EXPECT_EQ(run("BLPOP a b 0"), "");
  EXPECT_EQ(run(other, "RPUSH b x y"), ":2\r\n");
  EXPECT_EQ(read(me), "*2\r\n$1\r\nb\r\n$1\r\nx\r\n");
  EXPECT_EQ(run(other, "LRANGE b 0 -1"), "*1\r\n$1\r\ny\r\n");
}

TEST_F(BlockingPop, ServesInOrderOfBlocking) {
  const ConnectionId third = server.connect();
  run("BLPOP q 0");
  run(third, "BLPOP q 0");
  run(other, "RPUSH q 1 2 3");
  EXPECT_EQ(read(me), "*2\r\n$1\r\nq\r\n$1\r\n1\r\n");
  EXPECT_EQ(read(third), "*2\r\n$1\r\nq\r\n$1\r\n2\r\n");
}

TEST_F(BlockingPop, IsServedOnceATransactionOrScriptHasEnded) {
  run("BLPOP q 0");
  run(other, "MULTI");
  run(other, "RPUSH q 1");
  run(other, "LPOP q");
  EXPECT_EQ(run(other, "EXEC"), "*2\r\n:1\r\n$1\r\n1\r\n");
  EXPECT_EQ(read(me), "");
  EXPECT_EQ(run(other, {"EVAL", "return redis.call('rpush','q','2')", "0"}), ":1\r\n");
  EXPECT_EQ(read(me), "*2\r\n$1\r\nq\r\n$1\r\n2\r\n");
}

TEST_F(BlockingPop, TimesOutOnceItsTimeLiesInThePast) {
  run("BLPOP q 0.25");
  ASSERT_TRUE(server.next_wakeup().has_value());
  EXPECT_EQ(server.next_wakeup()->us, kEpoch.us + 251'000);
  advance_ms(250);
  wake();
  EXPECT_EQ(read(me), "");
  advance_ms(1);
  wake();
  EXPECT_EQ(read(me), "*-1\r\n");
  EXPECT_EQ(run(other, "RPUSH q x"), ":1\r\n");
  EXPECT_EQ(read(me), "");
}

TEST_F(BlockingPop, RefusesBadTimeouts) {
  EXPECT_EQ(run("BLPOP q x"), "-ERR timeout is not a float or out of range\r\n");
  EXPECT_EQ(run("BLPOP q -1"), "-ERR timeout is negative\r\n");
  EXPECT_EQ(run("BLPOP q inf"), "-ERR timeout is negative\r\n");
  EXPECT_EQ(run("BLPOP q"), "-ERR wrong number of arguments for 'blpop' command\r\n");
}

TEST_F(BlockingPop, RefusesAKeyOfAnotherType) {
  run("SET s v");
  EXPECT_EQ(run("BLPOP s 0"), kWrongType);
}

TEST_F(BlockingPop, IgnoresAKeyThatTurnsIntoSomethingElse) {
  run("BLPOP q 0");
  run(other, "SET q v");
  EXPECT_EQ(read(me), "");
  run(other, "DEL q");
  run(other, "LPUSH q v");
  EXPECT_EQ(read(me), "*2\r\n$1\r\nq\r\n$1\r\nv\r\n");
}

TEST_F(BlockingPop, HoldsLaterCommandsOfItsConnectionBack) {
  run("BLPOP q 0");
  EXPECT_EQ(run("SET k v"), "");
  EXPECT_EQ(run("GET k"), "");
  EXPECT_EQ(run(other, "GET k"), kNil);
  run(other, "RPUSH q x");
  EXPECT_EQ(read(me), "*2\r\n$1\r\nq\r\n$1\r\nx\r\n+OK\r\n$1\r\nv\r\n");
}

TEST_F(BlockingPop, EndsWithTheConnection) {
  run(other, "BLPOP q 0");
  server.disconnect(other);
  EXPECT_EQ(run("RPUSH q x"), ":1\r\n");
  EXPECT_EQ(run("LLEN q"), ":1\r\n");
}

TEST_F(BlockingPop, NamesTheWaiterAsTheOneWhoTook) {
  run("BLPOP q 0");
  run(other, "RPUSH q token");
  const ToldChange& taken = observer.changes.back();
  EXPECT_EQ(taken.kind, KeyChangeKind::kRemoved);
  EXPECT_EQ(taken.by, me);
  EXPECT_EQ(taken.owner_before, "token");
}

}  // namespace
}  // namespace locklapse::redis
