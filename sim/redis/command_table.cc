#include "sim/redis/command_table.h"

#include <array>
#include <cstddef>

#include "sim/redis/ascii.h"
#include "sim/redis/commands.h"

namespace locklapse::redis {

namespace {

constexpr CommandSpec kCommands[] = {
    {"append", 3, kWrites, append_command},
    {"blpop", -3, kWrites | kNotInScript, blpop_command},
    {"dbsize", 1, kReadOnly, dbsize_command},
    {"decr", 2, kWrites, decr_command},
    {"decrby", 3, kWrites, decrby_command},
    {"del", -2, kWrites, del_command},
    {"discard", 1, kNotInScript | kImmediate | kAlways, discard_command},
    {"echo", 2, kAlways, echo_command},
    {"eval", -3, kNotInScript | kReplicates, eval_command},
    {"evalsha", -3, kNotInScript | kReplicates, evalsha_command},
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
    {"getset", 3, kWrites, getset_command},
    {"hdel", -3, kWrites, hdel_command},
    {"hexists", 3, kReadOnly, hexists_command},
    {"hget", 3, kReadOnly, hget_command},
    {"hgetall", 2, kReadOnly, hgetall_command},
    {"hincrby", 4, kWrites, hincrby_command},
    {"hkeys", 2, kReadOnly, hkeys_command},
    {"hlen", 2, kReadOnly, hlen_command},
    {"hmget", -3, kReadOnly, hmget_command},
    {"hmset", -4, kWrites, hmset_command},
    {"hset", -4, kWrites, hset_command},
    {"hsetnx", 4, kWrites, hsetnx_command},
    {"hvals", 2, kReadOnly, hvals_command},
    {"incr", 2, kWrites, incr_command},
    {"incrby", 3, kWrites, incrby_command},
    {"incrbyfloat", 3, kWrites, incrbyfloat_command},
    {"keys", 2, kReadOnly, keys_command},
    {"lindex", 3, kReadOnly, lindex_command},
    {"llen", 2, kReadOnly, llen_command},
    {"lpop", -2, kWrites, lpop_command},
    {"lpush", -3, kWrites, lpush_command},
    {"lrange", 4, kReadOnly, lrange_command},
    {"lrem", 4, kWrites, lrem_command},
    {"mget", -2, kReadOnly, mget_command},
    {"mset", -3, kWrites, mset_command},
    {"multi", 1, kNotInScript | kImmediate | kAlways, multi_command},
    {"persist", 2, kWrites, persist_command},
    {"pexpire", -3, kWrites, pexpire_command},
    {"pexpireat", -3, kWrites, pexpireat_command},
    {"pexpiretime", 2, kReadOnly, pexpiretime_command},
    {"ping", -1, kWhileSubscribed, ping_command},
    {"psetex", 4, kWrites, psetex_command},
    {"psubscribe", -2, kNotInScript | kWhileSubscribed | kAlways, psubscribe_command},
    {"pttl", 2, kReadOnly, pttl_command},
    {"publish", 3, kReplicates | kAlways, publish_command},
    {"punsubscribe", -1, kNotInScript | kWhileSubscribed | kAlways, punsubscribe_command},
    {"quit", -1, kNotInScript | kImmediate | kWhileSubscribed | kAlways, quit_command},
    {"replicaof", 3, kNotInScript | kWhileStale, replicaof_command},
    {"reset", 1, kNotInScript | kImmediate | kWhileSubscribed | kAlways, reset_command},
    {"role", 1, kNotInScript | kAlways, role_command},
    {"rpop", -2, kWrites, rpop_command},
    {"rpush", -3, kWrites, rpush_command},
    {"scan", -2, kReadOnly, scan_command},
    {"script", -2, kContainer, nullptr},
    {"select", 2, kAlways, select_command},
    {"set", -3, kWrites, set_command},
    {"setex", 4, kWrites, setex_command},
    {"setnx", 3, kWrites, setnx_command},
    {"slaveof", 3, kNotInScript | kWhileStale, replicaof_command},
    {"strlen", 2, kReadOnly, strlen_command},
    {"subscribe", -2, kNotInScript | kWhileSubscribed | kAlways, subscribe_command},
    {"time", 1, kAlways, time_command},
    {"touch", -2, kReadOnly, exists_command},
    {"ttl", 2, kReadOnly, ttl_command},
    {"type", 2, kReadOnly, type_command},
    {"unlink", -2, kWrites, del_command},
    {"unsubscribe", -1, kNotInScript | kWhileSubscribed | kAlways, unsubscribe_command},
    {"unwatch", 1, kNotInScript | kAlways, unwatch_command},
    {"wait", 3, kNotInScript, wait_command},
    {"watch", -2, kNotInScript | kImmediate | kAlways, watch_command},
    {"zadd", -4, kWrites, zadd_command},
    {"zcard", 2, kReadOnly, zcard_command},
    {"zcount", 4, kReadOnly, zcount_command},
    {"zincrby", 4, kWrites, zincrby_command},
    {"zrange", -4, kReadOnly, zrange_command},
    {"zrangebyscore", -4, kReadOnly, zrangebyscore_command},
    {"zrank", 3, kReadOnly, zrank_command},
    {"zrem", -3, kWrites, zrem_command},
    {"zremrangebyscore", 4, kWrites, zremrangebyscore_command},
    {"zscore", 3, kReadOnly, zscore_command},
};

constexpr CommandSpec kSubcommands[] = {
    {"script|exists", -3, kNotInScript, script_exists_command},
    {"script|flush", -2, kNotInScript, script_flush_command},
    {"script|kill", 2, kNotInScript, script_kill_command},
    {"script|load", 3, kNotInScript | kWhileStale, script_load_command},
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

const CommandSpec* find_command(std::string_view name) { return kIndex.find(name); }

const CommandSpec* find_subcommand(const CommandSpec& container, std::string_view name) {
  for (const CommandSpec& spec : kSubcommands) {
    const std::size_t length = container.name.size();
    if (spec.name.substr(0, length) == container.name &&
        is_word(name, spec.name.substr(length + 1))) {
      return &spec;
    }
  }
  return nullptr;
}

}  // namespace locklapse::redis
