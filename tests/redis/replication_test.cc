#include "tests/redis/replicated_fixture.h"

namespace locklapse::redis {
namespace {

class Replication : public ReplicatedFixture {};

TEST_F(Replication, BringsEveryKindOfValueToTheReplica) {
  for (const char* line : {"SET s v PX 5000", "HSET h f 1 g 2", "RPUSH l a b c", "ZADD z 1 a 2 b",
                           "SELECT 3", "SET other db"}) {
    master.run(line);
  }
  replicate();
  EXPECT_EQ(replica.run("GET s"), bulk("v"));
  EXPECT_EQ(replica.run("PTTL s"), ":5000\r\n");
  EXPECT_EQ(replica.run("HGET h g"), bulk("2"));
  EXPECT_EQ(replica.run("LLEN l"), ":3\r\n");
  EXPECT_EQ(replica.run("ZSCORE z b"), bulk("2"));
  replica.run("SELECT 3");
  EXPECT_EQ(replica.run("GET other"), bulk("db"));
  EXPECT_EQ(replica.offset(), master.offset());
}

TEST_F(Replication, AnAcknowledgedWriteIsNotOnTheReplicaUntilItsBytesArrive) {
  EXPECT_EQ(master.run("SET lock a NX PX 1000"), kOk);
  EXPECT_EQ(replica.run("GET lock"), kNil);
  replicate();
  EXPECT_EQ(replica.run("GET lock"), bulk("a"));
}

TEST_F(Replication, AReplicaRefusesWritesOfClientsAlsoOfMissingKeys) {
  const std::string_view refusal = "-READONLY You can't write against a read only replica.\r\n";
  EXPECT_EQ(replica.run("SET k v"), refusal);
  EXPECT_EQ(replica.run("DEL missing"), refusal);
  EXPECT_EQ(replica.run("PEXPIRE missing 5"), refusal);
  EXPECT_EQ(replica.eval("return redis.call('set','k','v')"),
            "-READONLY You can't write against a read only replica. script: "
            "d223ed8c7345b684e8ed044ed472601f536fa58b, on @user_script:1.\r\n");
  EXPECT_EQ(replica.run("PUBLISH a b"), ":0\r\n");
}

TEST_F(Replication, AReplicaHidesADeadKeyAndWaitsForTheMastersDel) {
  master.run("SET lock a PX 100");
  replicate();
  replica.advance_ms(101);
  EXPECT_EQ(replica.run("GET lock"), kNil);
  EXPECT_EQ(replica.run("DBSIZE"), ":1\r\n");
  replica.wake();
  EXPECT_EQ(replica.run("DBSIZE"), ":1\r\n");
  replica.now = master.now;  // a clock that returns makes it visible again
  EXPECT_EQ(replica.run("GET lock"), bulk("a"));
  advance_ms(101);
  EXPECT_EQ(master.run("GET lock"), kNil);
  replicate();
  EXPECT_EQ(replica.run("DBSIZE"), ":0\r\n");
}

TEST_F(Replication, WhatTheMasterSendsFindsKeysAliveThatTheReplicasClockCallsDead) {
  master.run("SET n 5 PX 100");
  replicate();
  replica.advance_ms(60'000);
  master.run("INCR n");
  replicate();
  replica.now = master.now;
  EXPECT_EQ(replica.run("GET n"), bulk("6"));
}

TEST_F(Replication, AReplicaWhoseClockIsAheadFreesTheLockOncePromoted) {
  master.run("SET lock a NX PX 10000");
  replicate();
  replica.advance_ms(12'000);
  replica.promote();
  EXPECT_EQ(replica.run("GET lock"), kNil);
  EXPECT_EQ(replica.run("SET lock b NX PX 10000"), kOk);
  EXPECT_EQ(master.run("GET lock"), bulk("a"));
}

TEST_F(Replication, AReplicaWhoseClockIsBehindKeepsTheLockLongerOncePromoted) {
  master.run("SET lock a NX PX 3000");
  replicate();
  replica.advance_ms(-8'000);
  advance_ms(3'300);
  replica.promote();
  EXPECT_EQ(replica.run("PTTL lock"), ":7700\r\n");
  EXPECT_EQ(master.run("GET lock"), kNil);
}

TEST_F(Replication, ARejoiningOldMasterDropsItsOwnWrites) {
  master.run("SET lock a NX PX 60000");
  replica.promote();
  EXPECT_EQ(replica.run("SET lock b NX PX 60000"), kOk);
  EXPECT_EQ(master.run("PEXPIRE lock 60000"), ":1\r\n");  // still answers its own clients
  master.follow();
  EXPECT_EQ(master.run("GET lock"), bulk("a"));  // the old value until it has synced
  EXPECT_EQ(master.server.sync(replica.server, master.now), SyncKind::kFull);
  EXPECT_EQ(master.run("GET lock"), bulk("b"));
  const ToldChange& told = master.observer.changes.back();
  EXPECT_EQ(told.kind, KeyChangeKind::kLoaded);
  EXPECT_EQ(told.by, kNobody);
  EXPECT_EQ(told.owner_before, "a");
  EXPECT_EQ(told.owner_after, "b");
}

TEST_F(Replication, BlockedClientsAreToldAndDisconnectedWhenTheirServerBecomesAReplica) {
  const ConnectionId waiting = master.server.connect();
  master.run("SET k v");
  EXPECT_EQ(master.run("BLPOP list 0"), "");
  EXPECT_EQ(master.run(waiting, "WAIT 2 0"), "");
  master.follow();
  const std::string_view told =
      "-UNBLOCKED force unblock from blocking operation, instance state changed (master -> "
      "replica?)\r\n(closed)";
  EXPECT_EQ(master.read(master.client), told);
  EXPECT_EQ(master.read(waiting), told);
}

}  // namespace
}  // namespace locklapse::redis
