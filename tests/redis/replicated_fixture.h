// A master and a replica on clocks of their own, with the network between them done by hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/redis/server_fixture.h"

namespace locklapse::redis {

// One server, a client of it, its clock, and what its observer was told.
class TestServer {
 public:
  TestServer(std::uint32_t number, ServerConfig config, LuaEngine& engine)
      : server(*std::pmr::new_delete_resource(), engine, numbered(number, config), &observer),
        client(server.connect()) {}

  std::string run(ConnectionId from, std::string_view line) {
    const std::vector<std::string> words = words_of(line);
    return run(from, words);
  }
  std::string run(ConnectionId from, const std::vector<std::string>& words) {
    const std::vector<std::string_view> argv(words.begin(), words.end());
    Outbox sent(std::pmr::new_delete_resource());
    server.execute(from, argv, now, sent);
    return take(from, sent);
  }
  std::string run(std::string_view line) { return run(client, line); }
  std::string eval(const std::string& script, std::string_view rest = "0") {
    std::vector<std::string> words{"EVAL", script};
    for (auto& word : words_of(rest)) words.push_back(word);
    return run(client, words);
  }

  void wake() {
    Outbox sent(std::pmr::new_delete_resource());
    server.wake(now, sent);
    take(kNobody, sent);
  }
  void promote() {
    Outbox sent(std::pmr::new_delete_resource());
    server.promote(now, sent);
  }
  void follow(std::uint16_t port = 7001) {
    Outbox sent(std::pmr::new_delete_resource());
    server.follow({"127.0.0.1", port}, now, sent);
    take(kNobody, sent);
  }
  void restart(StopKind kind, std::int64_t down_ms = 30) {
    server.stop(kind, now);
    advance_ms(down_ms);
    server.start(now);
    client = server.connect();
  }
  void advance_ms(std::int64_t ms) { now.us += ms * 1000; }
  std::int64_t offset() const { return server.offset(); }

  // What a connection was sent without asking; "(closed)" where the server closed it.
  std::string read(ConnectionId connection) {
    std::string bytes;
    for (auto& [to, sent] : unread) {
      if (to == connection) bytes += std::exchange(sent, {});
    }
    return bytes;
  }

  RecordingObserver observer;
  WallTime now = kEpoch;
  Server server;
  ConnectionId client;
  std::vector<std::pair<ConnectionId, std::string>> unread;

  void receive(TestServer& master, std::int64_t up_to) {
    Outbox sent(std::pmr::new_delete_resource());
    EXPECT_TRUE(server.receive(master.server, up_to, now, sent));
    take(kNobody, sent);
  }
  void acknowledge(std::uint16_t replica, std::int64_t offset) {
    Outbox sent(std::pmr::new_delete_resource());
    const auto port = static_cast<std::uint16_t>(7001 + replica);
    server.acknowledged(ReplicaId{replica}, {"127.0.0.1", port}, offset, now, sent);
    take(kNobody, sent);
  }

 private:
  static ServerConfig numbered(std::uint32_t number, ServerConfig config) {
    config.replication.server_number = number;
    return config;
  }

  std::string take(ConnectionId asker, const Outbox& sent) {
    std::string bytes;
    for (const Delivery& delivery : sent) {
      std::pmr::string encoded;
      encode_resp2(delivery.reply, encoded);
      if (delivery.closes) encoded += "(closed)";
      if (delivery.to == asker) {
        bytes += encoded;
      } else {
        unread.emplace_back(delivery.to, encoded);
      }
    }
    return bytes;
  }
};

inline ServerConfig propagating() {
  ServerConfig config;
  config.replication.propagates = true;
  return config;
}

class ReplicatedFixture : public testing::Test {
 protected:
  explicit ReplicatedFixture(const ServerConfig& config = propagating())
      : master(0, config, engine()), replica(1, config, engine()) {
    replica.follow();
    replica.server.sync(master.server, replica.now);
  }

  static LuaEngine& engine() {
    static LuaEngine shared;
    return shared;
  }

  // All of the stream reaches the replica, and its word the master.
  void replicate() {
    replica.receive(master, master.offset());
    master.acknowledge(1, replica.offset());
  }
  void advance_ms(std::int64_t ms) {
    master.advance_ms(ms);
    replica.advance_ms(ms);
  }

  TestServer master;
  TestServer replica;
};

}  // namespace locklapse::redis
