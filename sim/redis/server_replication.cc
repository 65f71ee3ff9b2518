// What a Server does as a part of a replicated system: replication and the life of its process.
#include <algorithm>
#include <utility>

#include "sim/redis/server.h"
#include "sim/redis/server_state.h"

namespace locklapse::redis {

std::int64_t Server::offset() const { return state_->replication.offset(); }

bool Server::is_master() const { return state_->replication.is_master(); }

Address Server::master_address() const { return state_->replication.master_address(); }

void Server::follow(Address master, WallTime now, Outbox& outbox) {
  state_->begin(now, outbox);
  state_->replication.follow(master);
}

SyncKind Server::sync(Backend& master, WallTime now) {
  Outbox nothing(&state_->memory);
  state_->begin(now, nothing);
  return state_->replication.sync(static_cast<Server&>(master).state_->replication);
}

bool Server::receive(Backend& master, std::int64_t up_to, WallTime now, Outbox& outbox) {
  state_->begin(now, outbox);
  return state_->replication.receive(static_cast<Server&>(master).state_->replication, up_to);
}

void Server::promote(WallTime now, Outbox& outbox) {
  state_->begin(now, outbox);
  state_->replication.promote();
}

void Server::acknowledged(ReplicaId replica, Address address, std::int64_t offset, WallTime now,
                          Outbox& outbox) {
  state_->begin(now, outbox);
  state_->replication.acknowledged(replica, address, offset);
  state_->execute_waiting();
}

void Server::replica_lost(ReplicaId replica, WallTime now) {
  Outbox nothing(&state_->memory);
  state_->begin(now, nothing);
  state_->replication.replica_lost(replica);
}

void Server::master_lost(WallTime now) {
  Outbox nothing(&state_->memory);
  state_->begin(now, nothing);
  state_->replication.master_lost();
}

bool Server::take_acknowledgement_request() {
  return state_->replication.take_acknowledgement_request();
}

bool Server::take_role_change() {
  return std::exchange(state_->replication.role_change_asked, false);
}

std::string_view Server::stream_bytes(std::int64_t from) const {
  const Stream& stream = state_->replication.stream();
  return stream.bytes(std::max(from, stream.begin()), stream.end());
}

void Server::stop(StopKind kind, WallTime now) {
  Outbox nothing(&state_->memory);
  state_->begin(now, nothing);
  state_->persistence.stop(kind);
  state_->forget_process();
}

void Server::start(WallTime now) {
  Outbox nothing(&state_->memory);
  state_->begin(now, nothing);
  state_->persistence.start();
}

void Server::save(WallTime now) {
  Outbox nothing(&state_->memory);
  state_->begin(now, nothing);
  state_->persistence.save();
}

}  // namespace locklapse::redis
