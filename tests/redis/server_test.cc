#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class ServerBasics : public ServerFixture {};

TEST_F(ServerBasics, RefuseUnknownCommandsWithTheirFirstArguments) {
  EXPECT_EQ(run("FOO a b"), "-ERR unknown command 'FOO', with args beginning with: 'a' 'b' \r\n");
  EXPECT_EQ(run("foo"), "-ERR unknown command 'foo', with args beginning with: \r\n");
  EXPECT_EQ(run("foo 'a\\r\\nb'"), "-ERR unknown command 'foo', with args beginning with: 'a  b' \r\n");
  const std::string longest(200, 'x');
  EXPECT_EQ(run(me, {longest, longest, "z"}),
            "-ERR unknown command '" + longest.substr(0, 128) + "', with args beginning with: '" +
                longest.substr(0, 128) + "' \r\n");
  EXPECT_EQ(run(me, {"foo", std::string(60, 'a'), std::string(60, 'b'), "c", "d"}),
            "-ERR unknown command 'foo', with args beginning with: '" + std::string(60, 'a') + "' '" +
                std::string(60, 'b') + "' 'c' \r\n");
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

TEST_F(ServerBasics, GiveTheSameBytesWhateverMemoryTheyLiveIn) {
  const auto play = [](std::pmr::memory_resource& resource) {
    Server fresh(resource, engine(), {}, nullptr);
    const ConnectionId connection = fresh.connect();
    std::string bytes;
    for (int i = 0; i < 200; ++i) {
      const std::string key = "key:" + std::to_string(i * 7919 % 50);
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
