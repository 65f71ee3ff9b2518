#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class ServerBasics : public ServerFixture {};

TEST_F(ServerBasics, RefuseUnknownCommandsWithTheirFirstArguments) {
  EXPECT_EQ(run("FOO a b"), "-ERR unknown command 'FOO', with args beginning with: 'a' 'b' \r\n");
  EXPECT_EQ(run("foo"), "-ERR unknown command 'foo', with args beginning with: \r\n");
  EXPECT_EQ(run("foo 'a\\r\\nb'"),
            "-ERR unknown command 'foo', with args beginning with: 'a  b' \r\n");
  const std::string longest(200, 'x');
  EXPECT_EQ(run(me, {longest, longest, "z"}), "-ERR unknown command '" + longest.substr(0, 128) +
                                                  "', with args beginning with: '" +
                                                  longest.substr(0, 128) + "' \r\n");
  EXPECT_EQ(run(me, {"foo", std::string(60, 'a'), std::string(60, 'b'), "c", "d"}),
            "-ERR unknown command 'foo', with args beginning with: '" + std::string(60, 'a') +
                "' '" + std::string(60, 'b') + "' 'c' \r\n");
}

TEST_F(ServerBasics, RefuseUnknownSubcommands) {
  EXPECT_EQ(run("SCRIPT NOPE"), "-ERR unknown subcommand 'NOPE'. Try SCRIPT HELP.\r\n");
  EXPECT_EQ(run("SCRIPT"), "-ERR wrong number of arguments for 'script' command\r\n");
  EXPECT_EQ(run("SCRIPT LOAD"), "-ERR wrong number of arguments for 'script|load' command\r\n");
}

TEST_F(ServerBasics, AnswerPingEchoAndTime) {
  now.us += 42;
  EXPECT_EQ(run("PING"), "+PONG\r\n");
  EXPECT_EQ(run("PING x"), bulk("x"));
  EXPECT_EQ(run("PING x y"), "-ERR wrong number of arguments for 'ping' command\r\n");
  EXPECT_EQ(run("ECHO x"), bulk("x"));
  EXPECT_EQ(run("TIME"), "*2\r\n$10\r\n1767225600\r\n$2\r\n42\r\n");
}

TEST_F(ServerBasics, SelectOneOfSixteenDatabases) {
  EXPECT_EQ(run("SELECT 15"), kOk);
  EXPECT_EQ(run("SELECT 16"), "-ERR DB index is out of range\r\n");
  EXPECT_EQ(run("SELECT -1"), "-ERR DB index is out of range\r\n");
  EXPECT_EQ(run("SELECT x"), kNotAnInteger);
  EXPECT_EQ(run("SELECT 2147483648"),
            "-ERR value is out of range, value must between -2147483648 and 2147483647\r\n");
  run("SET k v");
  EXPECT_EQ(run(other, "GET k"), kNil);
}

TEST_F(ServerBasics, CountExistingKeysOncePerMention) {
  run("MSET a 1 b 2");
  EXPECT_EQ(run("EXISTS a a b c"), ":3\r\n");
  EXPECT_EQ(run("DEL a a c"), ":1\r\n");
  EXPECT_EQ(run("UNLINK b"), ":1\r\n");
  EXPECT_EQ(run("TYPE a"), "+none\r\n");
}

TEST_F(ServerBasics, ScanEveryKeyOnceWhateverTheCount) {
  for (int i = 0; i < 100; ++i) run("SET key:" + std::to_string(i) + " v");
  for (const int count : {1, 7, 10, 1000}) {
    std::string cursor = "0";
    int keys = 0;
    do {
      const std::string_view argv[] = {"SCAN", cursor, "COUNT", "10"};
      Outbox sent(memory);
      server.execute(me, argv, now, sent);
      const auto& answer = sent.front().reply.elements();
      keys += static_cast<int>(answer[1].elements().size());
      cursor = std::string(answer[0].text());
    } while (cursor != "0");
    EXPECT_EQ(keys, 100) << count;
  }
}

