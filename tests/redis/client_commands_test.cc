// HELLO, CLIENT, CONFIG, INFO, MONITOR, SLOWLOG, DEBUG. Replies recorded from a redis-server 7.0.15.
#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

using ClientCommands = ServerFixture;

TEST_F(ClientCommands, TellWhoTheServerIs) {
  EXPECT_EQ(run("HELLO"),
            "*14\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n7.0.15\r\n$5\r\nproto\r\n"
            ":2\r\n$2\r\nid\r\n:1\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster"
            "\r\n$7\r\nmodules\r\n*0\r\n");
  EXPECT_EQ(run("HELLO 3 SETNAME bob").substr(0, 4), "%7\r\n");
  EXPECT_EQ(run("CLIENT GETNAME"), bulk("bob"));
  EXPECT_EQ(run("HELLO 4"), "-NOPROTO unsupported protocol version\r\n");
  EXPECT_EQ(run("HELLO x"), "-ERR Protocol version is not an integer or out of range\r\n");
  EXPECT_EQ(run("HELLO 3 FOO"), "-ERR Syntax error in HELLO option 'FOO'\r\n");
  EXPECT_EQ(run("HELLO 3 AUTH a"), "-ERR Syntax error in HELLO option 'AUTH'\r\n");
  EXPECT_EQ(run("HELLO 2 SETNAME 'a b'"),
            "-ERR Client names cannot contain spaces, newlines or special characters.\r\n");
}

TEST_F(ClientCommands, SpeakResp3OnceAskedTo) {
  run("HELLO 3");
  run("HSET h f v");
  EXPECT_EQ(run("HGETALL h"), "%1\r\n$1\r\nf\r\n$1\r\nv\r\n");
  run("ZADD z 1.5 m");
  EXPECT_EQ(run("ZSCORE z m"), ",1.5\r\n");
  EXPECT_EQ(run("ZRANGE z 0 -1 WITHSCORES"), "*1\r\n*2\r\n$1\r\nm\r\n,1.5\r\n");
  run("SADD s a");
  EXPECT_EQ(run("SMEMBERS s"), "~1\r\n$1\r\na\r\n");
  EXPECT_EQ(run("GET missing"), "_\r\n");
  EXPECT_EQ(run("CONFIG GET maxmemory"), "%1\r\n$9\r\nmaxmemory\r\n$1\r\n0\r\n");
  EXPECT_EQ(run("INFO nothing"), "=4\r\ntxt:\r\n");
  run("WATCH k");
  run(other, "SET k v");
  run("MULTI");
  EXPECT_EQ(run("EXEC"), "_\r\n");
  run("RESET");
  EXPECT_EQ(run("GET missing"), kNil);
}

TEST_F(ClientCommands, PushMessagesInResp3AndGoOnTakingCommands) {
  run("HELLO 3");
  EXPECT_EQ(run("SUBSCRIBE a"), ">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n");
  EXPECT_EQ(run("PING"), "+PONG\r\n");
  EXPECT_EQ(run("GET a"), "_\r\n");
  EXPECT_EQ(run("PUBLISH a b"), ">3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nb\r\n:1\r\n");
  EXPECT_EQ(run("UNSUBSCRIBE a"), ">3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n");
}

TEST_F(ClientCommands, GiveScriptsResp3WhereTheyAskForIt) {
  run("HSET h f v");
  EXPECT_EQ(eval("redis.setresp(3) return redis.call('hgetall','h').map.f"), bulk("v"));
  EXPECT_EQ(eval("redis.setresp(3) return redis.call('get','x') == nil"), ":1\r\n");
  EXPECT_EQ(eval("return redis.call('get','x') == false"), ":1\r\n");
  run("HELLO 3");
  EXPECT_EQ(eval("redis.setresp(3) return redis.call('hgetall','h')"),
            "%1\r\n$1\r\nf\r\n$1\r\nv\r\n");
  EXPECT_EQ(eval("redis.setresp(3) return true"), "#t\r\n");
  EXPECT_EQ(eval("return {double=1.5}"), ",1.5\r\n");
}

