// What an operator does to keys without asking whose they are; and sets, MSETNX, EVAL_RO. Replies
// recorded from a redis-server 7.0.15.
#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

using Rename = ServerFixture;

TEST_F(Rename, CarriesALockAwayWithItsTtl) {
  EXPECT_EQ(run("RENAME a b"), "-ERR no such key\r\n");
  EXPECT_EQ(run("RENAMENX a b"), "-ERR no such key\r\n");
  run("SET lock token PX 1000");
  run("SET there x");
  EXPECT_EQ(run("RENAME lock lock"), kOk);
  EXPECT_EQ(run("RENAMENX lock lock"), ":0\r\n");
  EXPECT_EQ(run("RENAMENX lock there"), ":0\r\n");
  EXPECT_EQ(run("RENAME lock there"), kOk);
  EXPECT_EQ(run("GET there"), bulk("token"));
  EXPECT_EQ(run("PTTL there"), ":1000\r\n");
  EXPECT_EQ(run(other, "SET lock mine NX"), kOk);
}

TEST_F(Rename, IsTwoChangesToWhoeverWatches) {
  run("RPUSH list a b");
  run("RENAME list renamed");
  ASSERT_GE(observer.changes.size(), 2u);
  const auto& gone = observer.changes.back();
  const auto& there = observer.changes[observer.changes.size() - 2];
  EXPECT_EQ(there.key, "renamed");
  EXPECT_EQ(there.kind, KeyChangeKind::kWritten);
  EXPECT_EQ(there.owner_after, "a");
  EXPECT_FALSE(there.existed_before);
  EXPECT_EQ(gone.key, "list");
  EXPECT_EQ(gone.kind, KeyChangeKind::kRemoved);
  EXPECT_EQ(gone.owner_before, "a");
}

TEST_F(Rename, ServesWhoWaitsForTheNewName) {
  run("RPUSH a x");
  run(other, "BLPOP b 0");
  run("RENAME a b");
  EXPECT_EQ(read(other), "*2\r\n$1\r\nb\r\n$1\r\nx\r\n");
}

using Copy = ServerFixture;

TEST_F(Copy, MakesASecondLockOfOneToken) {
  run("SET c v PX 1000");
  EXPECT_EQ(run("COPY c d"), ":1\r\n");
  EXPECT_EQ(run("PTTL d"), ":1000\r\n");
  EXPECT_EQ(run("COPY c d"), ":0\r\n");
  EXPECT_EQ(run("COPY c d REPLACE"), ":1\r\n");
  EXPECT_EQ(run("COPY c d DB x"), kNotAnInteger);
  EXPECT_EQ(run("COPY c d DB 99"), "-ERR DB index is out of range\r\n");
  EXPECT_EQ(run("COPY c d FOO"), kSyntaxError);
  EXPECT_EQ(run("COPY c c"), "-ERR source and destination objects are the same\r\n");
  EXPECT_EQ(run("COPY c c DB 3"), ":1\r\n");
  EXPECT_EQ(run("COPY x y"), ":0\r\n");
}

using Move = ServerFixture;

TEST_F(Move, TakesALockToAnotherDatabase) {
  run("SET lock v PX 1000");
  EXPECT_EQ(run("MOVE lock 0"), "-ERR source and destination objects are the same\r\n");
  EXPECT_EQ(run("MOVE lock x"), kNotAnInteger);
  EXPECT_EQ(run("MOVE lock 99"), "-ERR DB index is out of range\r\n");
  EXPECT_EQ(run("MOVE missing 2"), ":0\r\n");
  EXPECT_EQ(run("MOVE lock 2"), ":1\r\n");
  EXPECT_EQ(run("EXISTS lock"), ":0\r\n");
  run("SELECT 2");
  EXPECT_EQ(run("PTTL lock"), ":1000\r\n");
}

using Swapdb = ServerFixture;

