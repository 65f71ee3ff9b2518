#include "sim/redis/replication.h"

#include <algorithm>

#include "sim/redis/call.h"
#include "sim/redis/command_bytes.h"
#include "sim/redis/commands.h"
#include "sim/redis/number.h"
#include "sim/redis/server_state.h"
#include "sim/redis/snapshot.h"

namespace locklapse::redis {

namespace {

constexpr std::string_view kUnblocked =
    "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)";

}  // namespace

Sha1Hex ReplicationId::hex() const {
  if (number == 0) {
    Sha1Hex none;
    none.digits.fill('0');
    return none;
  }
  const std::uint32_t both[] = {server, number};
  char bytes[8];
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(both[i / 4] >> (8 * (i % 4)));
  return sha1_hex({bytes, sizeof bytes});
}

Replication::Replication(ServerState& server, const ReplicationConfig& config)
    : server_(server),
      config_(config),
      master_ip_(&server.memory),
      stream_(server.memory),
      former_stream_(server.memory),
      replicas_(&server.memory),
      waiting_(&server.memory) {
  take_new_id();
}

void Replication::take_new_id() { id_ = {config_.server_number, ++ids_made_}; }

std::int64_t Replication::now_s() const { return server_.now_ms() / 1000; }

// --- role

void Replication::follow(Address master) {
  if (is_replica_ && master == master_address()) return;
  master_ip_.assign(master.ip);
  master_port_ = master.port;
  // A master goes on as a replica from the end of its own stream, if the new master knows that.
  if (!is_replica_) link_db_ = selected_;
  is_replica_ = true;
  link_up_ = false;
  link_down_since_s_ = heard_master_s_ = kNever;
  server_.role_changed();
  server_.unblock_all(Reply::error(kUnblocked, &server_.memory));
}

void Replication::promote() {
  if (!is_replica_) return;
  is_replica_ = false;
  link_up_ = false;
  master_ip_.clear();
  master_port_ = 0;
  // Whoever followed the same master up to here can follow this one from here.
  second_id_ = id_;
  second_offset_ = offset() + 1;
  take_new_id();
  selected_ = {};
  forget_replicas();  // they must learn of the new id
  server_.role_changed();
}

void Replication::master_lost() {
  if (link_up_) link_down_since_s_ = now_s();
  link_up_ = false;
}

bool Replication::continues(ReplicationId id, std::int64_t offset) const {
  const bool known = id == id_ || (id == second_id_ && offset < second_offset_);
  return known && stream_.holds(offset) && offset >= stream_.end() - config_.backlog_bytes;
}

SyncKind Replication::sync(Replication& master) {
  SyncKind kind = SyncKind::kPartial;
  if (master.continues(id_, offset())) {
    if (id_ != master.id_) {
      second_id_ = id_;
      second_offset_ = offset() + 1;
      forget_replicas();
    }
  } else {
    kind = SyncKind::kFull;
    replace_keys(server_, master.server_.keys);
    replace_stream(master.offset());
    second_id_ = {};
    second_offset_ = -1;
    link_db_ = {.db = 0};
    forget_replicas();
    // The stream that follows a snapshot starts with a SELECT; the other replicas get it too.
    master.selected_ = {};
    server_.keys_replaced();
  }
  id_ = master.id_;
  link_life_ = master.life_;
  link_up_ = true;
  heard_master_s_ = now_s();
  return kind;
}

void Replication::replace_stream(std::int64_t offset) {
  std::swap(stream_, former_stream_);
  former_life_ = life_++;
  stream_.restart(offset);
  selected_ = {};
}

bool Replication::receive(Replication& master, std::int64_t up_to) {
  const Stream* stream = nullptr;
  if (link_life_ == master.life_) stream = &master.stream_;
  if (link_life_ == master.former_life_) stream = &master.former_stream_;
  if (stream == nullptr || !stream->holds(offset()) || !stream->holds(up_to)) return false;
  heard_master_s_ = now_s();
  if (up_to <= offset()) return true;
  const std::string_view bytes = stream->bytes(offset(), up_to);
  const SelectedDb before = link_db_;
  server_.apply(bytes, link_db_);
  stream_.append(bytes);
  server_.persistence.append(bytes, before, link_db_);
  return true;
}

// --- the stream of a master

void Replication::append(Propagation& unit) { stream_.append(unit.bytes_for(selected_)); }

void Replication::restart(const std::optional<StreamPosition>& loaded) {
  forget_replicas();
  waiting_.clear();
  acknowledgement_wanted_ = false;
  link_up_ = false;
  link_down_since_s_ = heard_master_s_ = kNever;
  replace_stream(loaded ? loaded->offset : 0);
  second_id_ = {};
  second_offset_ = -1;
  if (loaded && is_replica_) {
    id_ = loaded->id;
    link_db_ = loaded->db;
    return;
  }
  take_new_id();
  if (loaded) {
    second_id_ = loaded->id;
    second_offset_ = loaded->offset + 1;
  }
}

std::int64_t Replication::backlog_begin() const {
  return std::max(stream_.begin(), stream_.end() - config_.backlog_bytes);
}

// --- replicas

void Replication::acknowledged(ReplicaId replica, Address address, std::int64_t offset) {
  good_replicas();  // as the last look has found them
  auto known = std::find_if(replicas_.begin(), replicas_.end(),
                            [&](const KnownReplica& one) { return one.id == replica; });
  const bool is_new = known == replicas_.end();
  if (is_new) {
    replicas_.push_back({replica, std::pmr::string(address.ip, &server_.memory), address.port, 0, 0});
    known = std::prev(replicas_.end());
  }
  known->offset = std::max(known->offset, offset);
  known->heard_s = now_s();
  if (is_new) counted_s_ = -1;  // a replica that comes online is counted at once

  const std::pmr::vector<ConnectionId> waiting(waiting_, &server_.memory);
  for (const ConnectionId id : waiting) {
    Connection& client = *server_.connection(id);
    const std::int64_t reached = replicas_at(client.wait->offset);
    if (reached < client.wait->replicas) continue;
    server_.deliver(id, Reply::integer(reached, &server_.memory));
    server_.end_wait(client);
  }
}

void Replication::forget_replicas() {
  replicas_.clear();
  counted_s_ = -1;
}

void Replication::replica_lost(ReplicaId replica) {
  std::erase_if(replicas_, [&](const KnownReplica& one) { return one.id == replica; });
  counted_s_ = -1;
}

std::int64_t Replication::good_replicas() {
  if (counted_s_ != now_s()) {
    counted_s_ = now_s();
    good_replicas_ = std::count_if(replicas_.begin(), replicas_.end(), [&](const KnownReplica& one) {
      return counted_s_ - one.heard_s <= config_.min_replicas_max_lag_s;
    });
  }
  return good_replicas_;
}

// --- WAIT

std::int64_t Replication::replicas_at(std::int64_t offset) const {
  return std::count_if(replicas_.begin(), replicas_.end(),
                       [&](const KnownReplica& one) { return one.offset >= offset; });
}

void Replication::wait(Connection& connection, const BlockedWait& wait) {
  connection.wait = wait;
  waiting_.push_back(connection.id);
  acknowledgement_wanted_ = true;
}

void Replication::stop_waiting(Connection& connection) {
  connection.wait.reset();
  std::erase(waiting_, connection.id);
}

bool Replication::take_acknowledgement_request() {
  if (!acknowledgement_wanted_) return false;
  acknowledgement_wanted_ = false;
  if (config_.acknowledgement_requests_in_stream && config_.propagates && is_master()) {
    stream_.append("*3\r\n$8\r\nREPLCONF\r\n$6\r\nGETACK\r\n$1\r\n*\r\n");
  }
  return true;
}

// --- refusals

std::optional<std::string_view> Replication::refuse_write() {
  if (is_replica_) return "READONLY You can't write against a read only replica.";
  if (too_few_replicas()) return "NOREPLICAS Not enough good replicas to write.";
  return std::nullopt;
}

std::optional<std::string_view> Replication::refuse_stale() const {
  if (!is_replica_ || link_up_ || config_.serve_stale_data) return std::nullopt;
  return "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
}

}  // namespace locklapse::redis
