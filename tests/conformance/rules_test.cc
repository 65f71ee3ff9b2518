// What a lock must know of Redis, on the model and on a real server alike: the rules that the model must not get
// wrong, and the facts that surprise those who use locks.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "sim/locks/scripts.h"
#include "tests/conformance/backends.h"
#include "tests/conformance/step.h"
#include "tests/live/needs_redis.h"

namespace locklapse::conformance {
namespace {

constexpr const char* kOk = "+OK\r\n";
constexpr const char* kNil = "$-1\r\n";
constexpr const char* kNullArray = "*-1\r\n";

class RedisRules : public testing::TestWithParam<BackendKind> {
 protected:
  void SetUp() override {
    if (GetParam() == BackendKind::kRedis && !live::find_program("redis-server")) {
      GTEST_SKIP() << "NOT TESTED: redis-server is not installed (.ci/deps.sh test installs it)";
    }
    start({});
  }

  // Instead of the server that every test starts with.
  void start(const redis::ServerConfig& config) { driver_ = std::make_unique<Driver>(GetParam(), config); }

  // One command, written as in the files of cases/.
  std::string run(int connection, const std::string& line) {
    std::istringstream in("@0 " + line);
    return driver_->run(connection, read_sequence(in)[0].words);
  }
  std::string run(const std::string& line) { return run(0, line); }
  std::string eval(int connection, std::string_view script, const std::vector<std::string>& rest) {
    std::vector<std::string> words{"EVAL", std::string(script)};
    words.insert(words.end(), rest.begin(), rest.end());
    return driver_->run(connection, words);
  }
  std::string release(int connection, const std::string& token) {
    return eval(connection, scripts::kCompareAndDelete.source, {"1", "lock", token});
  }
  std::string renew(int connection, const std::string& token, const std::string& ms) {
    return eval(connection, scripts::kCompareAndExpire.source, {"1", "lock", token, ms});
  }
  std::string pushed(int connection) {
    std::string all;
    for (const std::string& message : driver_->take(connection)) all += message;
    return all;
  }
  void pass_ms(std::int64_t ms) { driver_->move_clock(ms * 1000); }
  void pass_us(std::int64_t us) { driver_->move_clock(us); }

