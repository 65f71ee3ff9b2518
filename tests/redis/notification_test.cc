// Keyspace notifications: which events a command makes, and in which order. Recorded from a
// redis-server 7.0.15.
#include "sim/redis/resp.h"
#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class Notifications : public ServerFixture {
 protected:
  Notifications() { run("CONFIG SET notify-keyspace-events KEA"); }

  // The events that subscribers have been told since they were last asked: "set k, expire k".
  std::string events() {
    ReplyReader reader;
    reader.feed(read(other));
    std::string told;
    while (reader.next() == ReadStatus::kComplete) {
      const Reply message = reader.reply();
      if (message.elements()[0].text() != "pmessage") continue;
      const std::string_view channel = message.elements()[2].text();
      if (!channel.starts_with("__keyevent@")) continue;
      if (!told.empty()) told += ", ";
      told.append(channel.substr(channel.find(':') + 1)).append(" ");
      told.append(message.elements()[3].text());
    }
    return told;
  }
  std::string events_of(std::string_view line) {
    run(line);
    return events();
  }
};

TEST_F(Notifications, FollowTheCommandsThatMakeThem) {
  run(other, "PSUBSCRIBE __key*__:*");
  const char* const kSteps[][2] = {
      {"FLUSHALL", ""},
      {"SET a 1", "set a"},
      {"SET a 1 PX 10000", "set a, expire a"},
      {"SET a 1 NX", ""},
      {"SET a 1 KEEPTTL", "set a"},
      {"SETNX b 1", "set b"},
      {"SETEX b 10 1", "set b, expire b"},
      {"GETSET b 2", "set b"},
      {"GETDEL b", "del b"},
      {"GETEX a PX 100", "expire a"},
      {"GETEX a PERSIST", "persist a"},
      {"GETEX a PXAT 1", "del a"},
      {"SET a 1", "set a"},
      {"PEXPIRE a 1000", "expire a"},
      {"PERSIST a", "persist a"},
      {"PEXPIRE a -1", "del a"},
      {"MSET a 1 b 2", "set a, set b"},
      {"MSETNX c 1 d 2", "set c, set d"},
      {"APPEND a x", "append a"},
      {"INCR n", "incrby n"},
      {"INCRBYFLOAT n 1", "incrbyfloat n"},
      {"DECR n", "incrby n"},
      {"HSET h f 1 g 2", "hset h"},
      {"HINCRBY h f 1", "hincrby h"},
      {"HSETNX h z 1", "hset h"},
      {"HDEL h f g", "hdel h"},
      {"HDEL h z", "hdel h, del h"},
      {"LPUSH l a b", "lpush l"},
      {"RPUSH l c", "rpush l"},
      {"LPOP l", "lpop l"},
      {"LPOP l 2", "lpop l, del l"},
      {"RPUSH l a", "rpush l"},
      {"LREM l 0 a", "lrem l, del l"},
      {"ZADD z 1 a", "zadd z"},
      {"ZADD z INCR 1 a", "zincr z"},
      {"ZREM z a", "zrem z, del z"},
      {"ZADD z 1 a", "zadd z"},
      {"ZREMRANGEBYSCORE z 0 9", "zremrangebyscore z, del z"},
      {"SADD s a", "sadd s"},
      {"SREM s a", "srem s, del s"},
      {"RENAME a q", "rename_from a, rename_to q"},
      {"COPY q w", "copy_to w"},
      {"MOVE w 3", "move_from w, move_to w"},
      {"SWAPDB 0 1", ""},
      {"SWAPDB 0 1", ""},
      {"RPUSH l a", "rpush l"},
      {"BLPOP l 1", "lpop l, del l"},
      {"GET missing", ""},
      {"SET a 1 PXAT 1000", "set a, expire a"},
      {"GET a", "expired a"},
  };
  for (const auto& [line, told] : kSteps) EXPECT_EQ(events_of(line), told) << line;
}

TEST_F(Notifications, TellKeyspaceBeforeKeyevent) {
  run(other, "PSUBSCRIBE __key*__:*");
  read(other);
  run("SET k v");
  const std::string bytes = read(other);
  EXPECT_LT(bytes.find("__keyspace@0__:k\r\n$3\r\nset"), bytes.find("__keyevent@0__:set\r\n$1\r\nk"));
}

TEST_F(Notifications, TellOfNaturalDeathWhenTheKeyIsRemovedAndNotBefore) {
  run(other, "PSUBSCRIBE __keyevent@*");
  run("SET lock v PX 10");
  events();
  advance_ms(11);
  server.tell_ended_ttls(now);
  EXPECT_EQ(events(), "");
  advance_ms(89);
  wake();
  EXPECT_EQ(events(), "expired lock");
}

TEST_F(Notifications, CallADelOfADeadKeyExpiry) {
  run(other, "PSUBSCRIBE __keyevent@*");
  run("SET lock v PX 10");
  events();
  advance_ms(11);
  EXPECT_EQ(run("DEL lock"), ":0\r\n");
  EXPECT_EQ(events(), "expired lock");
}

TEST_F(Notifications, ComeOnlyForTheClassesAskedFor) {
  run(other, "PSUBSCRIBE __key*__:*");
  run("CONFIG SET notify-keyspace-events Ex");
  EXPECT_EQ(events_of("SET k v PX 10"), "");
  advance_ms(11);
  EXPECT_EQ(events_of("GET k"), "expired k");
  run("CONFIG SET notify-keyspace-events Enm$");
  EXPECT_EQ(events_of("SET fresh v"), "new fresh, set fresh");
  EXPECT_EQ(events_of("GET missing"), "keymiss missing");
}

TEST_F(Notifications, TellOfWhatServesABlockedClient) {
  const ConnectionId third = server.connect();
  run(third, "BLPOP q 0");
  run(other, "PSUBSCRIBE __keyevent@*");
  EXPECT_EQ(events_of("RPUSH q a"), "rpush q, lpop q, del q");
}

}  // namespace
}  // namespace locklapse::redis
