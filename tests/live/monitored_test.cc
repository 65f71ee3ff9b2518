#include "sim/live/monitored.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "sim/live/connection.h"
#include "sim/live/real_server.h"
#include "tests/live/needs_redis.h"

namespace locklapse::live {
namespace {

using Words = std::vector<std::string>;

TEST(MonitoredWords, AreTheWordsOfTheCommand) {
  EXPECT_EQ(monitored_words(R"(1767225600.000000 [0 unix:/tmp/a/redis.sock] "SET" "k" "" "PX" "10")"),
            (Words{"SET", "k", "", "PX", "10"}));
  EXPECT_EQ(monitored_words(R"(1.000000 [15 lua] "a\"b" "\\" "\n\r\t\a\b" "\x00\xff" "] \"")"),
            (Words{"a\"b", "\\", "\n\r\t\a\b", std::string("\0\xff", 2), "] \""}));
}

TEST(MonitoredWords, AreNoneInWhatIsNoSuchLine) {
  for (const char* line : {"", "OK", "PONG", "1.0 [0 lua] ", R"(1.0 [0 lua] "a)", R"(1.0 [0 lua] "a\)",
                           R"(1.0 [0 lua] "a" b)", R"(1.0 [0 lua] "\x)"}) {
    EXPECT_EQ(monitored_words(line), Words{}) << line;
  }
}

class Monitored : public NeedsRedis {};

TEST_F(Monitored, EveryByteComesBackFromARealServer) {
  RealServer server({}, kEpoch);
  boost::asio::io_context io;
  Connection monitor(io, server.socket());
  Connection client(io, server.socket());
  monitor.call({"MONITOR"});
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every.push_back(static_cast<char>(byte));
  client.call({"SET", every, "v"});
  monitor.receive();
  EXPECT_EQ(monitored_words(monitor.reply().text()), (Words{"SET", every, "v"}));
}

}  // namespace
}  // namespace locklapse::live
