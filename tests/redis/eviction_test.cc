#include "sim/redis/eviction.h"

#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

// A key of one letter with a value of one: what the account says it takes.
constexpr int kKey = kKeyBytes + 2;

class Eviction : public ServerFixture {
 protected:
  explicit Eviction(const ServerConfig& config = {}) : ServerFixture(config) {}

  void limit(int keys, const std::string& policy) {
    EXPECT_EQ(run("CONFIG SET maxmemory-policy " + policy), kOk);
    EXPECT_EQ(run("CONFIG SET maxmemory " + std::to_string(keys * kKey)), kOk);
  }
  // Which of these keys are there, looked at without touching any.
  std::string left(const std::string& letters) {
    std::string found;
    for (const char letter : letters) {
      const std::string reply = run("KEYS " + std::string(1, letter));
      if (reply != "*0\r\n") found += letter;
    }
    return found;
  }
};

TEST_F(Eviction, TakesLocksFirstAndDataNeverWithAVolatilePolicy) {
  limit(2, "volatile-lru");
  run("SET d 1");
  run("SET l 1 PX 1000");
  run("SET e 1");
  run(other, "GET d");
  EXPECT_EQ(left("dle"), "de");
  EXPECT_EQ(observer.changes.back().kind, KeyChangeKind::kEvicted);
  EXPECT_EQ(observer.changes.back().key, "l");
  EXPECT_EQ(observer.changes.back().by, kNobody);
  EXPECT_EQ(observer.changes.back().owner_before, "1");
}

TEST_F(Eviction, HappensBeforeAnyCommandAlsoAPlainRead) {
  run("SET d 1");
  run("SET l 1 PX 1000");
  limit(1, "volatile-ttl");
  EXPECT_EQ(run("GET l"), kNil);
  EXPECT_EQ(run("GET d"), bulk("1"));
}

TEST_F(Eviction, OfAnyKeyTakesTheLeastRecentlyUsed) {
  limit(3, "allkeys-lru");
  run("SET a 1");
  run("SET b 1");
  run("SET c 1");
  run("GET a");
  run("SET d 1");
  run("PING");
  EXPECT_EQ(left("abcd"), "acd");
}

TEST_F(Eviction, OfAnyKeyTakesTheLeastFrequentlyUsed) {
  limit(3, "allkeys-lfu");
  for (const char* line : {"SET a 1", "GET a", "SET b 1", "GET b", "GET b", "SET c 1", "GET c",
                           "GET c", "GET c", "GET a", "GET a", "SET d 1", "GET d", "GET d"}) {
    run(line);
  }
  // The newcomer has the fewest accesses when room is made.
  EXPECT_EQ(left("abcd"), "abc");
}

TEST_F(Eviction, ByTtlTakesTheNearestDeadline) {
  limit(2, "volatile-ttl");
  run("SET a 1 PX 3000");
  run("SET b 1 PX 1000");
  run("SET c 1 PX 2000");
  run("PING");
  EXPECT_EQ(left("abc"), "ac");
}

std::size_t last_of(void* asked, std::size_t count) {
  ++*static_cast<int*>(asked);
  return count - 1;
}

class RandomEviction : public Eviction {
 protected:
  RandomEviction() : Eviction({.memory = {.pick = {.pick = &last_of, .who = asked()}}}) {}
  static int* asked() {
    static int times;
    return &times;
  }
};

TEST_F(RandomEviction, AsksWhomItWasToldToAsk) {
  *asked() = 0;
  run("SET a 1");
  run("SET b 1");
  run("SET c 1 PX 5000");
  std::string last;
  for (const auto& word : words_of("a b c")) {
    const std::string keys = run("KEYS *");
    last = keys.substr(keys.size() - 3, 1);
    (void)word;
  }
  limit(2, "allkeys-random");
  run("PING");
  EXPECT_EQ(*asked(), 1);
  EXPECT_EQ(left("abc").find(last), std::string::npos);
  EXPECT_EQ(left("abc").size(), 2u);
}

TEST_F(Eviction, AtRandomTakesTheFirstWhereNobodyIsAsked) {
  run("SET a 1");
  run("SET b 1 PX 1000");
  limit(1, "volatile-random");
  run("PING");
  EXPECT_EQ(left("ab"), "a");
}

TEST_F(Eviction, ThatFindsNothingLeavesMemoryFull) {
  run("SET a 1");
  run("SET b 1");
  limit(1, "volatile-lru");
  EXPECT_EQ(run("SET c 1"), "-OOM command not allowed when used memory > 'maxmemory'.\r\n");
  EXPECT_EQ(left("abc"), "ab");
}

TEST_F(Eviction, WaitsWhileClientsArePaused) {
  run("SET l 1 PX 5000");
  run("CLIENT PAUSE 1000 WRITE");
  limit(0, "allkeys-lru");
  run("CONFIG SET maxmemory 1");
  EXPECT_EQ(run("GET l"), bulk("1"));
  run("CLIENT UNPAUSE");
  EXPECT_EQ(run("GET l"), kNil);
}

TEST_F(Eviction, IsPublishedAndCounted) {
  run("CONFIG SET notify-keyspace-events Ee");
  run(other, "PSUBSCRIBE *");
  read(other);
  run("SET l 1 PX 5000");
  limit(0, "volatile-lru");
  run("CONFIG SET maxmemory 1");
  run("PING");
  EXPECT_EQ(read(other),
            "*4\r\n$8\r\npmessage\r\n$1\r\n*\r\n$22\r\n__keyevent@0__:evicted\r\n$1\r\nl\r\n");
  EXPECT_NE(run("INFO stats").find("evicted_keys:1\r\n"), std::string::npos);
}

TEST_F(Eviction, ReckonsWithNamesValuesAndElements) {
  run("CONFIG SET maxmemory 1gb");
  const auto used = [this] {
    const std::string info = run("INFO memory");
    const std::size_t at = info.find("used_memory:") + 12;
    return std::stoll(info.substr(at, info.find('\r', at) - at));
  };
  EXPECT_EQ(used(), 0);
  run("SET key value");
  EXPECT_EQ(used(), kKeyBytes + 8);
  run("APPEND key s");
  EXPECT_EQ(used(), kKeyBytes + 9);
  run("HSET h f v");
  EXPECT_EQ(used(), 2 * kKeyBytes + 9 + 1 + kElementBytes + 2);
  run("HSET h f longer");
  run("RENAME h hh");
  EXPECT_EQ(used(), 2 * kKeyBytes + 9 + 2 + kElementBytes + 7);
  // The account that is kept and the one that is made anew agree.
  const auto kept = used();
  run("CONFIG SET maxmemory 0");
  EXPECT_EQ(used(), kept);
  run("CONFIG SET maxmemory 1gb");
  EXPECT_EQ(used(), kept);
  run("FLUSHALL");
  EXPECT_EQ(used(), 0);
}

}  // namespace
}  // namespace locklapse::redis
