// A real redis-server as a world drives it (sim/redis/backend.h), on the world's clock.
//
//   LiveServers servers;                                     // once: processes are kept from run to run
//   auto node = make_live_backend(servers, {}, &observer);   // where a world would make a redis::Server
//
// Contract
//   - What a driver may expect of any backend, with redis::ServerConfig's meaning, and the same changes told to
//     the observer as the model tells, but for values that were overwritten within one script or transaction
//     (key_mirror.h), and for a SWAPDB of keys that hold the same.
//   - The server's own expiry cycle is off, for it runs by the machine's time. Where the configuration has one,
//     wake() does its work: it touches the keys that are dead at a tick.
//   - How fast machine and server are decides nothing. A server that keeps silent for 10 s is an Error.
//   - Nothing here is part of a run's arena: a world with such a backend can be run, not rewound.
//   - Throws NotRunnable for what cannot be done with a real server; among that are commands that would change how
//     it is controlled or observed: DEBUG, CONFIG SET, CLIENT KILL, MONITOR, SHUTDOWN ...
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/live/live_server.h"
#include "sim/redis/server.h"

namespace locklapse::live {

// Servers that have been started and are not in use: starting one takes longer than most runs.
// Not thread-safe. REQUIRES: outlives the backends made with it.
class LiveServers {
 public:
  explicit LiveServers(RealServerOptions options = {}) : options_(std::move(options)) {}

  // An empty server whose clock reads kEpoch, started with these arguments.
  std::unique_ptr<LiveServer> take(const std::vector<std::string>& arguments);
  void give_back(const std::vector<std::string>& arguments, std::unique_ptr<LiveServer> server);

 private:
  RealServerOptions options_;
  std::map<std::vector<std::string>, std::vector<std::unique_ptr<LiveServer>>> idle_;
};

// `observer` may be null. Throws NotRunnable without a redis-server, and for a configuration that none can have.
std::unique_ptr<redis::Backend> make_live_backend(LiveServers& servers, const redis::ServerConfig& config,
                                                  redis::KeyspaceObserver* observer);

}  // namespace locklapse::live
