#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class Expiry : public ServerFixture {};
class ExpireCommands : public ServerFixture {};

// The boundary, to the microsecond: alive while the millisecond reads at most the deadline.
TEST_F(Expiry, AKeyLivesThroughTheMillisecondOfItsDeadline) {
  run("SET k v PX 100");
  const struct {
    std::int64_t us;
    const char* pttl;
  } kRows[] = {{99'000, ":1\r\n"}, {99'999, ":1\r\n"}, {100'000, ":0\r\n"}, {100'999, ":0\r\n"}};
  for (const auto& row : kRows) {
    now.us = kEpoch.us + row.us;
    EXPECT_EQ(run("PTTL k"), row.pttl) << row.us;
    EXPECT_EQ(run("GET k"), bulk("v")) << row.us;
  }
  now.us = kEpoch.us + 101'000;
  EXPECT_EQ(run("PTTL k"), ":-2\r\n");
  EXPECT_EQ(run("GET k"), kNil);
}

TEST_F(Expiry, CountsFromTheWholeMillisecondOfExecution) {
  now.us += 999;
  run("SET k v PX 1");
  now.us += 1;
  EXPECT_EQ(run("PTTL k"), ":0\r\n");
  now.us += 1000;
  EXPECT_EQ(run("PTTL k"), ":-2\r\n");
}