TEST_F(ClientCommands, NameClients) {
  EXPECT_EQ(run("CLIENT ID"), ":1\r\n");
  EXPECT_EQ(run("CLIENT GETNAME"), kNil);
  EXPECT_EQ(run("CLIENT SETNAME x"), kOk);
  EXPECT_EQ(run("CLIENT GETNAME"), bulk("x"));
  EXPECT_EQ(run("CLIENT SETNAME ''"), kOk);
  EXPECT_EQ(run("CLIENT GETNAME"), kNil);
  EXPECT_EQ(run("CLIENT SETNAME 'a b'"),
            "-ERR Client names cannot contain spaces, newlines or special characters.\r\n");
  EXPECT_EQ(run("CLIENT NOPE"), "-ERR unknown subcommand 'NOPE'. Try CLIENT HELP.\r\n");
  EXPECT_EQ(run("CLIENT SETINFO LIB-NAME a"),
            "-ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.\r\n");
  EXPECT_EQ(run("CLIENT"), "-ERR wrong number of arguments for 'client' command\r\n");
  EXPECT_EQ(run("CLIENT NO-EVICT x"), kSyntaxError);
}

TEST_F(ClientCommands, KillOthersWithoutAWord) {
  run(other, "SUBSCRIBE c");
  EXPECT_EQ(run("CLIENT KILL a:1"), "-ERR No such client\r\n");
  EXPECT_EQ(run("CLIENT KILL ID x"), "-ERR client-id should be greater than 0\r\n");
  EXPECT_EQ(run("CLIENT KILL TYPE foo"), "-ERR Unknown client type 'foo'\r\n");
  EXPECT_EQ(run("CLIENT KILL USER foo"), "-ERR No such user 'foo'\r\n");
  EXPECT_EQ(run("CLIENT KILL FOO 1"), kSyntaxError);
  EXPECT_EQ(run("CLIENT KILL TYPE normal SKIPME x"), kSyntaxError);
  EXPECT_EQ(run("CLIENT KILL ID 99"), ":0\r\n");
  EXPECT_EQ(run("CLIENT KILL TYPE normal"), ":0\r\n");
  Outbox sent(memory);
  const std::string_view argv[] = {"CLIENT", "KILL", "TYPE", "pubsub"};
  server.execute(me, argv, now, sent);
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0].to, other);
  EXPECT_TRUE(sent[0].push && sent[0].closes);
  EXPECT_EQ(bytes_of(sent[1].reply), ":1\r\n");
  EXPECT_EQ(run("PUBLISH c m"), ":0\r\n");
}

TEST_F(ClientCommands, AnswerBeforeAClientThatKillsItselfIsGone) {
  EXPECT_EQ(run("CLIENT KILL ID 1 SKIPME no"), ":1\r\n");
  EXPECT_EQ(run("PING"), "");
}

TEST_F(ClientCommands, KeepQuietWhenAskedTo) {
  EXPECT_EQ(run("CLIENT REPLY FOO"), kSyntaxError);
  EXPECT_EQ(run("CLIENT REPLY SKIP"), "");
  EXPECT_EQ(run("PING"), "");
  EXPECT_EQ(run("PING"), "+PONG\r\n");
  EXPECT_EQ(run("CLIENT REPLY OFF"), "");
  EXPECT_EQ(run("SET k v"), "");
  EXPECT_EQ(run("CLIENT REPLY ON"), kOk);
  EXPECT_EQ(run("GET k"), bulk("v"));
}

TEST_F(ClientCommands, RefuseBadPauses) {
  EXPECT_EQ(run("CLIENT PAUSE x"), "-ERR timeout is not an integer or out of range\r\n");
  EXPECT_EQ(run("CLIENT PAUSE -1"), "-ERR timeout is negative\r\n");
  EXPECT_EQ(run("CLIENT PAUSE 1 FOO"), "-ERR CLIENT PAUSE mode must be WRITE or ALL\r\n");
}

