#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class Observer : public ServerFixture {
 protected:
  const ToldChange& last() { return observer.changes.back(); }
};

TEST_F(Observer, IsToldOwnerBeforeAndAfterAWrite) {
  run("SET k a PX 100");
  EXPECT_EQ(last().kind, KeyChangeKind::kWritten);
  EXPECT_FALSE(last().existed_before);
  EXPECT_EQ(last().owner_before, "");
  EXPECT_EQ(last().owner_after, "a");
  EXPECT_EQ(last().deadline_ms, kEpoch.ms() + 100);
  run(other, "SET k b");
  EXPECT_EQ(last().by, other);
  EXPECT_EQ(last().owner_before, "a");
  EXPECT_EQ(last().owner_after, "b");
  EXPECT_EQ(last().deadline_ms, -1);
  EXPECT_TRUE(last().existed_before);
}

TEST_F(Observer, HearsNothingOfCommandsThatChangeNothing) {
  run("SET k a");
  observer.changes.clear();
  for (const char* line : {"SET k b NX", "DEL missing", "GET k", "EXPIRE missing 1", "PERSIST k",
                           "HDEL missing f", "GETEX k", "ZREM missing m", "SET k b XX PX 0"}) {
    run(line);
    EXPECT_TRUE(observer.changes.empty()) << line;
  }
}

TEST_F(Observer, HearsOfASetOfTheSameValue) {
  run("SET k a");
  run("SET k a");
  EXPECT_EQ(observer.changes.size(), 2u);
}

TEST_F(Observer, TellsATtlChangeFromAWrite) {
  run("SET k a");
  for (const char* line : {"PEXPIRE k 100", "GETEX k PX 50", "PERSIST k"}) {
    run(line);
    EXPECT_EQ(last().kind, KeyChangeKind::kDeadline) << line;
    EXPECT_EQ(last().owner_before, "a") << line;
    EXPECT_EQ(last().owner_after, "a") << line;
  }
}

TEST_F(Observer, ReadsTheOwnerAndTheCountOfAHash) {
  run("HSET lock token-1 1");
  EXPECT_EQ(last().owner_after, "token-1");
  EXPECT_EQ(last().count_after, 1);
  run("HINCRBY lock token-1 1");
  EXPECT_EQ(last().count_after, 2);
  run("HDEL lock token-1");
  EXPECT_EQ(last().kind, KeyChangeKind::kRemoved);
  EXPECT_EQ(last().owner_before, "token-1");
  EXPECT_EQ(last().owner_after, "");
}

TEST_F(Observer, ReadsTheOwnerAndTheLengthOfAList) {
  run("RPUSH queue a b");
  EXPECT_EQ(last().owner_after, "a");
  EXPECT_EQ(last().count_after, 2);
  run("LPOP queue 2");
  EXPECT_EQ(last().kind, KeyChangeKind::kRemoved);
  EXPECT_EQ(last().owner_before, "a");
}

TEST_F(Observer, HearsOfChangesInScriptsAndTransactionsWithTheCallersName) {
  run(other, {"EVAL", "redis.call('set','k','v')", "0"});
  EXPECT_EQ(last().by, other);
  run("MULTI");
  run("DEL k");
  run("EXEC");
  EXPECT_EQ(last().by, me);
  EXPECT_EQ(last().kind, KeyChangeKind::kRemoved);
  EXPECT_EQ(last().owner_before, "v");
}

TEST_F(Observer, TellsNaturalDeathFromRemoval) {
  run("SET k a PX 10");
  advance_ms(11);
  run(other, "GET k");
  EXPECT_EQ(last().kind, KeyChangeKind::kExpired);
  EXPECT_EQ(last().by, other);
  EXPECT_EQ(last().owner_before, "a");
  run("SET k b PX 10");
  advance_ms(200);
  wake();
  EXPECT_EQ(last().kind, KeyChangeKind::kExpired);
  EXPECT_EQ(last().by, kNobody);
}

TEST_F(Observer, HearsOfEveryKeyThatAFlushTakes) {
  run("SET a 1");
  run("SET b 1 PX 5");
  run("SELECT 3");
  run("SET c 1");
  advance_ms(6);
  observer.changes.clear();
  run("FLUSHALL");
  ASSERT_EQ(observer.changes.size(), 3u);
  for (const ToldChange& change : observer.changes) {
    EXPECT_EQ(change.kind, change.key == "b" ? KeyChangeKind::kExpired : KeyChangeKind::kRemoved);
  }
  EXPECT_EQ(observer.changes.back().db, 3);
}

TEST_F(Observer, HearsOnceOfEachTtlThatEndsInOrderOfDeadlineAndName) {
  run("SET b v PX 20");
  run("SET c v PX 10");
  run("SET a v PX 20");
  EXPECT_EQ(server.next_deadline_ms(), kEpoch.ms() + 10);
  advance_ms(10);
  server.tell_ended_ttls(now);
  EXPECT_TRUE(observer.ends.empty());
  advance_ms(11);
  server.tell_ended_ttls(now);
  server.tell_ended_ttls(now);
  ASSERT_EQ(observer.ends.size(), 3u);
  EXPECT_EQ(observer.ends[0].key, "c");
  EXPECT_EQ(observer.ends[1].key, "a");
  EXPECT_EQ(observer.ends[2].key, "b");
  EXPECT_EQ(observer.ends[2].owner, "v");
  EXPECT_EQ(observer.ends[2].deadline_ms, kEpoch.ms() + 20);
  EXPECT_EQ(server.next_deadline_ms(), std::nullopt);
  EXPECT_EQ(run("DBSIZE"), ":3\r\n");
  // They are still there, and the active cycle still has to remove them.
  EXPECT_TRUE(server.next_wakeup().has_value());
}

TEST_F(Observer, HearsAgainOfAKeyWhoseDeadlineIsSetAnew) {
  run("SET k v PX 10");
  advance_ms(11);
  server.tell_ended_ttls(now);
  run("SET k w PX 10");
  advance_ms(11);
  server.tell_ended_ttls(now);
  ASSERT_EQ(observer.ends.size(), 2u);
  EXPECT_EQ(observer.ends[1].owner, "w");
}

}  // namespace
}  // namespace locklapse::redis