TEST_F(ServerBasics, ScanFiltersAndRefuses) {
  run("SET a v");
  run("LPUSH l v");
  EXPECT_EQ(run("SCAN 0 MATCH a*"), "*2\r\n$1\r\n0\r\n*1\r\n$1\r\na\r\n");
  EXPECT_EQ(run("SCAN 0 TYPE LIST"), "*2\r\n$1\r\n0\r\n*1\r\n$1\r\nl\r\n");
  EXPECT_EQ(run("SCAN x"), "-ERR invalid cursor\r\n");
  EXPECT_EQ(run("SCAN 0 COUNT 0"), kSyntaxError);
  EXPECT_EQ(run("SCAN 0 COUNT x"), kNotAnInteger);
  EXPECT_EQ(run("SCAN 0 COUNT"), kSyntaxError);
}

TEST_F(ServerBasics, FlushKeysButNotScripts) {
  run("SET k v");
  run("SCRIPT LOAD 'return 1'");
  EXPECT_EQ(run("FLUSHALL ASYNC"), kOk);
  EXPECT_EQ(run("DBSIZE"), ":0\r\n");
  EXPECT_EQ(run("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0"), ":1\r\n");
  EXPECT_EQ(run("FLUSHDB NOW"), kSyntaxError);
}

TEST_F(ServerBasics, ForgetAConnectionThatQuits) {
  EXPECT_EQ(run(other, "QUIT"), kOk);
  EXPECT_EQ(run(other, "PING"), "");
  EXPECT_EQ(run("PING"), "+PONG\r\n");
}

TEST_F(ServerBasics, IgnoreAnEmptyCommand) { EXPECT_EQ(run(me, std::vector<std::string>{}), ""); }