  std::unique_ptr<Driver> driver_;
};

INSTANTIATE_TEST_SUITE_P(Both, RedisRules, testing::Values(BackendKind::kModel, BackendKind::kRedis),
                         [](const auto& named) { return name_of(named.param); });

// --- rules

TEST_P(RedisRules, AKeyIsAliveInTheMillisecondOfItsDeadlineAndDeadInTheNext) {
  run("SET lock a PX 100");
  pass_us(99'999);
  EXPECT_EQ(run("PTTL lock"), ":1\r\n");
  pass_us(1);
  EXPECT_EQ(run("PTTL lock"), ":0\r\n");
  EXPECT_EQ(run("GET lock"), "$1\r\na\r\n");
  pass_us(999);
  EXPECT_EQ(run("SET lock b NX"), kNil);
  pass_us(1);
  EXPECT_EQ(run("PTTL lock"), ":-2\r\n");
  EXPECT_EQ(run("SET lock b NX"), kOk);
}

TEST_P(RedisRules, AStepOfTheWallClockMovesEveryDeadlineAtOnce) {
  run("SET lock a PX 30000");
  pass_ms(29'000);
  EXPECT_EQ(run("PTTL lock"), ":1000\r\n");
  pass_ms(-3'600'000);
  EXPECT_EQ(run("PTTL lock"), ":3601000\r\n");
  pass_ms(3'602'500);
  EXPECT_EQ(run("GET lock"), kNil);
}

TEST_P(RedisRules, ADeadlineIsAbsoluteAndMadeWhenTheCommandRuns) {
  run("SET lock a PX 100");
  EXPECT_EQ(run("PEXPIRETIME lock"), ":1767225600100\r\n");
  pass_us(50'900);
  EXPECT_EQ(run("PEXPIRETIME lock"), ":1767225600100\r\n");
  run("PEXPIRE lock 100");
  EXPECT_EQ(run("PEXPIRETIME lock"), ":1767225600150\r\n");
}

TEST_P(RedisRules, ACommandHeldBackTakesItsTtlFromWhenItRuns) {
  run(1, "BLPOP q 10");
  run(1, "SET lock a PX 100");
  pass_ms(5'000);
  run("RPUSH q x");
  EXPECT_EQ(run("PTTL lock"), ":100\r\n");
}

TEST_P(RedisRules, WithinOneScriptTimeStandsStill) {
  run("SET lock a PX 100");
  pass_ms(100);
  EXPECT_EQ(eval(0, "return {redis.call('get', 'lock'), redis.call('pttl', 'lock'), redis.call('get', 'lock')}",
                 {"0"}),
            "*3\r\n$1\r\na\r\n:0\r\n$1\r\na\r\n");
}

TEST_P(RedisRules, EachWayToSayNoLooksDifferent) {
  run("SET lock a");
  EXPECT_EQ(run("SET lock b NX"), kNil);
  EXPECT_EQ(run("SETNX lock b"), ":0\r\n");
  run(1, "WATCH lock");
  run("SET lock c");
  run(1, "MULTI");
  EXPECT_EQ(run(1, "EXEC"), kNullArray);
}

TEST_P(RedisRules, AnErrorWithinATransactionUndoesNothing) {
  run("SET s text");
  run("MULTI");
  run("SET a 1");
  run("INCR s");
  run("SET b 2");
  EXPECT_EQ(run("EXEC"), "*3\r\n+OK\r\n-ERR value is not an integer or out of range\r\n+OK\r\n");
  EXPECT_EQ(run("MGET a b"), "*2\r\n$1\r\n1\r\n$1\r\n2\r\n");
}

TEST_P(RedisRules, AnErrorWithinAScriptUndoesNothing) {
  const std::string reply =
      eval(0, "redis.call('hset', 'lock', 'a', 1) return redis.call('pexpire', 'lock', 'soon')", {"0"});
  EXPECT_EQ(reply.substr(0, 48), "-ERR value is not an integer or out of range scr");
  EXPECT_EQ(run("HGET lock a"), "$1\r\n1\r\n");
  EXPECT_EQ(run("PTTL lock"), ":-1\r\n");
}

// --- surprises

TEST_P(RedisRules, AnAcquireSentTwiceIsRefusedTheSecondTimeThoughTheLockIsItsOwn) {
  EXPECT_EQ(run("SET lock a NX PX 30000"), kOk);
  EXPECT_EQ(run("SET lock a NX PX 30000"), kNil);
  EXPECT_EQ(run("GET lock"), "$1\r\na\r\n");
}

TEST_P(RedisRules, AReleaseSentTwiceSaysOneThenZero) {
  run("SET lock a NX PX 30000");
  EXPECT_EQ(release(0, "a"), ":1\r\n");
  EXPECT_EQ(release(0, "a"), ":0\r\n");
}

TEST_P(RedisRules, AFencingNumberSentTwiceLeavesAGap) {
  EXPECT_EQ(run("INCR fence"), ":1\r\n");
  EXPECT_EQ(run("INCR fence"), ":2\r\n");
  EXPECT_EQ(run(1, "INCR fence"), ":3\r\n");
}

TEST_P(RedisRules, AnAcquireThatArrivesLateTakesTheLockForNobody) {
  const std::string late = "SET lock a NX PX 1000";
  pass_ms(60'000);
  EXPECT_EQ(run(late), kOk);
  driver_->close(0);
  EXPECT_EQ(run(1, "SET lock b NX PX 1000"), kNil);
}

TEST_P(RedisRules, TtlRoundsToZeroOnALockThatIsStillHeld) {
  run("SET lock a PX 2000");
  pass_ms(1'501);
  EXPECT_EQ(run("TTL lock"), ":0\r\n");
  EXPECT_EQ(run("SET lock b NX"), kNil);
  run("PEXPIRE lock 1510");
  EXPECT_EQ(run("TTL lock"), ":2\r\n");
}

TEST_P(RedisRules, APlainSetAndGetsetTakeTheTtlAway) {
  run("SET lock a PX 1000");
  run("SET lock a");
  EXPECT_EQ(run("PTTL lock"), ":-1\r\n");
  run("PEXPIRE lock 1000");
  EXPECT_EQ(run("GETSET lock b"), "$1\r\na\r\n");
  EXPECT_EQ(run("PTTL lock"), ":-1\r\n");
  run("PEXPIRE lock 1000");
  run("SET lock c KEEPTTL");
  EXPECT_EQ(run("PTTL lock"), ":1000\r\n");
}

TEST_P(RedisRules, SetnxWithoutItsExpireHoldsForEver) {
  run("SETNX lock a");
  driver_->close(0);
  pass_ms(86'400'000);
  EXPECT_EQ(run(1, "SETNX lock b"), ":0\r\n");
}

TEST_P(RedisRules, ARenewalByNothingOrLessReleasesAndSaysOne) {
  for (const char* ms : {"0", "-1"}) {
    run("SET lock a PX 1000");
    EXPECT_EQ(renew(0, "a", ms), ":1\r\n") << ms;
    EXPECT_EQ(run("EXISTS lock"), ":0\r\n") << ms;
  }
}

TEST_P(RedisRules, ExpireAndDelAskNobodyWhoseTheLockIs) {
  run("SET lock a PX 1000");
  EXPECT_EQ(run(1, "PEXPIRE lock 50000"), ":1\r\n");
  EXPECT_EQ(run(1, "DEL lock"), ":1\r\n");
}

TEST_P(RedisRules, WatchSeesTheLockRunOutBeforeExec) {
  run("SET lock a PX 100");
  run("WATCH lock");
  EXPECT_EQ(run("GET lock"), "$1\r\na\r\n");
  pass_us(101'000);
  run("MULTI");
  run("DEL lock");
  EXPECT_EQ(run("EXEC"), kNullArray);
}

TEST_P(RedisRules, WatchMindsEveryEffectiveWriteAndNoOther) {
  run("SET lock a");
  const auto exec_after = [&](const std::string& line) {
    run("WATCH lock");
    run(1, line);
    run("MULTI");
    run("PING");
    return run("EXEC");
  };
  EXPECT_EQ(exec_after("SET lock a"), kNullArray);
  EXPECT_EQ(exec_after("PEXPIRE lock 100000"), kNullArray);
  EXPECT_EQ(exec_after("SET lock b NX"), "*1\r\n+PONG\r\n");
  EXPECT_EQ(exec_after("DEL missing"), "*1\r\n+PONG\r\n");
  EXPECT_EQ(exec_after("FLUSHALL"), kNullArray);
  EXPECT_EQ(exec_after("FLUSHALL"), "*1\r\n+PONG\r\n");
}

TEST_P(RedisRules, SetNxOnAKeyOfAnotherTypeLooksLikeAHeldLock) {
  run("HSET lock a 1");
  EXPECT_EQ(run("SET lock b NX"), kNil);
  EXPECT_EQ(run("GET lock"), "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n");
}

TEST_P(RedisRules, SetNxGetSaysNilWhenItHasTheLock) {
  EXPECT_EQ(run("SET lock a NX GET"), kNil);
  EXPECT_EQ(run(1, "SET lock b NX GET"), "$1\r\na\r\n");
  EXPECT_EQ(run("GET lock"), "$1\r\na\r\n");
}

TEST_P(RedisRules, AHashKeepsItsTtlThroughEveryWrite) {
  run("HSET lock a 1");
  run("PEXPIRE lock 1000");
  run("HINCRBY lock a 1");
  pass_ms(400);
  EXPECT_EQ(run("PTTL lock"), ":600\r\n");
  EXPECT_EQ(run("HDEL lock a"), ":1\r\n");
  EXPECT_EQ(run("EXISTS lock"), ":0\r\n");
}

TEST_P(RedisRules, AClockThatJumpsForwardEndsLocksEarly) {
  run("SET lock a NX PX 30000");
  pass_ms(31'500);
  EXPECT_EQ(run(1, "SET lock b NX PX 30000"), kOk);
  EXPECT_EQ(release(0, "a"), ":0\r\n");
}

TEST_P(RedisRules, AClockThatIsSetBackMakesLocksLiveLonger) {
  run("SET lock a NX PX 30000");
  pass_ms(-3'600'000);
  EXPECT_EQ(run("PTTL lock"), ":3630000\r\n");
  pass_ms(60'000);
  EXPECT_EQ(run(1, "SET lock b NX"), kNil);
}

TEST_P(RedisRules, ADeadKeyIsCountedUntilSomebodyLooks) {
  redis::ServerConfig lazy;
  lazy.active_expire = false;
  start(lazy);
  run("SET lock a PX 10");
  pass_ms(10'000);
  EXPECT_EQ(run("DBSIZE"), ":1\r\n");
  EXPECT_EQ(run("KEYS *"), "*0\r\n");
  EXPECT_EQ(run("DBSIZE"), ":1\r\n");
  EXPECT_EQ(run("DEL lock"), ":0\r\n");
  EXPECT_EQ(run("DBSIZE"), ":0\r\n");
}

TEST_P(RedisRules, AnUnlockMessageReachesOnlyWhoListensNow) {
  EXPECT_EQ(run("PUBLISH lock:free 1"), ":0\r\n");
  run(1, "SUBSCRIBE lock:free");
  EXPECT_EQ(pushed(1), "");
  EXPECT_EQ(run("PUBLISH lock:free 1"), ":1\r\n");
  EXPECT_EQ(pushed(1), "push *3\r\n$7\r\nmessage\r\n$9\r\nlock:free\r\n$1\r\n1\r\n");
  driver_->close(1);
  EXPECT_EQ(run("PUBLISH lock:free 1"), ":0\r\n");
}

TEST_P(RedisRules, EvalshaDoesNotKnowAScriptThatNobodyHasLoaded) {
  EXPECT_EQ(run("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0"),
            "-NOSCRIPT No matching script. Please use EVAL.\r\n");
  run(1, "EVAL \"return 1\" 0");
  EXPECT_EQ(run("EVALSHA E0E1F9FABFC9D4800C877A703B823AC0578FF8DB 0"), ":1\r\n");
  run("SCRIPT FLUSH");
  EXPECT_EQ(run("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0"),
            "-NOSCRIPT No matching script. Please use EVAL.\r\n");
}

TEST_P(RedisRules, AnOperatorsFlushAsksForNoToken) {
  run("SET lock a NX");
  EXPECT_EQ(run(1, "FLUSHALL"), kOk);
  EXPECT_EQ(run(2, "SET lock b NX"), kOk);
}

TEST_P(RedisRules, ASwapOfDatabasesTakesTheLockAway) {
  run("SET lock a NX PX 1000");
  driver_->told().changes.clear();
  EXPECT_EQ(run(1, "SWAPDB 0 3"), kOk);
  ASSERT_EQ(driver_->told().changes.size(), 2u);
  EXPECT_EQ(driver_->told().changes[0].key + " " + driver_->told().changes[0].text,
            "0/lock removed by 1: a -> \"\" x0, until -1");
  EXPECT_EQ(driver_->told().changes[1].key, "3/lock");
  EXPECT_EQ(run(2, "SET lock b NX"), kOk);
  run("SELECT 3");
  EXPECT_EQ(run("PTTL lock"), ":1000\r\n");
}

TEST_P(RedisRules, ABlockedPopIsServedInOrderAndTimesOutByTheWallClock) {
  EXPECT_EQ(run(1, "BLPOP q 1"), "");
  EXPECT_EQ(run(2, "BLPOP q 0"), "");
  pass_ms(1'000);
  EXPECT_EQ(pushed(1), "");
  pass_ms(1);
  EXPECT_EQ(pushed(1), kNullArray);
  EXPECT_EQ(run("RPUSH q token"), ":1\r\n");
  EXPECT_EQ(pushed(2), "*2\r\n$1\r\nq\r\n$5\r\ntoken\r\n");
  EXPECT_EQ(run("EXISTS q"), ":0\r\n");
}

// --- restarts

redis::ServerConfig keeping(redis::PersistenceKind kind) {
  redis::ServerConfig config;
  config.persistence.kind = kind;
  return config;
}

TEST_P(RedisRules, KillingTheProcessLosesNothingOfAnAppendOnlyFile) {
  using redis::PersistenceKind;
  for (const auto kind : {PersistenceKind::kAofAlways, PersistenceKind::kAofEverySecond, PersistenceKind::kAofNo}) {
    start(keeping(kind));
    run("SET lock a NX PX 4000");
    run("INCR fence");
    driver_->restart(redis::StopKind::kProcessCrash, 30'000);
    EXPECT_EQ(run("PTTL lock"), ":3970\r\n");
    EXPECT_EQ(run("SET lock b NX"), kNil);
    EXPECT_EQ(run("INCR fence"), ":2\r\n");
  }
}

TEST_P(RedisRules, AServerThatKeepsNothingComesBackEmpty) {
  run("SET lock a NX PX 60000");
  run("INCR fence");
  driver_->restart(redis::StopKind::kProcessCrash, 30'000);
  EXPECT_EQ(run(1, "SET lock b NX PX 60000"), kOk);
  EXPECT_EQ(run(1, "INCR fence"), ":1\r\n");
}

TEST_P(RedisRules, ASnapshotBringsAReleasedLockBackAndLosesANewOne) {
  start(keeping(redis::PersistenceKind::kRdb));
  run("SET lock a NX PX 60000");
  driver_->backend().save(driver_->now());
  run("DEL lock");
  run("SET fresh b NX PX 60000");
  driver_->restart(redis::StopKind::kProcessCrash, 1'000'000);
  EXPECT_EQ(run("GET lock"), "$1\r\na\r\n");
  EXPECT_EQ(run("PTTL lock"), ":59000\r\n");
  EXPECT_EQ(run("GET fresh"), kNil);
}

TEST_P(RedisRules, AShutdownIsNoCrashWhereSnapshotsAreTaken) {
  start(keeping(redis::PersistenceKind::kRdb));
  run("SET lock a NX PX 60000");
  driver_->restart(redis::StopKind::kShutdown, 1'000'000);
  EXPECT_EQ(run("GET lock"), "$1\r\na\r\n");
  run("SET lock b");
  driver_->restart(redis::StopKind::kProcessCrash, 1'000'000);
  EXPECT_EQ(run("GET lock"), "$1\r\na\r\n");
}

TEST_P(RedisRules, TimeRunsWhileAServerIsDown) {
  start(keeping(redis::PersistenceKind::kAofAlways));
  run("SET lock a NX PX 1000");
  driver_->restart(redis::StopKind::kProcessCrash, 1'001'000);
  EXPECT_EQ(run(1, "SET lock b NX"), kOk);
}

TEST_P(RedisRules, NoScriptSurvivesARestart) {
  start(keeping(redis::PersistenceKind::kAofAlways));
  run("SCRIPT LOAD \"return 1\"");
  driver_->restart(redis::StopKind::kProcessCrash, 30'000);
  EXPECT_EQ(run("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0"),
            "-NOSCRIPT No matching script. Please use EVAL.\r\n");
}

// --- what a history is told

TEST_P(RedisRules, TheObserverHearsWhatARestartHasLostAndBrought) {
  start(keeping(redis::PersistenceKind::kRdb));
  run("SET lock a");
  run("SET same v");
  driver_->backend().save(driver_->now());
  run("SET lock b");
  run("SET fresh b");
  driver_->told().changes.clear();
  driver_->restart(redis::StopKind::kProcessCrash, 1'000'000);
  std::vector<std::string> told;
  for (const auto& change : driver_->told().changes) told.push_back(change.key + " " + change.text);
  std::sort(told.begin(), told.end());
  EXPECT_EQ(told, (std::vector<std::string>{"0/fresh lost by -1: b -> \"\" x0, until -1",
                                            "0/lock loaded by -1: b -> a x0, until -1"}));
}

TEST_P(RedisRules, TheObserverHearsOfTheWholeLifeOfALock) {
  const auto texts = [&] {
    std::vector<std::string> out;
    for (const auto& change : driver_->told().changes) out.push_back(change.text);
    driver_->told().changes.clear();
    return out;
  };
  using Texts = std::vector<std::string>;
  run("SET lock a NX PX 100");
  EXPECT_EQ(texts(), Texts{"written by 0: \"\" -> a x0, until 1767225600100, new"});
  renew(0, "a", "150");
  EXPECT_EQ(texts(), Texts{"deadline by 0: a -> a x0, until 1767225600150"});
  run(1, "SET lock b NX PX 100");
  EXPECT_EQ(texts(), Texts{});
  pass_ms(250);
  EXPECT_EQ(texts(), (Texts{"ttl ended: a, 1767225600150", "expired by -1: a -> \"\" x0, until -1"}));
  run(1, "SET lock b NX PX 100");
  EXPECT_EQ(texts(), Texts{"written by 1: \"\" -> b x0, until 1767225600350, new"});
  pass_ms(101);
  EXPECT_EQ(texts(), Texts{"ttl ended: b, 1767225600350"});
  EXPECT_EQ(release(1, "b"), ":0\r\n");
  EXPECT_EQ(texts(), Texts{"expired by 1: b -> \"\" x0, until -1"});
}

TEST_P(RedisRules, TheObserverHearsWhoTookFromAListThatOthersWaitedFor) {
  run(1, "BLPOP q 0");
  driver_->told().changes.clear();
  run("RPUSH q token");
  ASSERT_EQ(driver_->told().changes.size(), 2u);
  EXPECT_EQ(driver_->told().changes[0].text, "written by 1: \"\" -> token x1, until -1, new");
  EXPECT_EQ(driver_->told().changes[1].text, "removed by 0: token -> \"\" x0, until -1");
}

}  // namespace
}  // namespace locklapse::conformance
