// The rules that locks rest on, as far as one server is concerned. Each was measured on real servers.
// Those about replicas, failover and persistence stand in replication_test.cc, sentinel_test.cc and
// persistence_test.cc.
#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

using ALock = ServerFixture;

TEST_F(ALock, IsAliveAtItsDeadlineAndDeadOneMillisecondLater) {
  run("SET lock t PX 100");
  advance_ms(99);
  EXPECT_EQ(run("PTTL lock"), ":1\r\n");
  advance_ms(1);
  EXPECT_EQ(run("GET lock"), bulk("t"));
  EXPECT_EQ(run("PTTL lock"), ":0\r\n");
  advance_ms(1);
  EXPECT_EQ(run("GET lock"), kNil);
  EXPECT_EQ(run("PTTL lock"), ":-2\r\n");
}

TEST_F(ALock, LivesByWholeMillisecondsOfTheWallClock) {
  now.us += 700;
  run("SET lock t PX 100");
  now.us = kEpoch.us + 100'999;
  EXPECT_EQ(run("PTTL lock"), ":0\r\n");
  now.us = kEpoch.us + 101'000;
  EXPECT_EQ(run("GET lock"), kNil);
}

TEST_F(ALock, DiesAtOnceWhenTheClockStepsForwardAndLivesLongerWhenItStepsBack) {
  run("SET lock t PX 30000");
  advance_ms(29'000);
  EXPECT_EQ(run("PTTL lock"), ":1000\r\n");
  advance_ms(2'500);
  EXPECT_EQ(run(other, "SET lock u NX PX 30000"), kOk);
  advance_ms(-3'600'000);
  EXPECT_EQ(run("PTTL lock"), ":3630000\r\n");
}

TEST_F(ALock, KeepsAnAbsoluteDeadlineThatCountsFromExecution) {
  advance_ms(5'000);  // however long ago it was sent
  run("SET lock t PX 1000");
  EXPECT_EQ(observer.changes.back().deadline_ms, kEpoch.ms() + 6'000);
}

TEST_F(ALock, CannotDieWithinOneTransaction) {
  run("SET lock t PX 10");
  advance_ms(10);
  run("MULTI");
  run("GET lock");
  run("PTTL lock");
  EXPECT_EQ(run("EXEC"), "*2\r\n$1\r\nt\r\n:0\r\n");
}

TEST_F(ALock, RefusesWithANullWhereSetnxRefusesWithZero) {
  EXPECT_EQ(run("SET lock t NX"), kOk);
  EXPECT_EQ(run("SET lock u NX"), kNil);
  EXPECT_EQ(run("SETNX lock u"), ":0\r\n");
  run(other, "WATCH lock");
  run("SET lock v");
  run(other, "MULTI");
  EXPECT_EQ(run(other, "EXEC"), "*-1\r\n");
}

TEST_F(ALock, IsHalfUpdatedWhereACommandOfItsTransactionFails) {
  run("SET other text");
  run("MULTI");
  run("HSET lock me 1");
  run("INCR other");
  run("PEXPIRE lock 1000");
  EXPECT_EQ(run("EXEC"),
            "*3\r\n:1\r\n-ERR value is not an integer or out of range\r\n:1\r\n");
  EXPECT_EQ(run("PTTL lock"), ":1000\r\n");
}

TEST_F(ALock, IsHalfUpdatedWhereItsScriptFails) {
  run("SET other text");
  EXPECT_TRUE(eval("redis.call('hset','lock','me','1') redis.call('incr','other') "
                   "redis.call('pexpire','lock',1000)")
                  .starts_with("-ERR value is not an integer"));
  EXPECT_EQ(run("HGET lock me"), bulk("1"));
  EXPECT_EQ(run("PTTL lock"), ":-1\r\n");
}

TEST_F(ALock, VanishesByEvictionWithoutAnErrorToAnyone) {
  run("SET lock t PX 30000");
  run("SET data 0123456789");
  run("CONFIG SET maxmemory 100 maxmemory-policy volatile-ttl");
  EXPECT_EQ(run(other, "SET lock u NX PX 30000"), kOk);
}

TEST_F(ALock, CanBeRenewedAndReleasedButNotTakenWhenMemoryIsFull) {
  run("SET lock t PX 30000");
  run("CONFIG SET maxmemory 1");
  EXPECT_TRUE(run(other, "SET second u NX PX 30000").starts_with("-OOM "));
  EXPECT_EQ(run("PEXPIRE lock 30000"), ":1\r\n");
  EXPECT_EQ(eval("if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end",
                 "1 lock t"),
            ":1\r\n");
}

TEST_F(ALock, IsBoughtByCommandsThatAStoppedServerFindsInItsSockets) {
  run("SET lock a PX 500");
  // A second later the server goes on and takes them in the order of their arrival.
  advance_ms(1'000);
  EXPECT_EQ(run(other, "SET lock b NX PX 1000"), kOk);
  EXPECT_EQ(eval("if redis.call('get',KEYS[1])==ARGV[1] then return 1 end return 0", "1 lock a"),
            ":0\r\n");
  EXPECT_EQ(run("PTTL lock"), ":1000\r\n");
}

}  // namespace
}  // namespace locklapse::redis
