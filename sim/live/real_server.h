// A redis-server process of our own on a clock that stands still until it is set.
//
// It listens on a unix socket in a folder of its own, keeps nothing on disk unless told to, expires keys only
// when somebody touches them, and is gone with this object, or with this program, whatever ends it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/time.h"
#include "sim/live/clock_page.h"
#include "sim/live/private_folder.h"

namespace locklapse::live {

struct RealServerOptions {
  std::string program = "redis-server";    // a path, or a name to be found on PATH
  std::vector<std::string> arguments;      // after our own, so they win: {"--appendonly", "yes"}
  bool own_clock = true;                   // off: the machine's, as without us
};

class RealServer {
 public:
  // Starts it and waits until it answers. Throws NotRunnable where there is no such program, Error with the end
  // of its log where it does not come up. REQUIRES: the calling thread outlives the server.
  RealServer(RealServerOptions options, WallTime now);
  ~RealServer();
  RealServer(const RealServer&) = delete;
  RealServer& operator=(const RealServer&) = delete;

  void set_clock(WallTime now) { clock_.set(now); }
  std::filesystem::path socket() const { return folder_.path() / "redis.sock"; }
  const std::filesystem::path& folder() const { return folder_.path(); }

  // kill -9.
  void kill();
  // Waits until the process has ended by itself: SHUTDOWN was sent.
  void wait();
  // Starts it again, in the same folder. REQUIRES: it has ended.
  void start();
  pid_t pid() const { return process_; }

  // The last lines of its log, for messages.
  std::string log_tail() const;

 private:
  void exec();

  RealServerOptions options_;
  std::filesystem::path program_;
  std::filesystem::path shim_;
  PrivateFolder folder_;
  ClockPage clock_;
  pid_t process_ = -1;
};

// Where a program of that name stands; nothing where it does not.
std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace locklapse::live