// Counts what is asked of it.
class CountingMemory final : public std::pmr::memory_resource {
 public:
  int allocations = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++allocations;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

// A snapshot of a run copies one block of memory, so nothing of the run may lie elsewhere: an
// object that was copied without its memory would show up in the default resource.
TEST_F(ServerBasics, KeepAllTheyKnowInTheMemoryTheyAreGiven) {
  const char* const kLines[] = {
      "SET a-key-that-is-longer-than-a-small-string a-value-that-is-long-too PX 1000 GET",
      "SET k v PX 0",
      "GETEX a-key-that-is-longer-than-a-small-string PX a-number-that-is-none-and-long",
      "GETSET a-key-that-is-longer-than-a-small-string another-value-of-some-length",
      "APPEND a-key-that-is-longer-than-a-small-string another-value-of-some-length",
      "INCRBYFLOAT n 0.30000000000000000001",
      "HSET h a-field-with-a-long-name-of-its-own a-value-with-a-long-name-of-its-own",
      "HSET h a b c",
      "HGETALL h",
      "RPUSH l an-element-of-some-length-to-be-kept another-element-of-some-length",
      "LRANGE l 0 -1",
      "LPOP l 2",
      "BLPOP l a-list-with-a-name-of-some-length 1",
      "ZADD z 1 a-member-with-a-name-of-some-length 2 b",
      "ZADD z XX NX 1 a-member-with-a-name-of-some-length",
      "ZRANGE z 0 -1 WITHSCORES",
      "ZRANGE z a b BYLEX",
      "SCAN 0 COUNT a-number-that-is-none-and-long",
      "SCAN 0 MATCH a-pattern-of-some-length*",
      "WATCH a-key-that-is-longer-than-a-small-string",
      "MULTI",
      "SET a-key-that-is-longer-than-a-small-string x",
      "SUBSCRIBE a-channel-with-a-name-of-some-length b",
      "EXEC",
      "PUBLISH a-channel-with-a-name-of-some-length a-message-that-is-long-enough",
      "PSUBSCRIBE a-pattern-of-some-length*",
      "RESET",
      "FLUSHALL",
      "an-unknown-command-with-a-long-name and-a-long-argument-behind-its-name",
      "EVAL 'redis.call(\\'set\\',KEYS[1],ARGV[1])' 1 a-key-of-a-script-with-a-name a-long-value",
      "EVAL 'return {ARGV[1],{err=ARGV[1]}}' 0 a-value-that-is-longer-than-a-small-string",
      "EVAL 'return redis.call(\\'incr\\',KEYS[1])' 1 a-key-of-a-script-with-a-name",
      "EVAL nonsense 0",
      "SCRIPT LOAD 'return 1'",
      "EVAL '#!lua flags=an-unknown-flag-of-some-length\\nreturn 1' 0",
      "EVAL '#!lua flags=no-writes\\nreturn 1' 0",
      "EVAL_RO 'return redis.call(\\'set\\',KEYS[1],1)' 1 a-key-of-a-script-with-a-name",
      "MONITOR",
      "CONFIG SET notify-keyspace-events KEAmn maxmemory 100mb maxmemory-policy allkeys-lru",
      "CONFIG SET dir a-folder-with-a-name-of-some-length save '3600 1 300 100'",
      "CONFIG SET maxmemory-policy a-policy-that-is-none-and-long",
      "CONFIG SET an-unknown-setting-of-some-length 1",
      "CONFIG GET *",
      "PSUBSCRIBE __key*__:*a-pattern-of-some-length*",
      "RESET",
      "SET a-key-that-is-longer-than-a-small-string x PX 100000 GET",
      "HELLO 3 SETNAME a-client-with-a-name-of-some-length",
      "HELLO 3 an-option-that-is-unknown",
      "SUBSCRIBE a-channel-with-a-name-of-some-length",
      "HSET h f v",
      "HGETALL h",
      "CLIENT LIST",
      "CLIENT INFO",
      "CLIENT KILL TYPE a-type-that-is-none-and-long",
      "CLIENT KILL ADDR an-address-that-is-none-and-long:1",
      "CLIENT UNBLOCK 99 ERROR",
      "INFO",
      "SADD s a-member-with-a-name-of-some-length b",
      "SMEMBERS s",
      "SREM s b",
      "RENAME s a-set-with-a-name-of-some-length",
      "COPY a-set-with-a-name-of-some-length a-copy-with-a-name-of-some-length DB 3",
      "MOVE a-set-with-a-name-of-some-length 4",
      "SWAPDB 0 3",
      "MSETNX a-key-with-a-name-of-some-length 1 another-key-with-a-name-of-some-length 2",
      "RANDOMKEY",
      "DEBUG SLEEP 1",
      "DEBUG an-unknown-subcommand-of-some-length",
      "SLOWLOG GET",
      "SAVE",
      "CLIENT PAUSE 500 WRITE",
      "SET a-key-that-a-pause-holds-back a-value-that-is-long-enough",
      "CLIENT REPLY SKIP",
      "PING a-message-that-nobody-will-ever-see",
      "CONFIG SET maxmemory 1",
      "SET a-key-with-a-name-of-some-length a-value-that-finds-no-room",
      "CONFIG SET requirepass a-password-of-some-length",
      "AUTH a-password-of-another-length",
      "AUTH a-password-of-some-length",
  };
  CountingMemory elsewhere;
  std::pmr::memory_resource* const usual = std::pmr::set_default_resource(&elsewhere);
  {
    std::pmr::monotonic_buffer_resource run_memory(std::pmr::new_delete_resource());
    Server fresh(run_memory, engine(), {}, &observer);
    const ConnectionId connections[] = {fresh.connect(), fresh.connect()};
    for (const char* line : kLines) {
      const std::vector<std::string> words = words_of(line);
      const std::vector<std::string_view> argv(words.begin(), words.end());
      for (const ConnectionId connection : connections) {
        Outbox sent(&run_memory);
        fresh.execute(connection, argv, now, sent);
        EXPECT_EQ(elsewhere.allocations, 0) << line;
        elsewhere.allocations = 0;
      }
      now.us += 700'000;
      Outbox sent(&run_memory);
      fresh.wake(now, sent);
      EXPECT_EQ(elsewhere.allocations, 0) << "awake after " << line;
      elsewhere.allocations = 0;
    }
  }
  std::pmr::set_default_resource(usual);
}

TEST_F(ServerBasics, GiveTheSameBytesWhateverMemoryTheyLiveIn) {
  const auto play = [](std::pmr::memory_resource& resource) {
    Server fresh(resource, engine(), {}, nullptr);
    const ConnectionId connection = fresh.connect();
    std::string bytes;
    for (int i = 0; i < 200; ++i) {
      const std::string key = std::to_string(i * 7919 % 50).append(":key");
      const std::string_view argv[] = {"SET", key, "value of some length", "PX", "1000"};
      Outbox sent(&resource);
      fresh.execute(connection, argv, kEpoch, sent);
      const std::string_view keys[] = {"KEYS", "*"};
      fresh.execute(connection, keys, kEpoch, sent);
      for (const Delivery& delivery : sent) bytes += bytes_of(delivery.reply);
    }
    return bytes;
  };
  std::pmr::monotonic_buffer_resource buffer;
  EXPECT_EQ(play(*std::pmr::new_delete_resource()), play(buffer));
}

}  // namespace
}  // namespace locklapse::redis
