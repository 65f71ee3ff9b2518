#include "sim/redis/stream.h"

#include <fstream>
#include <map>

#include "sim/redis/command_bytes.h"
#include "tests/redis/replicated_fixture.h"

namespace locklapse::redis {
namespace {

// One case of recorded_streams.txt.
struct Recorded {
  std::vector<std::string> steps;
  std::vector<std::vector<std::string>> sent;
  std::int64_t bytes = 0;
};

std::vector<Recorded> recorded_streams() {
  std::vector<Recorded> cases(1);
  std::ifstream file(LOCKLAPSE_SOURCE_DIR "/tests/redis/recorded_streams.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '=') {
      cases.back().bytes = std::stoll(line.substr(2));
      cases.emplace_back();
    } else if (line[0] == ' ') {
      cases.back().sent.push_back(words_of(line));
    } else {
      cases.back().steps.push_back(line);
    }
  }
  cases.pop_back();
  return cases;
}

ServerConfig quiet() {
  ServerConfig config = propagating();
  config.active_expire = false;
  return config;
}

std::vector<std::vector<std::string>> commands_in(std::string_view bytes) {
  std::vector<std::vector<std::string>> commands;
  std::pmr::vector<std::string_view> words;
  while (!bytes.empty()) {
    take_command(bytes, words);
    commands.emplace_back(words.begin(), words.end());
  }
  return commands;
}

std::string lines_of(const std::vector<std::vector<std::string>>& commands) {
  std::string lines;
  for (const auto& words : commands) {
    for (const std::string& word : words) lines.append(word).append(" ");
    lines.append("\n");
  }
  return lines;
}

class PropagatedStream : public testing::Test {
 protected:
  static LuaEngine& engine() {
    static LuaEngine shared;
    return shared;
  }

  static void play(TestServer& server, const std::vector<std::string>& steps) {
    std::map<char, ConnectionId> others;
    for (const std::string& step : steps) {
      const std::size_t arrow = step.find("> ");
      if (step == "wake") {
        server.wake();
      } else if (step.starts_with("sleep ")) {
        server.advance_ms(std::stoll(step.substr(6)));
      } else if (arrow == 0 || arrow == std::string::npos) {
        server.run(step.substr(2));
      } else {
        const auto other = others.try_emplace(step[0], ConnectionId{}).first;
        other->second = server.server.connect();
        EXPECT_EQ(server.run(other->second, step.substr(arrow + 2)), "") << step;
      }
    }
  }
};

TEST_F(PropagatedStream, IsByteForByteWhatARealServerSends) {
  const std::vector<Recorded> cases = recorded_streams();
  ASSERT_GT(cases.size(), 70u);
  for (const Recorded& one : cases) {
    const bool active = std::find(one.steps.begin(), one.steps.end(), "wake") != one.steps.end();
    TestServer server(0, active ? propagating() : quiet(), engine());
    server.run("SET __ 1");
    const std::int64_t start = server.offset();
    const std::int64_t start_ms = server.now.ms();
    play(server, one.steps);

    std::vector<std::vector<std::string>> expected = one.sent;
    for (auto& words : expected) {
      for (std::string& word : words) {
        if (word.starts_with("T+")) word = std::to_string(start_ms + std::stoll(word.substr(2)));
      }
    }
    const auto sent = commands_in(server.server.stream_bytes(start));
    EXPECT_EQ(lines_of(sent), lines_of(expected)) << lines_of({one.steps});
    EXPECT_EQ(server.offset() - start, one.bytes) << lines_of({one.steps});
  }
}

TEST_F(PropagatedStream, MakesAReplicaWhatItsMasterIs) {
  for (const Recorded& one : recorded_streams()) {
    TestServer master(0, quiet(), engine());
    TestServer replica(1, quiet(), engine());
    replica.follow();
    replica.server.sync(master.server, replica.now);
    play(master, one.steps);
    replica.now = master.now;
    replica.receive(master, master.offset());
    master.client = master.server.connect();
    for (const char* question :
         {"DBSIZE", "PTTL k", "TYPE k", "PTTL a", "TYPE a", "TYPE b", "GET n", "LRANGE l 0 -1",
          "HGETALL h", "ZRANGE z 0 -1 WITHSCORES", "SELECT 3", "DBSIZE", "SELECT 5", "DBSIZE"}) {
      EXPECT_EQ(replica.run(question), master.run(question)) << question << lines_of({one.steps});
    }
  }
}

TEST_F(PropagatedStream, BeginsWithTheDatabase) {
  TestServer server(0, propagating(), engine());
  server.run("SET k v");
  EXPECT_EQ(server.server.stream_bytes(0),
            "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n");
}

TEST_F(PropagatedStream, CostsNothingWhereNobodyListens) {
  TestServer server(0, {}, engine());
  server.run("SET k v");
  EXPECT_EQ(server.offset(), 0);
}

TEST(StreamBytes, AreHeldForAtLeastOneMegabyte) {
  Stream stream(*std::pmr::new_delete_resource());
  const std::string piece(1000, 'x');
  for (int i = 0; i < 5000; ++i) stream.append(piece);
  EXPECT_EQ(stream.end(), 5'000'000);
  EXPECT_TRUE(stream.holds(stream.end() - static_cast<std::int64_t>(Stream::kHeldBytes)));
  EXPECT_FALSE(stream.holds(1'000'000));
  EXPECT_EQ(stream.bytes(4'999'000, 5'000'000), piece);
}

}  // namespace
}  // namespace locklapse::redis
