#include <limits>

#include "sim/redis/commands.h"
#include "sim/redis/number.h"

namespace locklapse::redis {

namespace {

std::optional<Reply> parse_wait_timeout(const Call& call, std::string_view text,
                                        std::int64_t& until_ms) {
  if (!parse_int64(text, until_ms)) {
    return call.error("ERR timeout is not an integer or out of range");
  }
  if (until_ms < 0) return call.error("ERR timeout is negative");
  if (until_ms > 0 && __builtin_add_overflow(until_ms, call.server.now_ms(), &until_ms)) {
    until_ms = std::numeric_limits<std::int64_t>::max();
  }
  return std::nullopt;
}

}  // namespace

Reply wait_command(Call& call) {
  Replication& replication = call.server.replication;
  if (!replication.is_master()) {
    return call.error(
        "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a "
        "replica is configured to be writable (which is not the default) writes to replicas are just "
        "local and are not propagated.");
  }
  BlockedWait wait{.offset = call.connection.offset, .replicas = 0, .until_ms = 0};
  if (!parse_int64(call.argv[1], wait.replicas)) return call.not_an_integer();
  if (auto error = parse_wait_timeout(call, call.argv[2], wait.until_ms)) return std::move(*error);
  const std::int64_t reached = replication.replicas_at(wait.offset);
  if (reached >= wait.replicas || !call.connection.may_block) return call.integer(reached);
  call.server.begin_wait(call.connection, wait);
  call.no_reply = true;
  return call.nil();
}

Reply role_command(Call& call) {
  const Replication& replication = call.server.replication;
  Reply role = call.array();
  if (!replication.is_master()) {
    const Address master = replication.master_address();
    role.append(call.bulk("slave"));
    role.append(call.bulk(master.ip));
    role.append(call.integer(master.port));
    role.append(call.bulk(replication.link_up() ? "connected" : "connect"));
    role.append(call.integer(replication.link_up() ? replication.offset() : -1));
    return role;
  }
  role.append(call.bulk("master"));
  role.append(call.integer(replication.offset()));
  Reply replicas = call.array();
  for (const KnownReplica& known : replication.replicas()) {
    Reply one = call.array();
    one.append(call.bulk(known.ip));
    one.append(call.bulk(integer_text(known.port).view()));
    one.append(call.bulk(integer_text(known.offset).view()));
    replicas.append(std::move(one));
  }
  role.append(std::move(replicas));
  return role;
}

Reply replicaof_command(Call& call) {
  Replication& replication = call.server.replication;
  if (is_word(call.argv[1], "no") && is_word(call.argv[2], "one")) {
    replication.role_change_asked |= !replication.is_master();
    replication.promote();
    return call.ok();
  }
  std::int64_t port = 0;
  if (!parse_int64(call.argv[2], port) || port < 0 || port > 65535) {
    return call.error("ERR Invalid master port");
  }
  const Address master{call.argv[1], static_cast<std::uint16_t>(port)};
  if (!replication.is_master() && replication.master_address() == master) {
    return Reply::simple("OK Already connected to specified master", call.memory());
  }
  replication.follow(master);
  replication.role_change_asked = true;
  return call.ok();
}

}  // namespace locklapse::redis
