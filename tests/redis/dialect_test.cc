// Where dialects differ. What only the later ones have is unknown to the others.
#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class OneServer : public ServerFixture {
 public:
  explicit OneServer(Dialect dialect) : ServerFixture({.dialect = dialect}) {}
  void TestBody() override {}
  using ServerFixture::advance_ms;
  using ServerFixture::bytes_of;
  using ServerFixture::eval;
  using ServerFixture::me;
  using ServerFixture::now;
  using ServerFixture::observer;
  using ServerFixture::other;
  using ServerFixture::read;
  using ServerFixture::run;
  using ServerFixture::server;
  using ServerFixture::wake;
};

// Lets 200 ms pass whenever the key "tick" is written, as a slow script does.
class Ticking final : public KeyspaceObserver {
 public:
  void on_key_change(const KeyChange& change) override {
    if (server == nullptr || change.key != "tick") return;
    now.us += 200'000;
    server->clock_moved(now);
  }
  void on_ttl_ended(int, std::string_view, std::string_view, std::int64_t) override {}

  Server* server = nullptr;
  WallTime now = kEpoch;
};

class SlowScript {
 public:
  explicit SlowScript(Dialect dialect)
      : server(*std::pmr::new_delete_resource(), engine(), {.dialect = dialect}, &ticking),
        client(server.connect()) {
    ticking.server = &server;
  }

  std::string run(const std::vector<std::string>& words) {
    const std::vector<std::string_view> argv(words.begin(), words.end());
    Outbox sent;
    server.execute(client, argv, ticking.now, sent);
    std::pmr::string bytes;
    for (const Delivery& delivery : sent) encode_resp2(delivery.reply, bytes);
    return std::string(bytes);
  }
  std::string eval(const std::string& script) { return run({"EVAL", script, "0"}); }

  static LuaEngine& engine() {
    static LuaEngine shared;
    return shared;
  }
  Ticking ticking;
  Server server;
  ConnectionId client;
};

TEST(ASlowScript, SeesTheClockMoveOnlyOn70) {
  const std::string script =
      "local a = redis.call('time')[2] redis.call('set','tick','x') "
      "return redis.call('time')[2] - a";
  for (const Dialect dialect : kDialects) {
    SlowScript slow(dialect);
    EXPECT_EQ(slow.eval(script), dialect == Dialect::kRedis70 ? ":200000\r\n" : ":0\r\n")
        << dialect_name(dialect);
  }
}

// On 7.2 and later the TTL counts from the start of the script: the lock is born dead.
TEST(ASlowScript, GivesNewLocksTheirFullTtlOnlyOn70) {
  for (const Dialect dialect : kDialects) {
    SlowScript slow(dialect);
    slow.eval("redis.call('set','tick','x') redis.call('set','lock','v','px',100)");
    EXPECT_EQ(slow.run({"PTTL", "lock"}), dialect == Dialect::kRedis70 ? ":100\r\n" : ":-2\r\n")
        << dialect_name(dialect);
  }
}

TEST(ASlowScript, KeepsALockThatExpiresWhileItRunsInEveryDialect) {
  for (const Dialect dialect : kDialects) {
    SlowScript slow(dialect);
    slow.run({"SET", "lock", "a", "PX", "100"});
    EXPECT_EQ(slow.eval("redis.call('set','tick','x') "
                        "if redis.call('set','lock','b','nx') then return 'taken' end "
                        "return {redis.call('get','lock'), redis.call('pttl','lock')}"),
              std::string("*2\r\n$1\r\na\r\n") +
                  (dialect == Dialect::kRedis70 ? ":0\r\n" : ":100\r\n"))
        << dialect_name(dialect);
  }
}

TEST(ASlowTransaction, GoesByTheSameRuleAsAScript) {
  for (const Dialect dialect : kDialects) {
    SlowScript slow(dialect);
    slow.run({"MULTI"});
    slow.run({"SET", "tick", "x"});
    slow.run({"SET", "lock", "v", "PX", "100"});
    slow.run({"EXEC"});
    EXPECT_EQ(slow.run({"PTTL", "lock"}), dialect == Dialect::kRedis70 ? ":100\r\n" : ":-2\r\n")
        << dialect_name(dialect);
  }
}

TEST(ADialect, KnowsTheCommandsOfItsTime) {
  const struct {
    const char* line;
    DialectSet known_to;
  } kLines[] = {
      {"CLIENT SETINFO LIB-NAME x", kRedis72AndLater},
      {"CLIENT NO-TOUCH on", kRedis72AndLater},
      {"DELEX k IFEQ v", only(Dialect::kRedis84)},
      {"MSETEX 1 k v", only(Dialect::kRedis84)},
      {"DELIFEQ k v", only(Dialect::kValkey9)},
      {"SET k v IFNE x", only(Dialect::kRedis84)},
      {"SET k v IFEQ x",
       static_cast<DialectSet>(only(Dialect::kRedis84) | only(Dialect::kValkey8) |
                               only(Dialect::kValkey9))},
  };
  for (const auto& [line, known_to] : kLines) {
    for (const Dialect dialect : kDialects) {
      OneServer server(dialect);
      const std::string reply = server.run(line);
      const bool known = !reply.starts_with("-ERR unknown") && reply != kSyntaxError;
      EXPECT_EQ(known, contains(known_to, dialect)) << line << " on " << dialect_name(dialect);
    }
  }
}

