// A server's part in replication: its role, its stream, the replicas it knows, and who waits for them.
//
// Invariants
//   - A master adds to its stream what its commands change; a replica adds the bytes of its master, so that
//     their offsets name the same point in one history.
//   - A replica never removes a key by itself; what its master sends never finds a key dead.
//   - Lags are whole seconds of the wall clock and are looked at once a second, as a server's cron does.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/backend.h"
#include "sim/redis/command_table.h"
#include "sim/redis/durability_config.h"
#include "sim/redis/propagation.h"
#include "sim/redis/sha1.h"
#include "sim/redis/stream.h"

namespace locklapse::redis {

class Keyspace;
class ServerState;
struct Connection;

// Names a history of writes: two servers that know the same one agree on it up to the smaller offset.
struct ReplicationId {
  std::uint32_t server = 0;
  std::uint32_t number = 0;  // 0: none

  bool operator==(const ReplicationId&) const = default;
  Sha1Hex hex() const;
};

// A client that waits for replicas.
struct BlockedWait {
  std::int64_t offset;
  std::int64_t replicas;
  std::int64_t until_ms;  // 0: for ever
};

struct KnownReplica {
  ReplicaId id;
  std::pmr::string ip;
  std::uint16_t port;
  std::int64_t offset;
  std::int64_t heard_s;  // wall clock
};

// Where a stream was when a snapshot was taken.
struct StreamPosition {
  ReplicationId id;
  std::int64_t offset = 0;
  SelectedDb db;
};

class Replication {
 public:
  Replication(ServerState& server, const ReplicationConfig& config);
  Replication(const Replication&) = delete;
  Replication& operator=(const Replication&) = delete;

  // --- role; what Backend promises under the same names
  bool is_master() const { return !is_replica_; }
  bool link_up() const { return link_up_; }
  std::int64_t offset() const { return stream_.end(); }
  Address master_address() const { return {master_ip_, master_port_}; }
  void follow(Address master);
  SyncKind sync(Replication& master);
  bool receive(Replication& master, std::int64_t up_to);
  void promote();
  void master_lost();
  bool role_change_asked = false;

  // --- the stream of a master
  void append(Propagation& unit);
  StreamPosition position() const { return {id_, offset(), is_replica_ ? link_db_ : selected_}; }
  // Restarts: with a new id, and a stream that goes on behind the position a snapshot was taken at, or
  // begins anew.
  void restart(const std::optional<StreamPosition>& loaded);

  // --- replicas
  const std::pmr::vector<KnownReplica>& replicas() const { return replicas_; }
  void acknowledged(ReplicaId replica, Address address, std::int64_t offset);
  void replica_lost(ReplicaId replica);
  std::int64_t good_replicas();
  bool too_few_replicas() {
    return config_.min_replicas_to_write > 0 && good_replicas() < config_.min_replicas_to_write;
  }

  // --- WAIT
  std::int64_t replicas_at(std::int64_t offset) const;
  void wait(Connection& connection, const BlockedWait& wait);
  // The wait is over, whatever its answer.
  void stop_waiting(Connection& connection);
  bool take_acknowledgement_request();

  // --- refusals
  // Whether there may be any: asked first, for it costs least.
  bool restricts() const { return is_replica_ || config_.min_replicas_to_write > 0; }
  // Why a command must not run now, or nothing: NOREPLICAS and READONLY for what `writes`.
  std::optional<std::string_view> refuse_write();
  // MASTERDOWN.
  std::optional<std::string_view> refuse_stale() const;

  const ReplicationConfig& config() const { return config_; }
  ReplicationId id() const { return id_; }
  ReplicationId second_id() const { return second_id_; }
  std::int64_t second_offset() const { return second_offset_; }
  const Stream& stream() const { return stream_; }
  std::int64_t backlog_begin() const;
  // In seconds of the wall clock; kNever where there was no such link.
  static constexpr std::int64_t kNever = -1;
  std::int64_t link_down_since_s() const { return link_down_since_s_; }
  std::int64_t heard_master_s() const { return heard_master_s_; }

 private:
  bool continues(ReplicationId id, std::int64_t offset) const;
  void take_new_id();
  void forget_replicas();
  // The stream begins anew at `offset`; what is under way of the old one can still be received.
  void replace_stream(std::int64_t offset);
  std::int64_t now_s() const;

  ServerState& server_;
  const ReplicationConfig& config_;

  bool is_replica_ = false;
  bool link_up_ = false;
  std::pmr::string master_ip_;
  std::uint16_t master_port_ = 0;
  // The life of the master's stream that the link reads, and the database it has selected.
  std::uint32_t link_life_ = 0;
  SelectedDb link_db_;
  std::int64_t link_down_since_s_ = kNever;
  std::int64_t heard_master_s_ = kNever;

  std::uint32_t ids_made_ = 0;
  ReplicationId id_;
  ReplicationId second_id_;
  std::int64_t second_offset_ = -1;  // of the first byte that the second id does not cover

  Stream stream_;
  std::uint32_t life_ = 1;
  SelectedDb selected_;
  Stream former_stream_;
  std::uint32_t former_life_ = 0;

  std::pmr::vector<KnownReplica> replicas_;
  std::int64_t good_replicas_ = 0;
  std::int64_t counted_s_ = -1;
  std::pmr::vector<ConnectionId> waiting_;
  bool acknowledgement_wanted_ = false;
};

// The replication section of INFO, without its heading.
void describe_replication(ServerState& server, std::pmr::string& out);

}  // namespace locklapse::redis
