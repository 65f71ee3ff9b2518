#include "sim/live/real_server.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "sim/live/connection.h"
#include "sim/live/error.h"
#include "tests/live/needs_redis.h"

namespace locklapse::live {
namespace {

class RealServerTest : public NeedsRedis {};

TEST_F(RealServerTest, StandsStillUntilItsClockIsSet) {
  RealServer server({}, kEpoch);
  boost::asio::io_context io;
  Connection client(io, server.socket());
  EXPECT_EQ(client.call({"TIME"}), "*2\r\n$10\r\n1767225600\r\n$1\r\n0\r\n");
  EXPECT_EQ(client.call({"SET", "k", "v", "PX", "10"}), "+OK\r\n");
  server.set_clock(WallTime{kEpoch.us + 10'999});
  EXPECT_EQ(client.call({"PTTL", "k"}), ":0\r\n");
  EXPECT_EQ(client.call({"TIME"}), "*2\r\n$10\r\n1767225600\r\n$5\r\n10999\r\n");
  server.set_clock(WallTime{kEpoch.us + 11'000});
  EXPECT_EQ(client.call({"DBSIZE"}), ":1\r\n");
  EXPECT_EQ(client.call({"GET", "k"}), "$-1\r\n");
  server.set_clock(WallTime{-1});
  EXPECT_EQ(client.call({"TIME"}), "*2\r\n$2\r\n-1\r\n$6\r\n999999\r\n");
}

TEST_F(RealServerTest, ReachesNoOtherMachineThoughAScriptAsksItTo) {
  RealServer server({}, kEpoch);
  boost::asio::io_context io;
  Connection client(io, server.socket());
  const std::string reply(client.call({"EVAL", "return redis.call('migrate', '10.0.0.1', '1', 'k', '0', '1')", "0"}));
  EXPECT_NE(reply.find("Unknown Redis command"), std::string::npos) << reply;
}

TEST_F(RealServerTest, LeavesNothingBehind) {
  std::filesystem::path folder;
  pid_t process = 0;
  {
    RealServer server({}, kEpoch);
    folder = server.folder();
    process = server.pid();
    EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
  EXPECT_NE(kill(process, 0), 0);
}

TEST_F(RealServerTest, IsGoneWithAProgramThatIsKilled) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t program = fork();
  if (program == 0) {
    RealServer server({}, kEpoch);
    const std::string line = std::to_string(server.pid()) + " " + server.folder().string() + "\n";
    if (write(ends[1], line.data(), line.size()) > 0) pause();
    _exit(0);
  }
  close(ends[1]);
  char line[300] = {};
  ASSERT_GT(read(ends[0], line, sizeof line - 1), 0);
  close(ends[0]);
  const std::string told(line);
  const pid_t server = std::stoi(told);
  const std::string folder = told.substr(told.find(' ') + 1, told.find('\n') - told.find(' ') - 1);
  ASSERT_TRUE(std::filesystem::exists(folder));
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  // Both follow by themselves; how soon is the machine's.
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while ((kill(server, 0) == 0 || std::filesystem::exists(folder)) &&
         std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_NE(kill(server, 0), 0);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(RealServerTest, StartsAgainInItsFolder) {
  RealServer server({.arguments = {"--appendonly", "yes"}}, kEpoch);
  boost::asio::io_context io;
  EXPECT_EQ(Connection(io, server.socket()).call({"SET", "k", "v"}), "+OK\r\n");
  server.kill();
  EXPECT_THROW(Connection(io, server.socket()), Error);
  server.start();
  EXPECT_EQ(Connection(io, server.socket()).call({"GET", "k"}), "$1\r\nv\r\n");
}

TEST_F(RealServerTest, SaysWhyItDidNotStart) {
  try {
    RealServer server({.arguments = {"--no-such-option", "1"}}, kEpoch);
    FAIL() << "it started";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no-such-option"), std::string::npos) << error.what();
  }
}

TEST(RealServer, IsNotRunnableWithoutTheProgram) {
  EXPECT_THROW(RealServer({.program = "no-such-redis-server"}, kEpoch), NotRunnable);
}

}  // namespace
}  // namespace locklapse::live