TEST_F(Swapdb, SwapsALockAwayFromUnderItsHolder) {
  run("SET lock token PX 1000");
  run("SET other x PX 500");
  run(other, "SELECT 2");
  run(other, "SET lock theirs PX 500");
  run(other, "WATCH lock");
  observer.changes.clear();
  EXPECT_EQ(run("SWAPDB 0 2"), kOk);
  EXPECT_EQ(run("GET lock"), bulk("theirs"));
  EXPECT_EQ(run("GET other"), kNil);
  EXPECT_EQ(run(other, "PTTL lock"), ":1000\r\n");
  run(other, "MULTI");
  EXPECT_EQ(run(other, "EXEC"), "*-1\r\n");
  // Each database has lost or changed what it had, and got what the other had.
  ASSERT_EQ(observer.changes.size(), 4u);
  EXPECT_EQ(run("SWAPDB 0 99"), "-ERR DB index is out of range\r\n");
  EXPECT_EQ(run("SWAPDB x 1"), "-ERR invalid first DB index\r\n");
  EXPECT_EQ(run("SWAPDB 1 x"), "-ERR invalid second DB index\r\n");
  EXPECT_EQ(run("SWAPDB 0 0"), kOk);
}

TEST_F(Swapdb, KeepsDeadlinesInOrder) {
  run("SET a v PX 10");
  run(other, "SELECT 1");
  run(other, "SET b v PX 10");
  run("SWAPDB 0 1");
  advance_ms(11);
  server.tell_ended_ttls(now);
  ASSERT_EQ(observer.ends.size(), 2u);
  EXPECT_EQ(observer.ends[0].key, "b");
  EXPECT_EQ(observer.ends[0].db, 0);
  EXPECT_EQ(observer.ends[1].key, "a");
  EXPECT_EQ(observer.ends[1].db, 1);
  run("FLUSHALL");
  EXPECT_EQ(server.next_wakeup(), std::nullopt);
}

using Sets = ServerFixture;

TEST_F(Sets, HoldMembersOnce) {
  EXPECT_EQ(run("SADD s a b a"), ":2\r\n");
  EXPECT_EQ(run("SREM s a"), ":1\r\n");
  EXPECT_EQ(run("SISMEMBER s b"), ":1\r\n");
  EXPECT_EQ(run("SISMEMBER s a"), ":0\r\n");
  EXPECT_EQ(run("SMEMBERS s"), "*1\r\n$1\r\nb\r\n");
  EXPECT_EQ(run("SCARD s"), ":1\r\n");
  EXPECT_EQ(run("TYPE s"), "+set\r\n");
  EXPECT_EQ(run("SREM s b"), ":1\r\n");
  EXPECT_EQ(run("TYPE s"), "+none\r\n");
  run("SET k v");
  EXPECT_EQ(run("SADD k a"), kWrongType);
  EXPECT_EQ(run("SMEMBERS k"), kWrongType);
}

using Msetnx = ServerFixture;

TEST_F(Msetnx, SetsAllOrNothing) {
  EXPECT_EQ(run("MSETNX a 1 b"), "-ERR wrong number of arguments for 'msetnx' command\r\n");
  EXPECT_EQ(run("MSETNX a 1 b 2"), ":1\r\n");
  EXPECT_EQ(run("MSETNX a 2 z 3"), ":0\r\n");
  EXPECT_EQ(run("EXISTS z"), ":0\r\n");
}

using ReadOnlyScripts = ServerFixture;

TEST_F(ReadOnlyScripts, MayNotWrite) {
  EXPECT_EQ(run(me, {"EVAL_RO", "return redis.call('set','a','1')", "0"}),
            "-ERR Write commands are not allowed from read-only scripts. script: "
            "67ed14c1cb086d8c2fcf91ebe13410ba087fd0f8, on @user_script:1.\r\n");
  EXPECT_EQ(run(me, {"EVAL_RO", "return redis.call('get','a')", "0"}), kNil);
  EXPECT_EQ(run("EVALSHA_RO ffffffffffffffffffffffffffffffffffffffff 0"),
            "-NOSCRIPT No matching script. Please use EVAL.\r\n");
  EXPECT_EQ(run(me, {"EVAL_RO", "#!lua\nreturn 1", "0"}),
            "-ERR Can not execute a script with write flag using *_ro command.\r\n");
}

using Randomkey = ServerFixture;

TEST_F(Randomkey, IsAKeyThatIsAlive) {
  EXPECT_EQ(run("RANDOMKEY"), kNil);
  run("SET a 1 PX 10");
  EXPECT_EQ(run("RANDOMKEY"), bulk("a"));
  advance_ms(11);
  EXPECT_EQ(run("RANDOMKEY"), kNil);
}

}  // namespace
}  // namespace locklapse::redis
