// What a server propagates and keeps: the settings of replication and persistence.
#pragma once

#include <cstdint>

namespace locklapse::redis {

struct ReplicationConfig {
  // Tells the servers of one run apart: run and replication ids are made of it.
  std::uint32_t server_number = 0;
  // Whether there is a stream for replicas. Without one nothing is encoded, and offset() stays 0.
  bool propagates = false;
  // repl-backlog-size: how far back a replica may go on with a partial resync.
  std::int64_t backlog_bytes = 1 << 20;
  // REPLCONF GETACK, 37 bytes of the stream whenever take_acknowledgement_request() says yes. Off, the
  // driver asks beside the stream, so that offsets count changes of the data only.
  bool acknowledgement_requests_in_stream = false;
  std::int64_t min_replicas_to_write = 0;
  std::int64_t min_replicas_max_lag_s = 10;
  bool serve_stale_data = true;  // replica-serve-stale-data
  std::int64_t priority = 100;   // replica-priority, as a Sentinel reads it in INFO
};

enum class PersistenceKind : std::uint8_t {
  kNone,
  kAofAlways,       // appendfsync always: synced before the reply
  kAofEverySecond,  // appendfsync everysec: at every whole second of the wall clock
  kAofNo,           // appendfsync no: when the kernel writes back
  kRdb,             // save points: the snapshots of save() and of a shutdown
};

struct PersistenceConfig {
  PersistenceKind kind = PersistenceKind::kNone;
  // With appendfsync no: how long the kernel may hold what was written.
  std::int64_t writeback_s = 30;
  // The append-only file is rewritten as a snapshot when it outgrows this.
  std::int64_t aof_rewrite_bytes = 1 << 20;
  // How long start() answers LOADING.
  std::int64_t loading_ms = 0;

  bool has_aof() const { return kind != PersistenceKind::kNone && kind != PersistenceKind::kRdb; }
};

}  // namespace locklapse::redis
