#include "tests/redis/replicated_fixture.h"

namespace locklapse::redis {
namespace {

class Persistence : public testing::Test {
 protected:
  static LuaEngine& engine() {
    static LuaEngine shared;
    return shared;
  }
  static ServerConfig kept_in(PersistenceKind kind) {
    ServerConfig config;
    config.persistence.kind = kind;
    return config;
  }
  static constexpr PersistenceKind kFiles[] = {
      PersistenceKind::kAofAlways, PersistenceKind::kAofEverySecond, PersistenceKind::kAofNo};
};

TEST_F(Persistence, WithoutAnyTheServerComesBackEmpty) {
  TestServer server(0, kept_in(PersistenceKind::kNone), engine());
  server.run("SET lock a NX PX 30000");
  server.run("INCR fence");
  server.restart(StopKind::kProcessCrash);
  EXPECT_EQ(server.run("SET lock b NX PX 30000"), kOk);
  EXPECT_EQ(server.run("INCR fence"), ":1\r\n");
  server.restart(StopKind::kShutdown);
  EXPECT_EQ(server.run("GET lock"), kNil);
}

TEST_F(Persistence, TheObserverIsToldWhatARestartHasLost) {
  TestServer server(0, kept_in(PersistenceKind::kNone), engine());
  server.run("SET lock a NX PX 30000");
  server.run("SET dead a PX 10");
  server.observer.changes.clear();
  server.restart(StopKind::kProcessCrash);
  ASSERT_EQ(server.observer.changes.size(), 2u);
  for (const ToldChange& told : server.observer.changes) {
    EXPECT_EQ(told.by, kNobody);
    EXPECT_EQ(told.kind, told.key == "lock" ? KeyChangeKind::kLost : KeyChangeKind::kExpired);
    EXPECT_EQ(told.owner_before, "a");
  }
}

TEST_F(Persistence, TheEndOfTheProcessLosesNothingOfAnAppendOnlyFile) {
  for (const PersistenceKind kind : kFiles) {
    TestServer server(0, kept_in(kind), engine());
    server.run("SET lock a NX PX 4000");
    server.run("INCR fence");
    server.run("SELECT 5");
    server.run("HSET h token 2");
    server.observer.changes.clear();
    server.restart(StopKind::kProcessCrash, 30);
    EXPECT_EQ(server.run("PTTL lock"), ":3970\r\n");
    EXPECT_EQ(server.run("INCR fence"), ":2\r\n");
    server.run("SELECT 5");
    EXPECT_EQ(server.run("HGET h token"), bulk("2"));
    EXPECT_EQ(server.observer.changes.size(), 1u);  // the INCR
    server.restart(StopKind::kProcessCrash, 30);
    EXPECT_EQ(server.run("INCR fence"), ":3\r\n");
  }
}

TEST_F(Persistence, TheEndOfTheMachineLosesWhatWasNotSynced) {
  TestServer always(0, kept_in(PersistenceKind::kAofAlways), engine());
  TestServer second(0, kept_in(PersistenceKind::kAofEverySecond), engine());
  TestServer never(0, kept_in(PersistenceKind::kAofNo), engine());
  for (TestServer* server : {&always, &second, &never}) {
    server->run("SET early a");
    server->advance_ms(1'200);
    server->run("SET late a");
    server->restart(StopKind::kMachineCrash);
  }
  EXPECT_EQ(always.run("MGET early late"), "*2\r\n$1\r\na\r\n$1\r\na\r\n");
  EXPECT_EQ(second.run("MGET early late"), "*2\r\n$1\r\na\r\n$-1\r\n");
  EXPECT_EQ(never.run("MGET early late"), "*2\r\n$-1\r\n$-1\r\n");
}

TEST_F(Persistence, EverySecondASecondOldWriteIsSafe) {
  TestServer server(0, kept_in(PersistenceKind::kAofEverySecond), engine());
  server.advance_ms(999);
  server.run("SET lock a");
  server.advance_ms(1);
  server.restart(StopKind::kMachineCrash);
  EXPECT_EQ(server.run("GET lock"), bulk("a"));
  server.run("DEL lock");
  server.restart(StopKind::kMachineCrash);  // the release is lost: the lock is back
  EXPECT_EQ(server.run("GET lock"), bulk("a"));
}

TEST_F(Persistence, LeftToTheKernelAWriteIsSafeAfterItsWriteback) {
  TestServer server(0, kept_in(PersistenceKind::kAofNo), engine());
  server.run("SET lock a");
  server.advance_ms(30'000);
  server.run("SET lock b");
  server.restart(StopKind::kMachineCrash);
  EXPECT_EQ(server.run("GET lock"), bulk("a"));
}

TEST_F(Persistence, BehindAClockThatWasSetBackNothingIsSynced) {
  TestServer server(0, kept_in(PersistenceKind::kAofEverySecond), engine());
  server.run("SET early a");
  server.advance_ms(-3'600'000);
  server.run("SET lock a");
  server.advance_ms(60'000);
  server.restart(StopKind::kMachineCrash);
  EXPECT_EQ(server.run("MGET early lock"), "*2\r\n$-1\r\n$-1\r\n");
}

TEST_F(Persistence, AShutdownSyncsTheFile) {
  for (const PersistenceKind kind : kFiles) {
    TestServer server(0, kept_in(kind), engine());
    server.run("SET lock a");
    server.restart(StopKind::kShutdown);
    server.restart(StopKind::kMachineCrash);
    EXPECT_EQ(server.run("GET lock"), bulk("a"));
  }
}

TEST_F(Persistence, ARewrittenFileHoldsTheSame) {
  for (const PersistenceKind kind : kFiles) {
    ServerConfig config = kept_in(kind);
    config.persistence.aof_rewrite_bytes = 200;
    TestServer server(0, config, engine());
    for (int i = 0; i < 100; ++i) {
      server.run(server.client, "SELECT " + std::to_string(i % 3));
      server.run(server.client, "SET k" + std::to_string(i % 7) + " " + std::to_string(i));
      server.run(server.client, "INCR n");
      server.advance_ms(100);
    }
    server.restart(StopKind::kProcessCrash);
    EXPECT_EQ(server.run("GET n"), bulk("34"));
    EXPECT_EQ(server.run("GET k1"), bulk("99"));
    server.run("INCR n");
    server.advance_ms(40'000);
    server.run("INCR n");
    server.restart(StopKind::kMachineCrash);
    EXPECT_EQ(server.run("GET n"), bulk(kind == PersistenceKind::kAofAlways ? "36" : "35"));
  }
}

TEST_F(Persistence, ASnapshotBringsAReleasedLockBackAndLosesAFreshOne) {
  TestServer server(0, kept_in(PersistenceKind::kRdb), engine());
  server.run("SET released a NX PX 60000");
  server.server.save(server.now);
  server.run("DEL released");
  server.run("SET fresh b NX PX 60000");
  server.observer.changes.clear();
  server.restart(StopKind::kProcessCrash, 1'000);
  EXPECT_EQ(server.run("PTTL released"), ":59000\r\n");
  EXPECT_EQ(server.run("SET released b NX PX 60000"), kNil);
  EXPECT_EQ(server.run("GET fresh"), kNil);
  ASSERT_EQ(server.observer.changes.size(), 2u);
  EXPECT_EQ(server.observer.changes[0].kind, KeyChangeKind::kLost);
  EXPECT_EQ(server.observer.changes[1].kind, KeyChangeKind::kLoaded);
  EXPECT_EQ(server.observer.changes[1].owner_after, "a");
}

TEST_F(Persistence, AShutdownWithSavePointsIsNoCrash) {
  TestServer server(0, kept_in(PersistenceKind::kRdb), engine());
  server.run("SET lock a NX PX 60000");
  server.restart(StopKind::kShutdown);
  EXPECT_EQ(server.run("GET lock"), bulk("a"));
  server.run("SET lock b");
  server.restart(StopKind::kProcessCrash);
  EXPECT_EQ(server.run("GET lock"), bulk("a"));
}

TEST_F(Persistence, TimeRunsWhileAServerIsDown) {
  for (const PersistenceKind kind : {PersistenceKind::kAofAlways, PersistenceKind::kRdb}) {
    TestServer server(0, kept_in(kind), engine());
    server.run("SET lock a NX PX 1000");
    server.restart(StopKind::kShutdown, 1'001);
    // A snapshot drops dead keys as it is loaded, a file lets them expire.
    EXPECT_EQ(server.run("DBSIZE"), kind == PersistenceKind::kRdb ? ":0\r\n" : ":1\r\n");
    EXPECT_EQ(server.run("GET lock"), kNil);
  }
}

TEST_F(Persistence, AClockThatHasChangedMeanwhileMovesTheTtls) {
  TestServer server(0, kept_in(PersistenceKind::kAofAlways), engine());
  server.run("SET lock a NX PX 30000");
  server.restart(StopKind::kProcessCrash, -60'000);
  EXPECT_EQ(server.run("PTTL lock"), ":90000\r\n");
  server.restart(StopKind::kProcessCrash, 120'000);
  EXPECT_EQ(server.run("GET lock"), kNil);
  // The file has seen the deletion: turning the clock back does not bring the lock back.
  server.restart(StopKind::kProcessCrash, -60'000);
  EXPECT_EQ(server.run("GET lock"), kNil);
}

TEST_F(Persistence, ARestartForgetsScriptsConnectionsAndTransactions) {
  TestServer server(0, kept_in(PersistenceKind::kAofAlways), engine());
  EXPECT_EQ(server.eval("return 1"), ":1\r\n");
  const std::string by_hash = "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0";
  EXPECT_EQ(server.run(by_hash), ":1\r\n");
  const ConnectionId old = server.client;
  server.run("MULTI");
  server.run("SET k v");
  const ConnectionId blocked = server.server.connect();
  EXPECT_EQ(server.run(blocked, "BLPOP l 1"), "");
  server.restart(StopKind::kProcessCrash);
  EXPECT_EQ(server.run(by_hash), "-NOSCRIPT No matching script. Please use EVAL.\r\n");
  EXPECT_EQ(server.run(old, "EXEC"), "");
  EXPECT_EQ(server.run("GET k"), kNil);
  EXPECT_NE(server.client, old);
  EXPECT_EQ(server.server.next_wakeup(), std::nullopt);
}

TEST_F(Persistence, WhileLoadingNearlyEverythingIsRefused) {
  ServerConfig config = kept_in(PersistenceKind::kAofAlways);
  config.persistence.loading_ms = 500;
  TestServer server(0, config, engine());
  EXPECT_EQ(server.run("SET k v"), kOk);
  server.restart(StopKind::kProcessCrash);
  const std::string_view loading = "-LOADING Redis is loading the dataset in memory\r\n";
  for (const char* line : {"PING", "GET k", "SET k v", "EVAL 'return 1' 0"}) {
    EXPECT_EQ(server.run(line), loading) << line;
  }
  EXPECT_EQ(server.run("SELECT 0"), kOk);
  server.advance_ms(500);
  EXPECT_EQ(server.run("GET k"), bulk("v"));
}

}  // namespace
}  // namespace locklapse::redis
