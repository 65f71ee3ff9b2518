// A Redis node in the world: a server on a host with a clock, writing its keys' lives down.
//
// The server has no timer of its own: the node asks it what comes next (a TTL's end, the active expiry
// cycle, the time-out of a blocked command) and has the kernel call at that instant of the host's wall
// clock. Whoever steps or bends that clock calls clock_changed().
#pragma once

#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/kernel.h"
#include "sim/redis/backend_source.h"
#include "sim/world/clock.h"
#include "sim/world/endpoint.h"

namespace locklapse {

class World;

class Node final : public Endpoint, public redis::KeyspaceObserver {
 public:
  Node(World& world, PlaceId place, Host& host, redis::BackendSource& nodes,
       const redis::ServerConfig& config);

  void execute(Command& command, std::uint32_t sending) override;
  PlaceId place() const override { return place_; }
  bool is_resource() const override { return false; }

  // Runs a command of someone outside, at once.
  void execute_for_operator(std::span<const std::string_view> argv, int db);
  void clock_changed();

 private:
  // The other end of a connection.
  struct Peer {
    Requester* requester = nullptr;    // null for an operator's
    Command* command = nullptr;    // executed, or blocked, and not answered yet
    std::uint32_t sending = 0;
  };
  Peer& peer(redis::ConnectionId connection) {
    const auto index = static_cast<std::size_t>(connection);
    if (peers_.size() <= index) peers_.resize(index + 1);
    return peers_[index];
  }

  // Opens a connection in database `db`.
  redis::ConnectionId connect(int db);
  void on_key_change(const redis::KeyChange& change) override;
  void on_ttl_ended(int db, std::string_view key, std::string_view owner,
                    std::int64_t deadline_ms) override;
  static void wake(void* node, std::uint64_t);
  static void end_ttls(void* node, std::uint64_t);
  void plan_wakeups();
  void plan(Timer& timer, std::int64_t& planned_us, std::int64_t at_us, Callback callback);
  // Sends what the server wants delivered.
  void flush();
  std::string_view key_name(int db, std::string_view key);

  static constexpr std::int64_t kNever = -1;

  World& world_;
  PlaceId place_;
  Host& host_;
  redis::Backend& server_;
  redis::Outbox outbox_;
  std::pmr::vector<Peer> peers_;   // by connection
  Timer wake_timer_, ttl_timer_;
  std::int64_t wake_us_ = kNever, ttl_us_ = kNever;   // planned for, by the host's wall clock
};

}  // namespace locklapse
