#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class Transactions : public ServerFixture {
 protected:
  static constexpr std::string_view kAborted =
      "-EXECABORT Transaction discarded because of previous errors.\r\n";

  // EXEC of a transaction that read-modify-writes k.
  std::string exec() {
    run("MULTI");
    run("SET k mine");
    return run("EXEC");
  }
};

TEST_F(Transactions, QueueAndRunInOrder) {
  EXPECT_EQ(run("MULTI"), kOk);
  EXPECT_EQ(run("SET a 1"), "+QUEUED\r\n");
  EXPECT_EQ(run("INCR a"), "+QUEUED\r\n");
  EXPECT_EQ(run(other, "GET a"), kNil);
  EXPECT_EQ(run("EXEC"), "*2\r\n+OK\r\n:2\r\n");
  EXPECT_EQ(run("GET a"), bulk("2"));
}

TEST_F(Transactions, RefuseMisuseWithTheirOwnErrors) {
  EXPECT_EQ(run("EXEC"), "-ERR EXEC without MULTI\r\n");
  EXPECT_EQ(run("DISCARD"), "-ERR DISCARD without MULTI\r\n");
  run("MULTI");
  EXPECT_EQ(run("MULTI"), "-ERR MULTI calls can not be nested\r\n");
  EXPECT_EQ(run("WATCH k"), "-ERR WATCH inside MULTI is not allowed\r\n");
  EXPECT_EQ(run("EXEC"), "*0\r\n");
}

TEST_F(Transactions, AnErrorWhileQueueingSpoilsTheWhole) {
  for (const char* line : {"GET", "NOSUCH x", "SCRIPT NOPE"}) {
    run("MULTI");
    run("SET k v");
    run(line);
    EXPECT_EQ(run("EXEC"), kAborted) << line;
    EXPECT_EQ(run("EXISTS k"), ":0\r\n") << line;
  }
  EXPECT_EQ(run("EXEC now"),
            "-EXECABORT Transaction discarded because of: wrong number of arguments "
            "for 'exec' command\r\n");
}

TEST_F(Transactions, AnErrorWhileRunningIsOneElement) {
  run("SET s text");
  run("MULTI");
  run("INCR s");
  run("SET t 1");
  EXPECT_EQ(run("EXEC"), "*2\r\n" + std::string(kNotAnInteger) + "+OK\r\n");
}

TEST_F(Transactions, DiscardForgetsQueueAndWatches) {
  run("WATCH k");
  run("MULTI");
  run("SET k v");
  EXPECT_EQ(run("DISCARD"), kOk);
  run(other, "SET k other");
  EXPECT_EQ(exec(), "*1\r\n+OK\r\n");
}

TEST_F(Transactions, AWatchedKeyThatChangesBreaksThem) {
  const char* const kChanges[] = {"SET k v",        "SET k same",
                                  "PEXPIRE k 1000", "DEL k",
                                  "FLUSHALL",       "GETEX k PX 5000",
                                  "APPEND k x",     "PERSIST k",
                                  "PEXPIRE k 0",    "EVAL return(redis.call('del','k')) 0"};
  for (const char* change : kChanges) {
    run("SET k same PX 5000");
    run("WATCH k");
    if (std::string_view(change).starts_with("EVAL")) {
      run(other, {"EVAL", "return redis.call('del','k')", "0"});
    } else {
      run(other, change);
    }
    EXPECT_EQ(exec(), "*-1\r\n") << change;
  }
}

TEST_F(Transactions, BreakEvenWhenTheSameConnectionChangedTheKey) {
  run("WATCH k");
  run("SET k v");
  EXPECT_EQ(exec(), "*-1\r\n");
}

TEST_F(Transactions, BreakWhenTheKeyWasCreatedAndDeletedAgain) {
  run("WATCH k");
  run(other, "SET k v");
  run(other, "DEL k");
  EXPECT_EQ(exec(), "*-1\r\n");
}

TEST_F(Transactions, AreNotBrokenByWhatChangesNothing) {
  for (const char* line :
       {"SET k v NX", "DEL missing", "GET k", "FLUSHDB x", "PEXPIRE missing 1"}) {
    run("SET k v");
    run("WATCH k missing");
    run(other, line);
    EXPECT_EQ(exec(), "*1\r\n+OK\r\n") << line;
  }
  run("DEL k");
  run("WATCH k");
  run(other, "FLUSHALL");
  EXPECT_EQ(exec(), "*1\r\n+OK\r\n");
}

TEST_F(Transactions, BreakWhenAWatchedKeyDiesUntouched) {
  run("SET k v PX 10");
  run("WATCH k");
  advance_ms(11);
  EXPECT_EQ(exec(), "*-1\r\n");
}

TEST_F(Transactions, DoNotBreakWhenAKeyThatWasDeadAlreadyIsRemoved) {
  run("SET k v PX 10");
  advance_ms(11);
  run("WATCH k");
  run(other, "GET k");
  EXPECT_EQ(exec(), "*1\r\n+OK\r\n");
}

TEST_F(Transactions, BreakWhenAKeyThatWasDeadAlreadyIsWrittenAgain) {
  run("SET k v PX 10");
  advance_ms(11);
  run("WATCH k");
  run(other, "SET k w");
  EXPECT_EQ(exec(), "*-1\r\n");
}

TEST_F(Transactions, UnwatchMakesThemSafeAgain) {
  run("WATCH k");
  run(other, "SET k v");
  EXPECT_EQ(run("UNWATCH"), kOk);
  EXPECT_EQ(exec(), "*1\r\n+OK\r\n");
}

TEST_F(Transactions, WatchesBelongToADatabase) {
  run("WATCH k");
  run(other, "SELECT 1");
  run(other, "SET k v");
  EXPECT_EQ(exec(), "*1\r\n+OK\r\n");
}

TEST_F(Transactions, DieWithTheirConnection) {
  run(other, "MULTI");
  run(other, "SET k v");
  server.disconnect(other);
  EXPECT_EQ(run("EXISTS k"), ":0\r\n");
  EXPECT_EQ(run(other, "EXEC"), "");
}

TEST_F(Transactions, MayHoldABlockingCommandThatThenDoesNotBlock) {
  run("MULTI");
  run("BLPOP list 0");
  EXPECT_EQ(run("EXEC"), "*1\r\n*-1\r\n");
}

TEST_F(Transactions, WriteTheMessagesOfASubscriptionInPlaceOfAResult) {
  run("MULTI");
  run("SUBSCRIBE a b");
  run("PING");
  EXPECT_EQ(
      run("EXEC"),
      "*2\r\n*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n*3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:2\r\n"
      "*2\r\n$4\r\npong\r\n$0\r\n\r\n");
}

TEST_F(Transactions, AreLeftByReset) {
  run("SELECT 2");
  run("MULTI");
  run("SET k v");
  EXPECT_EQ(run("RESET"), "+RESET\r\n");
  EXPECT_EQ(run("EXEC"), "-ERR EXEC without MULTI\r\n");
  EXPECT_EQ(run("SET zero 1"), kOk);
  EXPECT_EQ(run(other, "EXISTS zero"), ":1\r\n");
}

}  // namespace
}  // namespace locklapse::redis
