// Real servers as the nodes of worlds, each for the length of a run.
//
//   LiveSource nodes;                     // once: processes are kept from run to run
//   nodes.begin_run();
//   runner.run(scenario, options, nodes);
//   if (nodes.failure()) ...              // then the history says nothing
//
// A world is built without exceptions, so none may pass through it. What a real server cannot do, or fails to
// do, is kept here, and from then on the nodes of that run are silent: they answer nothing and change nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/live/live_backend.h"
#include "sim/redis/backend_source.h"

namespace locklapse::live {

struct Failure {
  bool not_runnable = false;  // else a server has broken down
  std::string why;
};

// Not thread-safe. REQUIRES: the thread that uses it outlives it.
class LiveSource final : public redis::BackendSource {
 public:
  explicit LiveSource(RealServerOptions options = {});
  ~LiveSource() override;

  // Takes back the servers of the last run and forgets its failure. What was made before must not be used any
  // more.
  void begin_run();
  redis::Backend& make(Arena& arena, const redis::ServerConfig& config,
                       redis::KeyspaceObserver* observer) override;

  // The first thing that went wrong in this run.
  const std::optional<Failure>& failure() const { return failure_; }

 private:
  class Node;

  LiveServers servers_;
  std::optional<Failure> failure_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace locklapse::live
