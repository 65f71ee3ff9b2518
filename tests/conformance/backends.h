// The model and a real redis-server as backends, driven in the way a world drives them.
#pragma once

#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "sim/live/live_backend.h"
#include "sim/redis/lua_engine.h"
#include "sim/redis/server.h"

namespace locklapse::conformance {

enum class BackendKind { kModel, kRedis };

inline const char* name_of(BackendKind kind) { return kind == BackendKind::kModel ? "model" : "redis"; }

// One real server serves all tests of a program.
inline live::LiveServers& servers() {
  static live::LiveServers shared;
  return shared;
}

inline std::unique_ptr<redis::Backend> make_backend(BackendKind kind, const redis::ServerConfig& config,
                                                    redis::KeyspaceObserver* observer) {
  if (kind == BackendKind::kRedis) return live::make_live_backend(servers(), config, observer);
  static redis::LuaEngine engine;
  return std::make_unique<redis::Server>(*std::pmr::new_delete_resource(), engine, config, observer);
}

// Writes down what an observer is told.
class Told final : public redis::KeyspaceObserver {
 public:
  void on_key_change(const redis::KeyChange& change) override;
  void on_ttl_ended(int db, std::string_view key, std::string_view owner, std::int64_t deadline_ms) override;

  struct Change {
    std::string key;    // with its database
    std::string text;
    std::string after;  // only what the key holds then
  };
  std::vector<Change> changes;
};

// A backend with its clock and the connections of a test: wakes it whenever it is due.
class Driver {
 public:
  Driver(BackendKind kind, const redis::ServerConfig& config = {});

  // Sends a command; what it is answered, in RESP2.
  std::string run(int connection, const std::vector<std::string>& words);
  void move_clock(std::int64_t us);
  void close(int connection);
  // The server ends, and is back after so long.
  void restart(redis::StopKind kind, std::int64_t down_us);
  // Whether its last command has not been answered yet.
  bool waits(int connection) const { return unanswered_[static_cast<std::size_t>(connection)] > 0; }
  // What has been sent to a connection and not been taken yet, one message each.
  std::vector<std::string> take(int connection);

  redis::Backend& backend() { return *backend_; }
  Told& told() { return told_; }
  WallTime now() const { return now_; }

 private:
  redis::ConnectionId id(int connection);
  void keep(const redis::Outbox& outbox);

  Told told_;
  std::unique_ptr<redis::Backend> backend_;
  WallTime now_ = kEpoch;
  std::vector<redis::ConnectionId> ids_;
  std::vector<std::vector<std::string>> sent_;
  std::vector<int> unanswered_;
};

}  // namespace locklapse::conformance
