#include "sim/redis/command_keys.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/redis/ascii.h"
#include "sim/redis/number.h"

namespace locklapse::redis {

namespace {

// As COMMAND INFO shows them: the first word that is a key, the last (counted from the end when
// negative) and the distance between two. A `count_at` says which word holds the number of keys
// that follow it.
struct KeySpec {
  std::string_view name;
  std::int16_t first;
  std::int16_t last;
  std::int16_t step = 1;
  std::int16_t count_at = 0;
};

// In the order of names.
constexpr KeySpec kSpecs[] = {
    {"append", 1, 1},
    {"blmove", 1, 2},
    {"blpop", 1, -2},
    {"brpop", 1, -2},
    {"brpoplpush", 1, 2},
    {"copy", 1, 2},
    {"decr", 1, 1},
    {"decrby", 1, 1},
    {"del", 1, -1},
    {"dump", 1, 1},
    {"eval", 0, 0, 1, 2},
    {"eval_ro", 0, 0, 1, 2},
    {"evalsha", 0, 0, 1, 2},
    {"evalsha_ro", 0, 0, 1, 2},
    {"exists", 1, -1},
    {"expire", 1, 1},
    {"expireat", 1, 1},
    {"expiretime", 1, 1},
    {"fcall", 0, 0, 1, 2},
    {"fcall_ro", 0, 0, 1, 2},
    {"get", 1, 1},
    {"getbit", 1, 1},
    {"getdel", 1, 1},
    {"getex", 1, 1},
    {"getrange", 1, 1},
    {"getset", 1, 1},
    {"hdel", 1, 1},
    {"hexists", 1, 1},
    {"hget", 1, 1},
    {"hgetall", 1, 1},
    {"hincrby", 1, 1},
    {"hincrbyfloat", 1, 1},
    {"hkeys", 1, 1},
    {"hlen", 1, 1},
    {"hmget", 1, 1},
    {"hmset", 1, 1},
    {"hscan", 1, 1},
    {"hset", 1, 1},
    {"hsetnx", 1, 1},
    {"hstrlen", 1, 1},
    {"hvals", 1, 1},
    {"incr", 1, 1},
    {"incrby", 1, 1},
    {"incrbyfloat", 1, 1},
    {"lindex", 1, 1},
    {"linsert", 1, 1},
    {"llen", 1, 1},
    {"lmove", 1, 2},
    {"lpop", 1, 1},
    {"lpos", 1, 1},
    {"lpush", 1, 1},
    {"lpushx", 1, 1},
    {"lrange", 1, 1},
    {"lrem", 1, 1},
    {"lset", 1, 1},
    {"ltrim", 1, 1},
    {"mget", 1, -1},
    {"mset", 1, -1, 2},
    {"msetnx", 1, -1, 2},
    {"persist", 1, 1},
    {"pexpire", 1, 1},
    {"pexpireat", 1, 1},
    {"pexpiretime", 1, 1},
    {"psetex", 1, 1},
    {"pttl", 1, 1},
    {"rename", 1, 2},
    {"renamenx", 1, 2},
    {"restore", 1, 1},
    {"rpop", 1, 1},
    {"rpoplpush", 1, 2},
    {"rpush", 1, 1},
    {"rpushx", 1, 1},
    {"sadd", 1, 1},
    {"scard", 1, 1},
    {"sdiff", 1, -1},
    {"set", 1, 1},
    {"setbit", 1, 1},
    {"setex", 1, 1},
    {"setnx", 1, 1},
    {"setrange", 1, 1},
    {"sinter", 1, -1},
    {"sismember", 1, 1},
    {"smembers", 1, 1},
    {"smove", 1, 2},
    {"spop", 1, 1},
    {"srem", 1, 1},
    {"strlen", 1, 1},
    {"sunion", 1, -1},
    {"touch", 1, -1},
    {"ttl", 1, 1},
    {"type", 1, 1},
    {"unlink", 1, -1},
    {"watch", 1, -1},
    {"xack", 1, 1},
    {"xadd", 1, 1},
    {"xdel", 1, 1},
    {"xlen", 1, 1},
    {"xrange", 1, 1},
    {"zadd", 1, 1},
    {"zcard", 1, 1},
    {"zcount", 1, 1},
    {"zincrby", 1, 1},
    {"zpopmax", 1, 1},
    {"zpopmin", 1, 1},
    {"zrange", 1, 1},
    {"zrangebyscore", 1, 1},
    {"zrank", 1, 1},
    {"zrem", 1, 1},
    {"zremrangebyrank", 1, 1},
    {"zremrangebyscore", 1, 1},
    {"zrevrange", 1, 1},
    {"zrevrank", 1, 1},
    {"zscore", 1, 1},
};

constexpr bool by_name(const KeySpec& a, const KeySpec& b) { return a.name < b.name; }
static_assert(std::is_sorted(std::begin(kSpecs), std::end(kSpecs), by_name));

constexpr std::size_t kNameBytesMax = 16;

const KeySpec* find_spec(std::string_view name) {
  name = until_nul(name);
  if (name.size() > kNameBytesMax) return nullptr;
  char lower[kNameBytesMax];
  std::transform(name.begin(), name.end(), lower, to_lower);
  const KeySpec wanted{{lower, name.size()}, 0, 0};
  const auto* found = std::lower_bound(std::begin(kSpecs), std::end(kSpecs), wanted, by_name);
  return found != std::end(kSpecs) && found->name == wanted.name ? found : nullptr;
}

}  // namespace

void append_keys(Argv argv, std::pmr::vector<std::string_view>& keys) {
  const KeySpec* spec = argv.empty() ? nullptr : find_spec(argv[0]);
  if (spec == nullptr) return;
  const auto words = static_cast<std::int64_t>(argv.size());
  std::int64_t first = spec->first;
  std::int64_t last = spec->last < 0 ? words + spec->last : spec->last;
  if (spec->count_at != 0) {
    std::int64_t count = 0;
    if (spec->count_at >= words) return;
    if (!parse_int64(argv[static_cast<std::size_t>(spec->count_at)], count)) return;
    first = spec->count_at + 1;
    if (count < 0 || count > words - first) return;
    last = first + count - 1;
  }
  last = std::min(last, words - 1);
  for (std::int64_t i = first; i <= last; i += spec->step) {
    keys.push_back(argv[static_cast<std::size_t>(i)]);
  }
}

}  // namespace locklapse::redis