TEST_F(Expiry, AClockStepMovesEveryDeadline) {
  run("SET k v PX 30000");
  advance_ms(29'000);
  EXPECT_EQ(run("PTTL k"), ":1000\r\n");
  advance_ms(-29'000 - 3'600'000);
  EXPECT_EQ(run("PTTL k"), ":3630000\r\n");
}

TEST_F(Expiry, DeadKeysCountInDbsizeUntilTheyAreTouched) {
  run("SET a v PX 10");
  run("SET b v PX 10");
  advance_ms(11);
  EXPECT_EQ(run("KEYS *"), "*0\r\n");
  EXPECT_EQ(run("DBSIZE"), ":2\r\n");
  EXPECT_EQ(run("DEL a"), ":0\r\n");
  EXPECT_EQ(run("DBSIZE"), ":1\r\n");
  EXPECT_EQ(run("SCAN 0"), "*2\r\n$1\r\n0\r\n*0\r\n");
  EXPECT_EQ(run("DBSIZE"), ":0\r\n");
}

TEST_F(Expiry, TheActiveCycleRemovesAKeyAtTheFirstTickAfterItsDeath) {
  run("SET k v PX 250");
  ASSERT_TRUE(server.next_wakeup().has_value());
  EXPECT_EQ(server.next_wakeup()->us, kEpoch.us + 300'000);
  advance_ms(299);
  wake();
  EXPECT_EQ(run("DBSIZE"), ":1\r\n");
  advance_ms(1);
  wake();
  EXPECT_EQ(run("DBSIZE"), ":0\r\n");
  EXPECT_FALSE(server.next_wakeup().has_value());
}

TEST_F(Expiry, ADeadlineOnATickIsNotYetOverAtThatTick) {
  run("SET k v PX 300");
  EXPECT_EQ(server.next_wakeup()->us, kEpoch.us + 400'000);
}

TEST_F(Expiry, AScriptSeesTheTimeOfItsStart) {
  run("SET k v PX 10");
  advance_ms(10);
  EXPECT_EQ(eval("return {redis.call('pttl','k'), redis.call('get','k')}"),
            "*2\r\n:0\r\n$1\r\nv\r\n");
}

TEST_F(ExpireCommands, AnswerOneOnAKeyAndZeroWithoutOne) {
  EXPECT_EQ(run("EXPIRE k 10"), ":0\r\n");
  run("SET k v");
  EXPECT_EQ(run("EXPIRE k 10"), ":1\r\n");
  EXPECT_EQ(run("PTTL k"), ":10000\r\n");
  EXPECT_EQ(run("PEXPIRE k 1500"), ":1\r\n");
  EXPECT_EQ(run("PTTL k"), ":1500\r\n");
  EXPECT_EQ(run("EXPIREAT k 1767225700"), ":1\r\n");
  EXPECT_EQ(run("EXPIRETIME k"), ":1767225700\r\n");
  EXPECT_EQ(run("PEXPIREAT k 1767225600001"), ":1\r\n");
  EXPECT_EQ(run("PEXPIRETIME k"), ":1767225600001\r\n");
}

TEST_F(ExpireCommands, DeleteTheKeyWhenTheTimeIsOver) {
  for (const char* line : {"EXPIRE k 0", "PEXPIRE k 0", "PEXPIRE k -1", "EXPIREAT k 1",
                           "PEXPIREAT k 1767225600000", "PEXPIRE k -9223372036854775808"}) {
    run("SET k v");
    EXPECT_EQ(run(line), ":1\r\n") << line;
    EXPECT_EQ(run("EXISTS k"), ":0\r\n") << line;
    EXPECT_EQ(observer.changes.back().kind, KeyChangeKind::kRemoved) << line;
  }
}

TEST_F(ExpireCommands, ObeyTheirConditions) {
  const struct {
    const char* before;
    const char* line;
    const char* reply;
  } kRows[] = {
      {"SET k v", "EXPIRE k 10 NX", ":1\r\n"},
      {"SET k v EX 5", "EXPIRE k 10 NX", ":0\r\n"},
      {"SET k v", "EXPIRE k 10 XX", ":0\r\n"},
      {"SET k v EX 5", "EXPIRE k 10 XX", ":1\r\n"},
      {"SET k v", "EXPIRE k 10 GT", ":0\r\n"},
      {"SET k v", "EXPIRE k 10 LT", ":1\r\n"},
      {"SET k v EX 10", "EXPIRE k 10 GT", ":0\r\n"},
      {"SET k v EX 10", "EXPIRE k 10 LT", ":0\r\n"},
      {"SET k v EX 10", "EXPIRE k 11 GT", ":1\r\n"},
      {"SET k v EX 10", "EXPIRE k 9 xx lt", ":1\r\n"},
      {"SET k v EX 10", "EXPIRE k 0 GT", ":0\r\n"},
  };
  for (const auto& row : kRows) {
    run(row.before);
    EXPECT_EQ(run(row.line), row.reply) << row.before << "; " << row.line;
  }
}

TEST_F(ExpireCommands, RefuseBadArguments) {
  run("SET k v");
  EXPECT_EQ(run("EXPIRE k 1 NX XX"),
            "-ERR NX and XX, GT or LT options at the same time are not compatible\r\n");
  EXPECT_EQ(run("EXPIRE k 1 GT LT"),
            "-ERR GT and LT options at the same time are not compatible\r\n");
  EXPECT_EQ(run("EXPIRE k abc ZZ"), "-ERR Unsupported option ZZ\r\n");
  EXPECT_EQ(run("EXPIRE k abc"), kNotAnInteger);
  EXPECT_EQ(run("EXPIRE k 9223372036854775807"),
            "-ERR invalid expire time in 'expire' command\r\n");
  EXPECT_EQ(run("PEXPIRE k 9223372036854775807"),
            "-ERR invalid expire time in 'pexpire' command\r\n");
}

TEST_F(ExpireCommands, TtlRoundsToTheNearestSecond) {
  const struct {
    const char* set;
    const char* ttl;
  } kRows[] = {{"SET k v PX 499", ":0\r\n"},
               {"SET k v PX 500", ":1\r\n"},
               {"SET k v PX 1499", ":1\r\n"},
               {"SET k v PX 1510", ":2\r\n"},
               {"SET k v", ":-1\r\n"}};
  for (const auto& row : kRows) {
    run(row.set);
    EXPECT_EQ(run("TTL k"), row.ttl) << row.set;
  }
  EXPECT_EQ(run("TTL missing"), ":-2\r\n");
  EXPECT_EQ(run("PEXPIRETIME missing"), ":-2\r\n");
}

TEST_F(ExpireCommands, PersistTakesTheTtlAway) {
  run("SET k v EX 5");
  EXPECT_EQ(run("PERSIST k"), ":1\r\n");
  EXPECT_EQ(run("PERSIST k"), ":0\r\n");
  EXPECT_EQ(run("PERSIST missing"), ":0\r\n");
  EXPECT_EQ(run("TTL k"), ":-1\r\n");
}

}  // namespace
}  // namespace locklapse::redis
