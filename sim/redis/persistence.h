// What of a server survives its end: an append-only file and snapshots, with what of them has been synced
// to the disk.
//
// Contract
//   - The file is written before a reply leaves, so that the end of the process loses nothing of it. The
//     end of the machine loses what was not synced, and synced is what the configuration says (PersistenceKind).
//   - Loading changes the keys only; whether one is dead is asked when it is touched, as ever. A snapshot
//     alone loses its dead keys as a master loads it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory_resource>
#include <string>
#include <string_view>

#include "sim/redis/durability_config.h"
#include "sim/redis/keyspace.h"
#include "sim/redis/propagation.h"
#include "sim/redis/replication.h"

namespace locklapse::redis {

class ServerState;

class Persistence {
 public:
  Persistence(ServerState& server, const PersistenceConfig& config);
  ~Persistence();
  Persistence(const Persistence&) = delete;
  Persistence& operator=(const Persistence&) = delete;

  const PersistenceConfig& config() const { return config_; }

  // A master's changes; and a replica's, which its stream brings while it stands at `at`.
  void append(Propagation& unit);
  void append(std::string_view bytes, SelectedDb at, SelectedDb afterwards);
  // The keys have come from elsewhere: the file starts anew with them.
  void restart_file();

  void save();
  void stop(StopKind kind);
  void start();
  // Whether what start() has begun goes on.
  bool loading(std::int64_t now_ms) const { return now_ms < loaded_at_ms_; }

 private:
  struct Snapshot {
    explicit Snapshot(std::pmr::memory_resource& memory) : keys(memory) {}
    Keyspace keys;
    StreamPosition position;
  };
  // What was written within one second of the wall clock ends here.
  struct Written {
    std::int64_t second;
    std::int64_t end;
  };

  Snapshot* take_snapshot();
  void drop(Snapshot*& snapshot);
  std::int64_t file_end() const { return file_begin_ + static_cast<std::int64_t>(file_.size()); }
  void written();
  // Notes what has been synced by now.
  void sync();
  void rewrite();
  void load_file(Keyspace& keys);

  ServerState& server_;
  const PersistenceConfig& config_;

  Snapshot* snapshot_ = nullptr;  // dump.rdb

  // The append-only file: a snapshot, and the commands behind it. Positions count bytes ever written.
  Snapshot* base_ = nullptr;
  std::pmr::string file_;
  std::int64_t file_begin_ = 0;
  SelectedDb selected_;
  std::int64_t synced_ = 0;
  std::pmr::deque<Written> unsynced_;
  // A rewrite takes effect once its snapshot is no younger than what has been synced.
  Snapshot* next_base_ = nullptr;
  std::int64_t next_begin_ = 0;

  std::int64_t loaded_at_ms_ = 0;
};

}  // namespace locklapse::redis
