// INFO: the sections and fields that a model has.
#include <initializer_list>

#include "sim/redis/commands.h"

namespace locklapse::redis {

namespace {

class Fields {
 public:
  explicit Fields(std::pmr::string& out) : out_(out) {}
  void add(std::string_view name, std::string_view value) {
    out_.append(name).append(":").append(value).append("\r\n");
  }
  void add(std::string_view name, std::int64_t value) { add(name, integer_text(value).view()); }

 private:
  std::pmr::string& out_;
};

void describe_server(ServerState& server, std::pmr::string& out) {
  Fields fields(out);
  const Dialect dialect = server.config.dialect;
  // Valkey says which Redis it stands in for.
  fields.add("redis_version", is_valkey(dialect) ? "7.2.4" : server_version(dialect));
  if (is_valkey(dialect)) {
    fields.add("server_name", "valkey");
    fields.add("valkey_version", server_version(dialect));
  }
  fields.add("redis_mode", "standalone");
  fields.add("arch_bits", 64);
  fields.add("run_id", server.replication.id().hex().view());
  fields.add("tcp_port", 6379);
  fields.add("server_time_usec", server.now().us);
  fields.add("hz", 10);
  fields.add("configured_hz", 10);
  fields.add("config_file", "");
}

void describe_clients(ServerState& server, std::pmr::string& out) {
  std::int64_t connected = 0;
  std::int64_t blocked = 0;
  server.for_each_connection([&](const Connection& client) {
    ++connected;
    if (client.is_blocked()) ++blocked;
  });
  Fields fields(out);
  fields.add("connected_clients", connected);
  fields.add("maxclients", 10000);
  fields.add("blocked_clients", blocked);
}

void describe_memory(ServerState& server, std::pmr::string& out) {
  Fields fields(out);
  fields.add("used_memory", server.account.used());
  fields.add("maxmemory", server.config.memory.max_bytes);
  fields.add("maxmemory_policy", server.settings.value(*Settings::find("maxmemory-policy")));
  fields.add("number_of_cached_scripts", static_cast<std::int64_t>(server.scripts.size()));
}

void describe_persistence(ServerState& server, std::pmr::string& out) {
  Fields fields(out);
  fields.add("loading", server.persistence.loading(server.now_ms()) ? 1 : 0);
  fields.add("rdb_bgsave_in_progress", 0);
  fields.add("rdb_last_bgsave_status", server.save_failing ? "err" : "ok");
  fields.add("aof_enabled", server.config.persistence.has_aof() ? 1 : 0);
  fields.add("aof_rewrite_in_progress", 0);
  fields.add("aof_last_write_status", "ok");
}

void describe_stats(ServerState& server, std::pmr::string& out) {
  Fields fields(out);
  fields.add("total_connections_received", server.stats.connections);
  fields.add("total_commands_processed", server.stats.commands);
  fields.add("expired_keys", server.stats.expired_keys);
  fields.add("evicted_keys", server.stats.evicted_keys);
  fields.add("pubsub_channels", static_cast<std::int64_t>(server.channel_listeners.size()));
  fields.add("pubsub_patterns", static_cast<std::int64_t>(server.pattern_listeners.size()));
}

void describe_keyspace(ServerState& server, std::pmr::string& out) {
  for (int db = 0; db < kDatabases; ++db) {
    const auto& keys = server.keys.database(db);
    if (keys.empty()) continue;
    std::int64_t expires = 0;
    for (const Key& key : keys) expires += key.second.deadline_ms != kNoDeadline ? 1 : 0;
    out.append("db").append(integer_text(db).view());
    out.append(":keys=").append(unsigned_text(keys.size()).view());
    out.append(",expires=").append(integer_text(expires).view());
    out.append(",avg_ttl=0\r\n");
  }
}

constexpr struct {
  std::string_view name;  // as asked for
  std::string_view title;
  void (*describe)(ServerState&, std::pmr::string&);
} kSections[] = {
    {"server", "Server", describe_server},
    {"clients", "Clients", describe_clients},
    {"memory", "Memory", describe_memory},
    {"persistence", "Persistence", describe_persistence},
    {"stats", "Stats", describe_stats},
    {"replication", "Replication", describe_replication},
    {"keyspace", "Keyspace", describe_keyspace},
};

bool is_wanted(Argv wanted, std::string_view section) {
  if (wanted.empty()) return true;
  for (const std::string_view word : wanted) {
    if (is_word(word, section) || is_word(word, "all") || is_word(word, "default") ||
        is_word(word, "everything")) {
      return true;
    }
  }
  return false;
}

}  // namespace

Reply info_command(Call& call) {
  std::pmr::string text(call.memory());
  for (const auto& section : kSections) {
    if (!is_wanted(call.argv.subspan(1), section.name)) continue;
    if (!text.empty()) text.append("\r\n");
    text.append("# ").append(section.title).append("\r\n");
    section.describe(call.server, text);
  }
  return call.verbatim_text(text);
}

}  // namespace locklapse::redis
