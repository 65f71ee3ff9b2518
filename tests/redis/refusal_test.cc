// Why commands are refused, in which order, and who may speak nevertheless. The texts are those of a
// redis-server 7.0.15.
#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

constexpr std::string_view kNoAuth = "-NOAUTH Authentication required.\r\n";
constexpr std::string_view kOom =
    "-OOM command not allowed when used memory > 'maxmemory'.\r\n";
constexpr std::string_view kBusy =
    "-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.\r\n";

class Password : public ServerFixture {
 protected:
  Password() : ServerFixture({.password = "pw"}) {}
};

TEST_F(Password, IsAskedForBehindUnknownCommandsAndArities) {
  EXPECT_EQ(run("GET a"), kNoAuth);
  EXPECT_EQ(run("FOO"), "-ERR unknown command 'FOO', with args beginning with: \r\n");
  EXPECT_EQ(run("SET"), "-ERR wrong number of arguments for 'set' command\r\n");
  EXPECT_EQ(run("AUTH x"),
            "-WRONGPASS invalid username-password pair or user is disabled.\r\n");
  EXPECT_EQ(run("AUTH default x"),
            "-WRONGPASS invalid username-password pair or user is disabled.\r\n");
  EXPECT_EQ(run("AUTH pw"), kOk);
  EXPECT_EQ(run("PING"), "+PONG\r\n");
  EXPECT_EQ(run("RESET"), "+RESET\r\n");
  EXPECT_EQ(run("PING"), kNoAuth);
}

TEST_F(Password, CanComeWithHello) {
  EXPECT_EQ(run("HELLO 3"),
            "-NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO "
            "AUTH <user> <pass> option can be used to authenticate the client and select the RESP "
            "protocol version at the same time\r\n");
  EXPECT_TRUE(run("HELLO 3 AUTH default pw").starts_with("%7\r\n"));
  EXPECT_EQ(run("GET a"), "_\r\n");
}

TEST_F(Password, IsNotAskedForOnceItIsTakenAway) {
  run(other, "AUTH pw");
  run(other, "CONFIG SET requirepass ''");
  // Who was there before still has to say it.
  EXPECT_EQ(run("PING"), kNoAuth);
  EXPECT_EQ(run(server.connect(), "PING"), "+PONG\r\n");
}

using Refusal = ServerFixture;

TEST_F(Refusal, OfAuthWithoutAPassword) {
  EXPECT_EQ(run("AUTH p"),
            "-ERR AUTH <password> called without any password configured for the default user. Are "
            "you sure your configuration is correct?\r\n");
  EXPECT_EQ(run("AUTH default p"), kOk);
  EXPECT_EQ(run("AUTH a b c"), kSyntaxError);
}

TEST_F(Refusal, OfCommandsThatCannotStandInATransaction) {
  run("MULTI");
  EXPECT_EQ(run("SAVE"), "-ERR Command not allowed inside a transaction\r\n");
  EXPECT_EQ(run("EXEC"), "-EXECABORT Transaction discarded because of previous errors.\r\n");
}

TEST_F(Refusal, OfWritesWhenMemoryIsFull) {
  run("SET a 1");
  run("CONFIG SET maxmemory 1");
  EXPECT_EQ(run("SET b 1"), kOom);
  EXPECT_EQ(run("HSET h f v"), kOom);
  EXPECT_EQ(run("INCR n"), kOom);
  // Renewal, release, reads and messages go on.
  EXPECT_EQ(run("GET a"), bulk("1"));
  EXPECT_EQ(run("PEXPIRE a 1000"), ":1\r\n");
  EXPECT_EQ(run("PUBLISH c m"), ":0\r\n");
  EXPECT_EQ(run("DEL a"), ":1\r\n");
}

TEST_F(Refusal, OfAWholeTransactionWhenMemoryIsFull) {
  run("SET a 1");
  run("CONFIG SET maxmemory 1");
  EXPECT_EQ(run("MULTI"), kOk);
  EXPECT_EQ(run("GET a"), kOom);
  EXPECT_EQ(run("EXEC"), "-EXECABORT Transaction discarded because of previous errors.\r\n");
}

TEST_F(Refusal, OfScriptsByTheirFirstWriteOrTheirFlags) {
  run("SET a 1");
  run("CONFIG SET maxmemory 1");
  EXPECT_EQ(eval("return redis.call('set','a','1')"),
            "-OOM command not allowed when used memory > 'maxmemory'. script: "
            "67ed14c1cb086d8c2fcf91ebe13410ba087fd0f8, on @user_script:1.\r\n");
  EXPECT_EQ(eval("return redis.pcall('set','b','1')"), kOom);
  EXPECT_EQ(eval("redis.call('del','x') return redis.call('set','b','1')"), kOk);
  EXPECT_EQ(eval("#!lua\nreturn 1"), kOom);
  EXPECT_EQ(eval("#!lua flags=no-writes\nreturn 1"), ":1\r\n");
  EXPECT_EQ(eval("#!lua flags=allow-oom\nreturn redis.call('set','b','1')"), kOk);
}

class Snapshots : public ServerFixture {
 protected:
  Snapshots() : ServerFixture({.persistence = {.kind = PersistenceKind::kRdb}}) {
    run("SET a 1");
    server.set_save_failing(true);
  }
  static constexpr std::string_view kMisconf =
      "-MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to "
      "disk. Commands that may modify the data set are disabled, because this instance is configured "
      "to report errors during writes if RDB snapshotting fails (stop-writes-on-bgsave-error "
      "option). Please check the Redis logs for details about the RDB error.\r\n";
};

