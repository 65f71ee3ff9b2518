#include "sim/redis/command_table.h"

#include <array>
#include <cstddef>

#include "sim/redis/ascii.h"
#include "sim/redis/commands.h"

namespace locklapse::redis {

namespace {

constexpr CommandSpec kCommands[] = {
    {"append", 3, kWrites | kTakesMemory, append_command},
    {"auth", -2, kNotInScript | kConnects, auth_command},
    {"bgsave", -1, kNotInScript | kHiddenFromMonitors, bgsave_command},
    {"blpop", -3, kWrites | kNotInScript, blpop_command},
    {"client", -2, kContainer, nullptr},
    {"config", -2, kContainer, nullptr},
    {"copy", -3, kWrites | kTakesMemory, copy_command},
    {"dbsize", 1, kReadOnly, dbsize_command},
    {"debug", -2, kNotInScript | kAlways | kHiddenFromMonitors | kProtected, debug_command},
    {"decr", 2, kWrites | kTakesMemory, decr_command},
    {"decrby", 3, kWrites | kTakesMemory, decrby_command},
    {"del", -2, kWrites, del_command},
    {"delex", -2, kWrites, delex_command, only(Dialect::kRedis84)},
    {"delifeq", 3, kWrites, delifeq_command, only(Dialect::kValkey9)},
    {"discard", 1, kNotInScript | kImmediate | kAlways | kWhileBusy, discard_command},
    {"echo", 2, kAlways, echo_command},
    {"eval", -3, kNotInScript | kReplicates | kScript, eval_command},
    {"eval_ro", -3, kNotInScript | kScript, eval_ro_command},
    {"evalsha", -3, kNotInScript | kReplicates | kScript, evalsha_command},
    {"evalsha_ro", -3, kNotInScript | kScript, evalsha_ro_command},
    {"exec", 1, kNotInScript | kImmediate | kAlways, exec_command},
    {"exists", -2, kReadOnly, exists_command},
    {"expire", -3, kWrites, expire_command},
    {"expireat", -3, kWrites, expireat_command},
    {"expiretime", 2, kReadOnly, expiretime_command},
    {"flushall", -1, kWrites, flushall_command},
    {"flushdb", -1, kWrites, flushdb_command},
    {"get", 2, kReadOnly, get_command},
    {"getdel", 2, kWrites, getdel_command},
    {"getex", -2, kWrites, getex_command},
    {"getset", 3, kWrites | kTakesMemory, getset_command},
    {"hdel", -3, kWrites, hdel_command},
    {"hello", -1, kNotInScript | kConnects, hello_command},
    {"hexists", 3, kReadOnly, hexists_command},
    {"hget", 3, kReadOnly, hget_command},
    {"hgetall", 2, kReadOnly, hgetall_command},
    {"hincrby", 4, kWrites | kTakesMemory, hincrby_command},
    {"hkeys", 2, kReadOnly, hkeys_command},
    {"hlen", 2, kReadOnly, hlen_command},
    {"hmget", -3, kReadOnly, hmget_command},
    {"hmset", -4, kWrites | kTakesMemory, hmset_command},
    {"hset", -4, kWrites | kTakesMemory, hset_command},
    {"hsetnx", 4, kWrites | kTakesMemory, hsetnx_command},
    {"hvals", 2, kReadOnly, hvals_command},
    {"incr", 2, kWrites | kTakesMemory, incr_command},
    {"incrby", 3, kWrites | kTakesMemory, incrby_command},
    {"incrbyfloat", 3, kWrites | kTakesMemory, incrbyfloat_command},
    {"info", -1, kAlways, info_command},
    {"keys", 2, kReadOnly, keys_command},
    {"lindex", 3, kReadOnly, lindex_command},
    {"llen", 2, kReadOnly, llen_command},
    {"lpop", -2, kWrites, lpop_command},
    {"lpush", -3, kWrites | kTakesMemory, lpush_command},
    {"lrange", 4, kReadOnly, lrange_command},
    {"lrem", 4, kWrites, lrem_command},
    {"mget", -2, kReadOnly, mget_command},
    {"monitor", 1, kNotInScript | kAlways | kHiddenFromMonitors, monitor_command},
    {"move", 3, kWrites, move_command},
    {"mset", -3, kWrites | kTakesMemory, mset_command},
    {"msetex", -4, kWrites | kTakesMemory, msetex_command, only(Dialect::kRedis84)},
    {"msetnx", -3, kWrites | kTakesMemory, msetnx_command},
    {"multi", 1, kNotInScript | kImmediate | kAlways | kWhileBusy, multi_command},
    {"persist", 2, kWrites, persist_command},
    {"pexpire", -3, kWrites, pexpire_command},
    {"pexpireat", -3, kWrites, pexpireat_command},
    {"pexpiretime", 2, kReadOnly, pexpiretime_command},
    {"ping", -1, kWhileSubscribed, ping_command},
    {"psetex", 4, kWrites | kTakesMemory, psetex_command},
    {"psubscribe", -2, kNotInScript | kWhileSubscribed | kAlways, psubscribe_command},
    {"pttl", 2, kReadOnly, pttl_command},
    {"publish", 3, kReplicates | kAlways, publish_command},
    {"punsubscribe", -1, kNotInScript | kWhileSubscribed | kAlways, punsubscribe_command},
    {"quit", -1, kNotInScript | kImmediate | kWhileSubscribed | kConnects, quit_command},
    {"randomkey", 1, kReadOnly, randomkey_command},
    {"rename", 3, kWrites, rename_command},
    {"renamenx", 3, kWrites, renamenx_command},
    {"replicaof", 3, kNotInScript | kWhileStale, replicaof_command},
    {"reset", 1, kNotInScript | kImmediate | kWhileSubscribed | kConnects, reset_command},
    {"role", 1, kNotInScript | kAlways, role_command},
    {"rpop", -2, kWrites, rpop_command},
    {"rpush", -3, kWrites | kTakesMemory, rpush_command},
    {"sadd", -3, kWrites | kTakesMemory, sadd_command},
    {"save", 1, kNotInScript | kNotInMulti | kHiddenFromMonitors, save_command},
    {"scan", -2, kReadOnly, scan_command},
    {"scard", 2, kReadOnly, scard_command},
    {"script", -2, kContainer, nullptr},
    {"select", 2, kAlways, select_command},
    {"set", -3, kWrites | kTakesMemory, set_command},
    {"setex", 4, kWrites | kTakesMemory, setex_command},
    {"setnx", 3, kWrites | kTakesMemory, setnx_command},
    {"sismember", 3, kReadOnly, sismember_command},
    {"slaveof", 3, kNotInScript | kWhileStale, replicaof_command},
    {"slowlog", -2, kContainer, nullptr},
    {"smembers", 2, kReadOnly, smembers_command},
    {"srem", -3, kWrites, srem_command},
    {"strlen", 2, kReadOnly, strlen_command},
    {"subscribe", -2, kNotInScript | kWhileSubscribed | kAlways, subscribe_command},
    {"swapdb", 3, kWrites, swapdb_command},
    {"time", 1, kAlways, time_command},
    {"touch", -2, kReadOnly, exists_command},
    {"ttl", 2, kReadOnly, ttl_command},
    {"type", 2, kReadOnly, type_command},
    {"unlink", -2, kWrites, del_command},
    {"unsubscribe", -1, kNotInScript | kWhileSubscribed | kAlways, unsubscribe_command},
    {"unwatch", 1, kNotInScript | kAlways | kWhileBusy, unwatch_command},
    {"wait", 3, kNotInScript, wait_command},
    {"watch", -2, kNotInScript | kImmediate | kAlways | kWhileBusy, watch_command},
    {"zadd", -4, kWrites | kTakesMemory, zadd_command},
    {"zcard", 2, kReadOnly, zcard_command},
    {"zcount", 4, kReadOnly, zcount_command},
    {"zincrby", 4, kWrites | kTakesMemory, zincrby_command},
    {"zrange", -4, kReadOnly, zrange_command},
    {"zrangebyscore", -4, kReadOnly, zrangebyscore_command},
    {"zrank", 3, kReadOnly, zrank_command},
    {"zrem", -3, kWrites, zrem_command},
    {"zremrangebyscore", 4, kWrites, zremrangebyscore_command},
    {"zscore", 3, kReadOnly, zscore_command},
};

constexpr std::uint16_t kAdmin = kNotInScript | kAlways | kHiddenFromMonitors;
constexpr std::uint16_t kOfClient = kNotInScript | kAlways;

constexpr CommandSpec kSubcommands[] = {
    {"client|getname", 2, kOfClient, client_getname_command},
    {"client|id", 2, kOfClient, client_id_command},
    {"client|info", 2, kOfClient, client_info_command},
    {"client|kill", -3, kAdmin, client_kill_command},
    {"client|list", -2, kAdmin, client_list_command},
    {"client|no-evict", 3, kAdmin, client_no_evict_command},
    {"client|no-touch", 3, kOfClient, client_no_evict_command, kRedis72AndLater},
    {"client|pause", -3, kAdmin, client_pause_command},
    {"client|reply", 3, kOfClient, client_reply_command},
    {"client|setinfo", 4, kOfClient, client_setinfo_command, kRedis72AndLater},
    {"client|setname", 3, kOfClient, client_setname_command},
    {"client|unblock", -3, kAdmin, client_unblock_command},
    {"client|unpause", 2, kAdmin, client_unpause_command},
    {"config|get", -3, kAdmin, config_get_command},
    {"config|resetstat", 2, kAdmin, config_resetstat_command},
    {"config|rewrite", 2, kAdmin, config_rewrite_command},
    {"config|set", -4, kAdmin, config_set_command},
    {"script|exists", -3, kNotInScript, script_exists_command},
    {"script|flush", -2, kNotInScript, script_flush_command},
    {"script|kill", 2, kNotInScript | kWhileBusy, script_kill_command},
    {"script|load", 3, kNotInScript | kWhileStale, script_load_command},
    {"slowlog|get", -2, kAdmin, slowlog_get_command},
    {"slowlog|len", 2, kAdmin, slowlog_len_command},
    {"slowlog|reset", 2, kAdmin, slowlog_reset_command},
};

// A name of up to 16 bytes as two numbers, so that a look-up compares no strings.
struct PackedName {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const PackedName&) const = default;
};
constexpr std::size_t kNameBytesMax = 16;

constexpr PackedName pack(std::string_view name) {
  PackedName packed;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = std::uint64_t{static_cast<unsigned char>(to_lower(name[i]))};
    (i < 8 ? packed.low : packed.high) |= byte << (8 * (i % 8));
  }
  return packed;
}

