#include <string>

#include "sim/redis/number.h"
#include "sim/redis/replication.h"
#include "sim/redis/server_state.h"

namespace locklapse::redis {

namespace {

class Lines {
 public:
  explicit Lines(std::pmr::string& out) : out_(out) {}

  void add(std::string_view name, std::string_view value) {
    out_.append(name);
    out_.push_back(':');
    out_.append(value);
    out_.append("\r\n");
  }
  void add(std::string_view name, std::int64_t value) { add(name, integer_text(value).view()); }

 private:
  std::pmr::string& out_;
};

void describe_link(const Replication& replication, std::int64_t now_s, Lines& lines) {
  const auto ago = [&](std::int64_t second) {
    return second == Replication::kNever ? Replication::kNever : now_s - second;
  };
  const Address master = replication.master_address();
  lines.add("master_host", master.ip);
  lines.add("master_port", master.port);
  lines.add("master_link_status", replication.link_up() ? "up" : "down");
  lines.add("master_last_io_seconds_ago",
            replication.link_up() ? ago(replication.heard_master_s()) : Replication::kNever);
  lines.add("master_sync_in_progress", 0);
  lines.add("slave_read_repl_offset", replication.offset());
  lines.add("slave_repl_offset", replication.offset());
  if (!replication.link_up()) {
    lines.add("master_link_down_since_seconds", ago(replication.link_down_since_s()));
  }
  lines.add("slave_priority", replication.config().priority);
  lines.add("slave_read_only", 1);
  lines.add("replica_announced", 1);
}

}  // namespace

void describe_replication(ServerState& server, std::pmr::string& out) {
  Replication& replication = server.replication;
  const std::int64_t now_s = server.now_ms() / 1000;
  Lines lines(out);
  lines.add("role", replication.is_master() ? "master" : "slave");
  if (!replication.is_master()) describe_link(replication, now_s, lines);
  lines.add("connected_slaves", static_cast<std::int64_t>(replication.replicas().size()));
  if (replication.config().min_replicas_to_write > 0) {
    lines.add("min_slaves_good_slaves", replication.good_replicas());
  }
  std::int64_t number = 0;
  for (const KnownReplica& known : replication.replicas()) {
    std::pmr::string name("slave", &server.memory);
    name.append(integer_text(number++).view());
    std::pmr::string text("ip=", &server.memory);
    text.append(known.ip);
    text.append(",port=").append(integer_text(known.port).view());
    text.append(",state=online,offset=").append(integer_text(known.offset).view());
    text.append(",lag=").append(integer_text(now_s - known.heard_s).view());
    lines.add(name, text);
  }
  lines.add("master_failover_state", "no-failover");
  lines.add("master_replid", replication.id().hex().view());
  lines.add("master_replid2", replication.second_id().hex().view());
  lines.add("master_repl_offset", replication.offset());
  lines.add("second_repl_offset", replication.second_offset());
  lines.add("repl_backlog_active", replication.config().propagates ? 1 : 0);
  lines.add("repl_backlog_size", replication.config().backlog_bytes);
  lines.add("repl_backlog_first_byte_offset",
            replication.config().propagates ? replication.backlog_begin() + 1 : 0);
  lines.add("repl_backlog_histlen", replication.offset() - replication.backlog_begin());
}

}  // namespace locklapse::redis
