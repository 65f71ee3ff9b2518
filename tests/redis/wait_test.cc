#include "tests/redis/replicated_fixture.h"

namespace locklapse::redis {
namespace {

class Wait : public ReplicatedFixture {
 protected:
  Wait() { replicate(); }
};

TEST_F(Wait, AnswersAtOnceWhereEnoughReplicasAreThere) {
  EXPECT_EQ(master.run("WAIT 1 0"), ":1\r\n");
  EXPECT_EQ(master.run("WAIT 0 0"), ":1\r\n");
  master.run("SET lock a");
  EXPECT_EQ(master.run("WAIT 0 0"), ":0\r\n");
}

TEST_F(Wait, EndsWithTheAcknowledgementThatReachesItsWrite) {
  master.run("SET other 1");
  const std::int64_t before = master.offset();
  master.run("SET lock a NX PX 1000");
  EXPECT_EQ(master.run("WAIT 1 0"), "");
  EXPECT_TRUE(master.server.take_acknowledgement_request());
  EXPECT_FALSE(master.server.take_acknowledgement_request());
  master.acknowledge(1, before);
  EXPECT_EQ(master.read(master.client), "");
  replicate();
  EXPECT_EQ(master.read(master.client), ":1\r\n");
}

TEST_F(Wait, TimesOutWithTheNumberOfThoseThatAreThereAndLeavesTheWrite) {
  master.run("SET lock a NX PX 5000");
  EXPECT_EQ(master.run("WAIT 1 100"), "");
  EXPECT_EQ(master.server.next_wakeup(), WallTime{(master.now.ms() + 101) * 1000});
  master.advance_ms(100);
  master.wake();
  EXPECT_EQ(master.read(master.client), "");
  master.advance_ms(1);
  master.wake();
  EXPECT_EQ(master.read(master.client), ":0\r\n");
  EXPECT_EQ(master.run("GET lock"), bulk("a"));
}

TEST_F(Wait, CountsEveryReplicaOnce) {
  master.acknowledge(2, master.offset());
  master.run("SET lock a");
  EXPECT_EQ(master.run("WAIT 2 100"), "");
  master.acknowledge(1, master.offset());
  master.acknowledge(1, master.offset());
  EXPECT_EQ(master.read(master.client), "");
  master.acknowledge(2, master.offset());
  EXPECT_EQ(master.read(master.client), ":2\r\n");
}

// Recorded with the replica stopped: a fresh connection gets 1, one that has read gets 0.
TEST_F(Wait, ConcernsWhateverTheStreamHeldWhenTheClientsLastCommandHadRun) {
  const ConnectionId fresh = master.server.connect();
  const ConnectionId reader = master.server.connect();
  master.run("SET lock a");
  EXPECT_EQ(master.run(fresh, "WAIT 1 100"), ":1\r\n");
  EXPECT_EQ(master.run(reader, "GET lock"), bulk("a"));
  EXPECT_EQ(master.run(reader, "WAIT 1 100"), "");
}

TEST_F(Wait, NeverBlocksInATransaction) {
  master.run("SET lock a");
  master.run("MULTI");
  master.run("SET lock b");
  master.run("WAIT 1 0");
  EXPECT_EQ(master.run("EXEC"), "*2\r\n+OK\r\n:0\r\n");
}

TEST_F(Wait, HoldsLaterCommandsOfItsConnectionBack) {
  master.run("SET lock a");
  EXPECT_EQ(master.run("WAIT 1 0"), "");
  EXPECT_EQ(master.run("GET lock"), "");
  replicate();
  EXPECT_EQ(master.read(master.client), ":1\r\n" + bulk("a"));
}

TEST_F(Wait, EndsWithItsConnection) {
  master.run("SET lock a");
  EXPECT_EQ(master.run("WAIT 1 100"), "");
  master.server.disconnect(master.client);
  EXPECT_EQ(master.server.next_wakeup(), std::nullopt);
  replicate();
  EXPECT_TRUE(master.unread.empty());
}

TEST_F(Wait, RefusesBadArguments) {
  EXPECT_EQ(master.run("WAIT x 1"), kNotAnInteger);
  EXPECT_EQ(master.run("WAIT 1 x"), "-ERR timeout is not an integer or out of range\r\n");
  EXPECT_EQ(master.run("WAIT 1 -1"), "-ERR timeout is negative\r\n");
  EXPECT_EQ(master.run("WAIT -1 0"), ":1\r\n");
  EXPECT_TRUE(master.eval("return redis.call('wait','1','1')")
                  .starts_with("-ERR This Redis command is not allowed from script script: "));
}

TEST_F(Wait, IsRefusedByAReplica) {
  EXPECT_EQ(replica.run("WAIT x 1"),
            "-ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if "
            "a replica is configured to be writable (which is not the default) writes to replicas are "
            "just local and are not propagated.\r\n");
}

class RequestsInStream : public ReplicatedFixture {
 protected:
  static ServerConfig in_stream() {
    ServerConfig config = propagating();
    config.replication.acknowledgement_requests_in_stream = true;
    return config;
  }
  RequestsInStream() : ReplicatedFixture(in_stream()) {}
};

TEST_F(RequestsInStream, TakeThirtySevenBytes) {
  master.run("SET lock a");
  const std::int64_t written = master.offset();
  EXPECT_EQ(master.run("WAIT 1 0"), "");
  EXPECT_TRUE(master.server.take_acknowledgement_request());
  EXPECT_EQ(master.offset(), written + 37);
  replicate();
  EXPECT_EQ(master.read(master.client), ":1\r\n");
  EXPECT_EQ(replica.run("GET lock"), bulk("a"));
}

// --- min-replicas-to-write

class TooFewReplicas : public ReplicatedFixture {
 protected:
  static ServerConfig one_needed() {
    ServerConfig config = propagating();
    config.replication.min_replicas_to_write = 1;
    config.replication.min_replicas_max_lag_s = 2;
    return config;
  }
  TooFewReplicas() : ReplicatedFixture(one_needed()) {}
};

constexpr std::string_view kNoReplicas = "-NOREPLICAS Not enough good replicas to write.\r\n";

TEST_F(TooFewReplicas, RefuseWritesRenewalsAndReleasesButNoReads) {
  for (const char* line : {"SET lock a", "DEL missing", "PEXPIRE missing 5", "HSET h f 1"}) {
    EXPECT_EQ(master.run(line), kNoReplicas) << line;
  }
  EXPECT_EQ(master.eval(R"(return redis.call("set","a","b"))"),
            "-NOREPLICAS Not enough good replicas to write. script: "
            "554a95710d45ea243cdf37846a5028cfac292109, on @user_script:1.\r\n");
  EXPECT_EQ(master.run("EVAL '#!lua\\nreturn 1' 0"), kNoReplicas);
  EXPECT_EQ(master.run("EVAL '#!lua flags=no-writes\\nreturn 1' 0"), ":1\r\n");
  EXPECT_EQ(master.run("GET lock"), kNil);
  EXPECT_EQ(master.run("PUBLISH a b"), ":0\r\n");
}

TEST_F(TooFewReplicas, AreCountedOnceASecondSoThatTheWindowIsTheLagAndUpToOneSecondMore) {
  advance_ms(500);
  replicate();
  EXPECT_EQ(master.run("SET lock a"), kOk);
  advance_ms(2'499);  // 2.499 s after it was heard of: two whole seconds
  EXPECT_EQ(master.run("SET lock a"), kOk);
  advance_ms(1);
  EXPECT_EQ(master.run("SET lock a"), kNoReplicas);
  master.acknowledge(1, master.offset());
  EXPECT_EQ(master.run("SET lock a"), kNoReplicas);  // nobody has looked yet
  advance_ms(1'000);
  EXPECT_EQ(master.run("SET lock a"), kOk);
}

TEST_F(TooFewReplicas, SpoilATransactionWhenQueueingAndRefuseItsExec) {
  master.run("MULTI");
  EXPECT_EQ(master.run("SET lock a"), kNoReplicas);
  EXPECT_EQ(master.run("EXEC"),
            "-EXECABORT Transaction discarded because of previous errors.\r\n");
  replicate();
  master.run("MULTI");
  EXPECT_EQ(master.run("SET lock a"), "+QUEUED\r\n");
  master.advance_ms(5'000);
  EXPECT_EQ(master.run("EXEC"),
            "-EXECABORT Transaction discarded because of: NOREPLICAS Not enough good replicas to "
            "write.\r\n");
}

TEST_F(TooFewReplicas, AreThereAtOnceWhenALinkBreaks) {
  replicate();
  EXPECT_EQ(master.run("SET lock a"), kOk);
  master.server.replica_lost(ReplicaId{1}, master.now);
  EXPECT_EQ(master.run("SET lock a"), kNoReplicas);
}

}  // namespace
}  // namespace locklapse::redis