TEST(SetIfeq, ReplacesOnlyItsOwnValueAndNeverCreates) {
  OneServer server(Dialect::kRedis84);
  EXPECT_EQ(server.run("SET lock new IFEQ old PX 1000"), kNil);
  EXPECT_EQ(server.run("EXISTS lock"), ":0\r\n");
  server.run("SET lock old");
  EXPECT_EQ(server.run("SET lock new IFEQ other"), kNil);
  EXPECT_EQ(server.run("SET lock new IFEQ other GET"), bulk("old"));
  EXPECT_EQ(server.run("SET lock new IFEQ old PX 1000"), kOk);
  EXPECT_EQ(server.run("PTTL lock"), ":1000\r\n");
  EXPECT_EQ(server.run("SET lock x IFEQ new NX"), kSyntaxError);
  server.run("RPUSH list a");
  EXPECT_EQ(server.run("SET list x IFEQ a"), kWrongType);
}

TEST(SetIfne, CreatesWhatIsMissing) {
  OneServer server(Dialect::kRedis84);
  EXPECT_EQ(server.run("SET lock a IFNE a"), kOk);
  EXPECT_EQ(server.run("SET lock b IFNE a"), kNil);
  EXPECT_EQ(server.run("SET lock b IFNE c GET"), bulk("a"));
  EXPECT_EQ(server.run("GET lock"), bulk("b"));
}

TEST(Delex, ReleasesALockOnlyToItsOwner) {
  OneServer server(Dialect::kRedis84);
  server.run("SET lock token");
  EXPECT_EQ(server.run("DELEX lock IFEQ other"), ":0\r\n");
  EXPECT_EQ(server.run("DELEX lock IFNE token"), ":0\r\n");
  EXPECT_EQ(server.run("DELEX lock IFEQ token"), ":1\r\n");
  EXPECT_EQ(server.run("DELEX lock IFEQ token"), ":0\r\n");
  server.run("SET lock token");
  EXPECT_EQ(server.run("DELEX lock"), ":1\r\n");
  EXPECT_EQ(server.run("DELEX lock IFEQ"),
            "-ERR wrong number of arguments for 'delex' command\r\n");
}

TEST(Delifeq, ReleasesALockOnlyToItsOwner) {
  OneServer server(Dialect::kValkey9);
  server.run("SET lock token");
  EXPECT_EQ(server.run("DELIFEQ lock other"), ":0\r\n");
  EXPECT_EQ(server.run("DELIFEQ lock token"), ":1\r\n");
  server.run("RPUSH list a");
  EXPECT_EQ(server.run("DELIFEQ list a"), kWrongType);
}

TEST(Msetex, SetsAllOrNothingWithOneTtl) {
  OneServer server(Dialect::kRedis84);
  EXPECT_EQ(server.run("MSETEX 2 a 1 b 2 NX PX 1000"), ":1\r\n");
  EXPECT_EQ(server.run("MSETEX 2 b 1 c 2 NX"), ":0\r\n");
  EXPECT_EQ(server.run("EXISTS c"), ":0\r\n");
  EXPECT_EQ(server.run("MSETEX 2 a 1 c 2 XX"), ":0\r\n");
  EXPECT_EQ(server.run("PTTL b"), ":1000\r\n");
  EXPECT_EQ(server.run("MSETEX 1 a 1 KEEPTTL"), ":1\r\n");
  EXPECT_EQ(server.run("PTTL a"), ":1000\r\n");
}

TEST(SetWithAPastDeadline, StoresADeadKeyInRedisAndDeletesInValkey) {
  for (const Dialect dialect : kDialects) {
    OneServer server(dialect);
    server.run("SET k old");
    EXPECT_EQ(server.run("SET k v PXAT 1000"), kOk);
    EXPECT_EQ(server.run("DBSIZE"), is_valkey(dialect) ? ":0\r\n" : ":1\r\n")
        << dialect_name(dialect);
    EXPECT_EQ(server.run("GET k"), kNil);
  }
}

TEST(TheActiveCycle, TakesAKeyInTheLastMillisecondOfItsLifeFrom80On) {
  for (const Dialect dialect : kDialects) {
    OneServer server(dialect);
    server.run("SET k v PX 100");
    server.advance_ms(100);
    server.wake();
    EXPECT_EQ(server.run("DBSIZE"), dialect == Dialect::kRedis84 ? ":0\r\n" : ":1\r\n")
        << dialect_name(dialect);
  }
}

TEST(AScript, MayCallBlockingCommandsFrom72On) {
  for (const Dialect dialect : kDialects) {
    OneServer server(dialect);
    const bool allowed = dialect != Dialect::kRedis70;
    EXPECT_EQ(server.eval("return redis.call('blpop','q',0)") == kNil, allowed)
        << dialect_name(dialect);
    EXPECT_EQ(server.eval("return redis.call('wait',1,0)") == ":0\r\n", allowed)
        << dialect_name(dialect);
  }
}

TEST(Valkey, DropsTheWordRedisFromItsErrors) {
  OneServer valkey(Dialect::kValkey8);
  EXPECT_EQ(valkey.eval("return redis.pcall('nosuch')"),
            "-ERR Unknown command called from script\r\n");
  EXPECT_EQ(valkey.eval("return redis.pcall('get')"),
            "-ERR Wrong number of args calling command from script\r\n");
  EXPECT_EQ(valkey.eval("return redis.pcall('multi')"),
            "-ERR This command is not allowed from script\r\n");
  EXPECT_EQ(valkey.eval("return redis.pcall('set','k',{})"),
            "-ERR Command arguments must be strings or integers\r\n");
  EXPECT_EQ(valkey.run("EVALSHA ffffffffffffffffffffffffffffffffffffffff 0"),
            "-NOSCRIPT No matching script.\r\n");
  OneServer redis(Dialect::kRedis72);
  EXPECT_EQ(redis.eval("return redis.pcall('nosuch')"),
            "-ERR Unknown Redis command called from script\r\n");
}

}  // namespace
}  // namespace locklapse::redis
