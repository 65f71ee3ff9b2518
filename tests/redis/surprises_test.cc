// What a server does that surprises those who lock with it: situation, what happens, what follows.
// One test for each that concerns a single server; slow scripts stand in dialect_test.cc, eviction in
// eviction_test.cc, restarts in persistence_test.cc.
#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

constexpr const char* kRelease =
    "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";

using ASurprise = ServerFixture;

TEST_F(ASurprise, IsThatARepeatedAcquireIsRefusedByItsOwnToken) {
  EXPECT_EQ(run("SET lock mine NX PX 30000"), kOk);  // the reply is lost, the library sends it again
  EXPECT_EQ(run("SET lock mine NX PX 30000"), kNil);
  EXPECT_EQ(run("GET lock"), bulk("mine"));
}

TEST_F(ASurprise, IsThatARepeatedReleaseSaysNotYours) {
  run("SET lock mine NX PX 30000");
  EXPECT_EQ(eval(kRelease, "1 lock mine"), ":1\r\n");
  EXPECT_EQ(eval(kRelease, "1 lock mine"), ":0\r\n");
}

TEST_F(ASurprise, IsThatARepeatedFencingCounterSkipsANumber) {
  EXPECT_EQ(run("INCR fence"), ":1\r\n");
  EXPECT_EQ(run("INCR fence"), ":2\r\n");
}

TEST_F(ASurprise, IsThatALiveLockCanHaveATtlOfZero) {
  run("SET lock t PX 499");
  EXPECT_EQ(run("TTL lock"), ":0\r\n");
  advance_ms(499);
  EXPECT_EQ(run("PTTL lock"), ":0\r\n");
  EXPECT_EQ(run("EXISTS lock"), ":1\r\n");
}

TEST_F(ASurprise, IsThatSetAndGetsetMakeALockImmortal) {
  for (const char* line : {"SET lock u", "GETSET lock u"}) {
    run("SET lock t PX 1000");
    run(line);
    EXPECT_EQ(run("PTTL lock"), ":-1\r\n") << line;
  }
  run("SET lock t PX 1000");
  run("SET lock u KEEPTTL");
  EXPECT_EQ(run("PTTL lock"), ":1000\r\n");
}

TEST_F(ASurprise, IsThatACrashBetweenSetnxAndExpireLeavesALockForEver) {
  run("SETNX lock t");
  server.disconnect(me);
  advance_ms(86'400'000);
  EXPECT_EQ(run(other, "SETNX lock u"), ":0\r\n");
}

TEST_F(ASurprise, IsThatARenewalByNothingReleasesAndAnswersOne) {
  for (const char* line : {"PEXPIRE lock 0", "PEXPIRE lock -5", "EXPIRE lock 0"}) {
    run("SET lock t PX 1000");
    EXPECT_EQ(run(line), ":1\r\n") << line;
    EXPECT_EQ(run("EXISTS lock"), ":0\r\n") << line;
  }
}

TEST_F(ASurprise, IsThatPexpireAndDelAskNobodyForAToken) {
  run("SET lock mine PX 1000");
  EXPECT_EQ(run(other, "PEXPIRE lock 60000"), ":1\r\n");
  EXPECT_EQ(observer.changes.back().by, other);
  EXPECT_EQ(run(other, "DEL lock"), ":1\r\n");
  EXPECT_EQ(observer.changes.back().owner_before, "mine");
}

TEST_F(ASurprise, IsThatGetThenDelReleasesTheNextOwnersLock) {
  run("SET lock mine PX 100");
  EXPECT_EQ(run("GET lock"), bulk("mine"));
  advance_ms(101);
  run(other, "SET lock theirs NX PX 1000");
  EXPECT_EQ(run("DEL lock"), ":1\r\n");
  EXPECT_EQ(observer.changes.back().owner_before, "theirs");
}

TEST_F(ASurprise, IsThatExpiryBetweenWatchAndExecAborts) {
  run("SET lock mine PX 100");
  run("WATCH lock");
  run("GET lock");
  advance_ms(101);
  run("MULTI");
  run("DEL lock");
  EXPECT_EQ(run("EXEC"), "*-1\r\n");
}

TEST_F(ASurprise, IsThatAKeyOfAnotherTypeLooksLikeALockThatIsHeldForEver) {
  run("RPUSH lock x");
  EXPECT_EQ(run("SET lock mine NX PX 1000"), kNil);
}

TEST_F(ASurprise, IsThatSetNxGetAnswersNilWhenItHasAcquired) {
  EXPECT_EQ(run("SET lock mine NX GET"), kNil);
  EXPECT_EQ(run(other, "SET lock theirs NX GET"), bulk("mine"));
  EXPECT_EQ(run("GET lock"), bulk("mine"));
}

TEST_F(ASurprise, IsThatKilledPubSubConnectionsMissTheUnlockMessage) {
  run(other, "SUBSCRIBE unlock");
  run("CLIENT KILL TYPE pubsub");
  EXPECT_EQ(run("PUBLISH unlock lock"), ":0\r\n");
}

TEST_F(ASurprise, IsThatARestartedServerKnowsNoScripts) {
  run(me, {"SCRIPT", "LOAD", "return 1"});
  EXPECT_EQ(run("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0"), ":1\r\n");
  server.stop(StopKind::kProcessCrash, now);
  server.start(now);
  me = server.connect();
  EXPECT_EQ(run("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0"),
            "-NOSCRIPT No matching script. Please use EVAL.\r\n");
}

TEST_F(ASurprise, IsThatAPauseOfWritesHoldsScriptsThatOnlyRead) {
  run("CLIENT PAUSE 1000 WRITE");
  EXPECT_EQ(eval("return redis.call('get','lock')"), "");
}

TEST_F(ASurprise, IsThatDeadLocksAreCounted) {
  run("SET lock t PX 10");
  advance_ms(11);
  EXPECT_EQ(run("DBSIZE"), ":1\r\n");
  EXPECT_NE(run("INFO keyspace").find("keys=1"), std::string::npos);
  EXPECT_EQ(run("KEYS *"), "*0\r\n");
  EXPECT_EQ(run("GET lock"), kNil);
  EXPECT_EQ(run("DBSIZE"), ":0\r\n");
}

TEST_F(ASurprise, IsThatAnOperatorTakesAnyLock) {
  for (const char* line : {"FLUSHALL", "SWAPDB 0 5", "RENAME lock away", "MOVE lock 6"}) {
    run("SET lock mine PX 60000");
    run(other, line);
    EXPECT_EQ(run("SET lock theirs NX PX 60000"), kOk) << line;
    run("FLUSHALL");
  }
}

}  // namespace
}  // namespace locklapse::redis