TEST_F(ClientCommands, EndBlockedCommandsOfOthers) {
  run(other, "BLPOP q 0");
  EXPECT_EQ(run("CLIENT UNBLOCK 99"), ":0\r\n");
  EXPECT_EQ(run("CLIENT UNBLOCK 2 FOO"),
            "-ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR\r\n");
  EXPECT_EQ(run("CLIENT UNBLOCK 2"), ":1\r\n");
  EXPECT_EQ(read(other), "*-1\r\n");
  run(other, "BLPOP q 0");
  EXPECT_EQ(run("CLIENT UNBLOCK 2 ERROR"), ":1\r\n");
  EXPECT_EQ(read(other), "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
}

using ConfigCommand = ServerFixture;

TEST_F(ConfigCommand, GivesBackWhatWasSet) {
  const char* const kPairs[][2] = {{"maxmemory 1mb", "1048576"},
                                   {"maxmemory-policy volatile-ttl", "volatile-ttl"},
                                   {"notify-keyspace-events KEA", "AKE"},
                                   {"notify-keyspace-events KEmn", "nKEm"},
                                   {"notify-keyspace-events AnKEm", "AKEm"},
                                   {"appendfsync always", "always"},
                                   {"save '60 1'", "60 1"},
                                   {"slowlog-log-slower-than 5", "5"},
                                   {"requirepass secret", "secret"},
                                   {"min-replicas-to-write 1", "1"},
                                   {"timeout 7", "7"}};
  for (const auto& [pair, value] : kPairs) {
    const std::string name = words_of(pair)[0];
    EXPECT_EQ(run("CONFIG SET " + std::string(pair)), kOk) << pair;
    EXPECT_EQ(run("CONFIG GET " + name), "*2\r\n" + bulk(name) + bulk(value)) << pair;
  }
  EXPECT_EQ(run("CONFIG GET foo"), "*0\r\n");
  EXPECT_EQ(run("CONFIG GET MAXMEMORY"), "*2\r\n" + bulk("MAXMEMORY") + bulk("1048576"));
  EXPECT_EQ(run("CONFIG GET MAXMEMORY-P*"),
            "*2\r\n" + bulk("maxmemory-policy") + bulk("volatile-ttl"));
}

TEST_F(ConfigCommand, SaysWhatIsWrong) {
  const char* const kWrong[][2] = {
      {"maxmemory", "argument must be a memory value"},
      {"maxmemory-policy",
       "argument(s) must be one of the following: volatile-lru, volatile-lfu, volatile-random, "
       "volatile-ttl, allkeys-lru, allkeys-lfu, allkeys-random, noeviction"},
      {"notify-keyspace-events", "Invalid event class character. Use 'Ag$lshzxeKEtmdn'."},
      {"min-replicas-to-write", "argument couldn't be parsed into an integer"},
      {"appendonly", "argument must be 'yes' or 'no'"},
      {"appendfsync", "argument(s) must be one of the following: everysec, always, no"},
      {"save", "Invalid save parameters"},
      {"databases", "can't set immutable config"}};
  for (const auto& [name, why] : kWrong) {
    EXPECT_EQ(run(std::string("CONFIG SET ") + name + " foo"),
              std::string("-ERR CONFIG SET failed (possibly related to argument '") + name +
                  "') - " + why + "\r\n");
  }
  EXPECT_EQ(run("CONFIG SET min-replicas-to-write -1"),
            "-ERR CONFIG SET failed (possibly related to argument 'min-replicas-to-write') - argument "
            "must be between 0 and 2147483647 inclusive\r\n");
  EXPECT_EQ(run("CONFIG SET maxmemory 1 foo"), kSyntaxError);
  EXPECT_EQ(run("CONFIG SET maxmemory 100kb maxmemory 1"),
            "-ERR CONFIG SET failed (possibly related to argument 'maxmemory') - duplicate "
            "parameter\r\n");
  EXPECT_EQ(run("CONFIG REWRITE"), "-ERR The server is running without a config file\r\n");
}

TEST_F(ConfigCommand, SetsAllOrNothing) {
  EXPECT_EQ(run("CONFIG SET maxmemory 5 foo 1"),
            "-ERR Unknown option or number of arguments for CONFIG SET - 'foo'\r\n");
  EXPECT_EQ(run("CONFIG SET maxmemory 5 appendfsync foo").substr(0, 4), "-ERR");
  EXPECT_EQ(run("CONFIG GET maxmemory"), "*2\r\n$9\r\nmaxmemory\r\n$1\r\n0\r\n");
}

TEST_F(ConfigCommand, IsForgottenWhenTheProcessEnds) {
  run("CONFIG SET maxmemory 5 timeout 7");
  server.stop(StopKind::kProcessCrash, now);
  server.start(now);
  me = server.connect();
  EXPECT_EQ(run("CONFIG GET maxmemory"), "*2\r\n$9\r\nmaxmemory\r\n$1\r\n0\r\n");
  EXPECT_EQ(run("CONFIG GET timeout"), "*2\r\n$7\r\ntimeout\r\n$1\r\n0\r\n");
}

using Info = ServerFixture;

TEST_F(Info, CountsDeadLocksInItsKeyspace) {
  run("SET a 1");
  run("SET b 1 PX 10");
  advance_ms(11);
  EXPECT_EQ(run("INFO keyspace"), bulk("# Keyspace\r\ndb0:keys=2,expires=1,avg_ttl=0\r\n"));
  EXPECT_EQ(run("INFO nothing"), bulk(""));
}

using Monitor = ServerFixture;

TEST_F(Monitor, ShowsWhatRanAsItWasTyped) {
  EXPECT_EQ(run(other, "MONITOR"), kOk);
  now.us += 42;
  run("sEt k 'a\\n\"\\\\'");
  EXPECT_EQ(read(other),
            "+1767225600.000042 [0 127.0.0.1:50001] \"sEt\" \"k\" \"a\\n\\\"\\\\\"\r\n");
  run("FOO");
  run("GET");
  run("CONFIG GET x");
  run("SLOWLOG LEN");
  EXPECT_EQ(read(other), "");
  run("SELECT 2");
  EXPECT_EQ(read(other), "+1767225600.000042 [2 127.0.0.1:50001] \"SELECT\" \"2\"\r\n");
}

TEST_F(Monitor, ShowsScriptsBeforeTheirCommandsAndExecBehindThem) {
  run(other, "MONITOR");
  eval("redis.call('get',KEYS[1])", "1 k");
  run("MULTI");
  run("SET q 1");
  run("EXEC");
  const std::string at = "+1767225600.000000 [0 127.0.0.1:50001] ";
  EXPECT_EQ(read(other), at + "\"EVAL\" \"redis.call('get',KEYS[1])\" \"1\" \"k\"\r\n" +
                             "+1767225600.000000 [0 lua] \"get\" \"k\"\r\n" + at +
                             "\"MULTI\"\r\n" + at + "\"SET\" \"q\" \"1\"\r\n" + at +
                             "\"EXEC\"\r\n");
}

TEST_F(Monitor, KeepsPasswordsToItself) {
  run(other, "MONITOR");
  run("AUTH a b");
  run("HELLO 3 AUTH default x");
  const std::string at = "+1767225600.000000 [0 127.0.0.1:50001] ";
  EXPECT_EQ(read(other), at + "\"AUTH\" \"(redacted)\" \"(redacted)\"\r\n" + at +
                             "\"HELLO\" \"3\" \"AUTH\" \"(redacted)\" \"(redacted)\"\r\n");
}

using Debug = ServerFixture;

TEST_F(Debug, SleepsForAsLongAsTheDriverIsTold) {
  EXPECT_EQ(run("DEBUG SLEEP 1.5"), kOk);
  EXPECT_EQ(server.take_busy_ms(), 1500);
  EXPECT_EQ(server.take_busy_ms(), 0);
  EXPECT_EQ(run("DEBUG SLEEP x"), kOk);
  EXPECT_EQ(server.take_busy_ms(), 0);
  EXPECT_EQ(run("DEBUG JMAP"),
            "-ERR unknown subcommand or wrong number of arguments for 'JMAP'. Try DEBUG HELP.\r\n");
}

TEST_F(Debug, SwitchesTheActiveCycleOff) {
  EXPECT_EQ(run("DEBUG SET-ACTIVE-EXPIRE 0"), kOk);
  run("SET k v PX 10");
  advance_ms(500);
  wake();
  EXPECT_EQ(run("DBSIZE"), ":1\r\n");
}

TEST_F(Debug, SleepsEnterTheSlowLog) {
  run("CLIENT SETNAME me");
  run("DEBUG SLEEP 0.5");
  server.take_busy_ms();
  run("PING");
  EXPECT_EQ(run("SLOWLOG LEN"), ":1\r\n");
  EXPECT_EQ(run("SLOWLOG GET"),
            "*1\r\n*6\r\n:0\r\n:1767225600\r\n:500000\r\n*3\r\n$5\r\nDEBUG\r\n$5\r\nSLEEP\r\n$3\r\n"
            "0.5\r\n$15\r\n127.0.0.1:50001\r\n$2\r\nme\r\n");
  EXPECT_EQ(run("SLOWLOG GET -2"), "-ERR count should be greater than or equal to -1\r\n");
  EXPECT_EQ(run("SLOWLOG RESET"), kOk);
  EXPECT_EQ(run("SLOWLOG LEN"), ":0\r\n");
}

}  // namespace
}  // namespace locklapse::redis
