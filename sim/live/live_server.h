// A real server as something that can be looked into: what has happened to its keys, by which commands, and what
// they hold now.
//
// Two connections of ours look; no client sees them, but for the counts in INFO, CLIENT LIST and PUBSUB NUMPAT, and
// for notifications where it has subscribed to a pattern that they match (is_notification()). One of the two is
// told of keys and of commands alike: a command follows directly on what it has notified of.
// They look from an instant before every deadline, so that no key expires because it was looked at.
#pragma once

#include <boost/asio/io_context.hpp>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/time.h"
#include "sim/live/connection.h"
#include "sim/live/real_server.h"
#include "sim/redis/reply.h"

namespace locklapse::live {

struct KeyId {
  int db;
  std::string name;
  auto operator<=>(const KeyId&) const = default;
};

// A keyspace notification: "set", "expire", "del" ... of a key, in the order in which they came about.
struct KeyEvent {
  KeyId key;
  std::string name;
  // The words of the command that it comes of, shared by all that come of it; within a script or transaction that
  // of the step. Null for what no command does by itself: serving whoever waits for a list.
  std::shared_ptr<const std::vector<std::string>> command;
};

// What a key holds, as KeyChange (sim/redis/server.h) tells it.
struct KeyState {
  bool exists = false;
  std::string owner;
  std::int64_t count = 0;
  std::int64_t deadline_ms = -1;
  bool operator==(const KeyState&) const = default;
};

// Whether a reply is a notification that the server publishes for us.
bool is_notification(const redis::Reply& reply);

class LiveServer {
 public:
  // Throws NotRunnable where the server is not of the line that the model describes.
  LiveServer(RealServerOptions options, WallTime now);

  // As if newly started. Connections of clients must be closed.
  void reset(WallTime now);

  void set_clock(WallTime now);
  Connection connect() { return Connection(io_, server_.socket()); }
  // What was sent before has been executed and answered on return, and what was due has timed out.
  void fence();
  // What has happened to keys since; a fence too.
  std::vector<KeyEvent> take_events();
  std::vector<KeyState> look(std::span<const KeyId> keys);
  // All that there is, dead or alive.
  std::map<KeyId, KeyState> look_at_all();
  // Reads the key at the clock's instant: a dead one expires.
  void touch(const KeyId& key);

  // The process ends or comes back; our connections with it. REQUIRES (start): it has ended.
  void kill();
  void shut_down(bool save);
  void start();
  // Sends a command on our own connection.
  std::string call(std::initializer_list<std::string_view> argv);

 private:
  void attach();
  void select(int db, std::string& commands);

  boost::asio::io_context io_;
  RealServer server_;
  WallTime now_;
  std::optional<Connection> admin_;
  std::optional<Connection> events_;
  int db_ = 0;   // that admin_ has selected
};

}  // namespace locklapse::live