TEST_F(Snapshots, ThatCannotBeSavedForbidWritesAndPing) {
  EXPECT_EQ(run("SET a 2"), kMisconf);
  EXPECT_EQ(run("DEL a"), kMisconf);
  EXPECT_EQ(run("PING"), kMisconf);
  EXPECT_EQ(run("GET a"), bulk("1"));
  EXPECT_EQ(eval("return redis.pcall('del','a')"), kMisconf);
  run("CONFIG SET stop-writes-on-bgsave-error no");
  EXPECT_EQ(run("DEL a"), ":1\r\n");
}

TEST_F(Refusal, WhileAScriptRunsTooLong) {
  server.set_busy_script(BusyScript::kReadOnly);
  EXPECT_EQ(run("GET a"), kBusy);
  EXPECT_EQ(run("PING"), kBusy);
  EXPECT_EQ(run("MULTI"), kOk);
  EXPECT_EQ(run("GET a"), kBusy);
  EXPECT_EQ(run("DISCARD"), kOk);
  EXPECT_EQ(run("HELLO 4"), "-NOPROTO unsupported protocol version\r\n");
  EXPECT_EQ(run("SCRIPT KILL"), kOk);
  EXPECT_TRUE(server.take_script_kill());
  EXPECT_FALSE(server.take_script_kill());
  server.set_busy_script(BusyScript::kHasWritten);
  EXPECT_EQ(run("SCRIPT KILL"),
            "-UNKILLABLE Sorry the script already executed write commands against the dataset. You "
            "can either wait the script termination or kill the server in a hard way using the "
            "SHUTDOWN NOSAVE command.\r\n");
  EXPECT_FALSE(server.take_script_kill());
  server.set_busy_script(BusyScript::kNone);
  EXPECT_EQ(run("SCRIPT KILL"), "-NOTBUSY No scripts in execution right now.\r\n");
}

TEST_F(Refusal, TellsValkeysNameWhereItIsOne) {
  Server valkey(*memory, engine(), {.dialect = Dialect::kValkey8}, nullptr);
  valkey.set_busy_script(BusyScript::kReadOnly);
  Outbox sent(memory);
  const std::string_view argv[] = {"PING"};
  valkey.execute(valkey.connect(), argv, now, sent);
  EXPECT_TRUE(sent.at(0).reply.text().starts_with("BUSY Valkey is busy running a script."));
}

class NoDebug : public ServerFixture {
 protected:
  NoDebug() : ServerFixture({.debug_commands = false}) {}
};

TEST_F(NoDebug, RefusesDebugCommands) {
  EXPECT_EQ(run("DEBUG SLEEP 1"),
            "-ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", "
            "you can run it from a local connection, otherwise you need to set this option in the "
            "configuration file, and then restart the server.\r\n");
  EXPECT_EQ(server.take_busy_ms(), 0);
}

TEST_F(Refusal, IsNoneButAPauseHoldsCommandsAndRunsThemLaterInOrder) {
  run("SET lock a");
  EXPECT_EQ(run("CLIENT PAUSE 1000"), kOk);
  EXPECT_EQ(run(other, "SET lock b PX 500"), "");
  EXPECT_EQ(run(other, "GET lock"), "");
  advance_ms(1000);
  wake();
  EXPECT_EQ(read(other), "");
  advance_ms(1);
  EXPECT_EQ(server.next_wakeup(), now);
  wake();
  EXPECT_EQ(read(other), std::string(kOk) + bulk("b"));
  // A TTL counts from execution.
  EXPECT_EQ(run("PTTL lock"), ":500\r\n");
}

TEST_F(Refusal, IsNoneButAPauseOfWritesHoldsEveryEvalAndPublish) {
  run("CLIENT PAUSE 1000 WRITE");
  EXPECT_EQ(run("GET a"), kNil);
  EXPECT_EQ(run("EVAL_RO 'return 1' 0"), ":1\r\n");
  EXPECT_EQ(run("DEL a"), "");
  const ConnectionId third = server.connect();
  EXPECT_EQ(run(third, "EVAL 'return 1' 0"), "");
  EXPECT_EQ(run(server.connect(), "PUBLISH c m"), "");
  EXPECT_EQ(run(other, "CLIENT UNPAUSE"), kOk);
  EXPECT_EQ(read(third), ":1\r\n");
  EXPECT_EQ(read(me), ":0\r\n");
}

TEST_F(Refusal, IsNoneButAPauseKeepsDeadKeysWhereTheyAre) {
  run("SET lock a PX 100");
  run("CLIENT PAUSE 1000 WRITE");
  advance_ms(500);
  wake();
  EXPECT_EQ(run("GET lock"), kNil);
  EXPECT_EQ(run("DBSIZE"), ":1\r\n");
  advance_ms(501);
  wake();
  EXPECT_EQ(run("DBSIZE"), ":0\r\n");
}

TEST_F(Refusal, IsGivenUpWithTheConnectionThatAPauseHolds) {
  run("CLIENT PAUSE 1000");
  run(other, "SET k v");
  server.disconnect(other);
  advance_ms(1001);
  wake();
  EXPECT_EQ(run("GET k"), kNil);
}

}  // namespace
}  // namespace locklapse::redis