// An open-addressed table, laid out by the compiler.
class CommandIndex {
 public:
  constexpr CommandIndex() {
    for (std::size_t i = 0; i < std::size(kCommands); ++i) {
      names_[i] = pack(kCommands[i].name);
      std::size_t slot = slot_of(names_[i]);
      while (slots_[slot] != 0) slot = (slot + 1) % kSlots;
      slots_[slot] = static_cast<std::uint8_t>(i + 1);
    }
  }

  constexpr const CommandSpec* find(std::string_view name) const {
    if (name.empty() || name.size() > kNameBytesMax) return nullptr;
    const PackedName packed = pack(name);
    for (std::size_t slot = slot_of(packed); slots_[slot] != 0; slot = (slot + 1) % kSlots) {
      const std::size_t i = slots_[slot] - std::size_t{1};
      if (names_[i] == packed) return &kCommands[i];
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t kSlots = 512;
  static_assert(std::size(kCommands) < 255);

  static constexpr std::size_t slot_of(PackedName name) {
    return ((name.low ^ (name.high * 0x9e3779b97f4a7c15)) * 0xff51afd7ed558ccd) >> 55;
  }

  std::array<PackedName, std::size(kCommands)> names_{};
  std::array<std::uint8_t, kSlots> slots_{};
};

constexpr CommandIndex kIndex;

}  // namespace

const CommandSpec* find_command(std::string_view name, Dialect dialect) {
  const CommandSpec* spec = kIndex.find(name);
  return spec != nullptr && contains(spec->dialects, dialect) ? spec : nullptr;
}

const CommandSpec* find_subcommand(const CommandSpec& container, std::string_view name,
                                   Dialect dialect) {
  for (const CommandSpec& spec : kSubcommands) {
    const std::size_t length = container.name.size();
    if (spec.name.size() > length && spec.name[length] == '|' &&
        spec.name.substr(0, length) == container.name &&
        is_word(name, spec.name.substr(length + 1)) && contains(spec.dialects, dialect)) {
      return &spec;
    }
  }
  return nullptr;
}

}  // namespace locklapse::redis
