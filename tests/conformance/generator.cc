#include "tests/conformance/generator.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/time.h"
#include "sim/locks/scripts.h"
#include "sim/redis/sha1.h"

namespace locklapse::conformance {

namespace {

using namespace std::string_view_literals;

// Few, so that commands meet.
constexpr std::string_view kKeys[] = {"lock"sv, "lock:{a}"sv, "k"sv, "k2"sv, "h"sv, "h2"sv, "q"sv, "q2"sv,
                                      "z"sv, "n"sv, "\x00\xff\r\n"sv, ""sv};
constexpr std::string_view kValues[] = {"token-a"sv, "token-b"sv, "token-c"sv, "1"sv, "0"sv, "-1"sv, "42"sv,
                                        "3.5"sv, " 7"sv, "007"sv, "9223372036854775807"sv, ""sv, "nan"sv,
                                        "\x00\x01\xfe"sv, "a\r\nb"sv, "inf"sv, "1e5"sv, "0x10"sv};
constexpr std::string_view kNumbers[] = {"0"sv, "1"sv, "-1"sv, "2"sv, "10"sv, "100"sv, "-3"sv,
                                         "9223372036854775807"sv, "-9223372036854775808"sv,
                                         "9223372036854775808"sv, "1.5"sv, "abc"sv, ""sv, "+1"sv, "01"sv};
constexpr std::string_view kTtlsMs[] = {"1"sv, "2"sv, "10"sv, "100"sv, "499"sv, "500"sv, "1000"sv, "1510"sv,
                                        "30000"sv};
constexpr std::string_view kOddTtls[] = {"0"sv, "-1"sv, "abc"sv, "1.5"sv, "9223372036854775807"sv,
                                         "9223372036854775"sv, "-9223372036854775808"sv, ""sv};
constexpr std::string_view kScores[] = {"0"sv, "1"sv, "-1"sv, "1.5"sv, "1767225600000"sv, "inf"sv, "-inf"sv,
                                        "1e300"sv, "0.1"sv, "-0"sv, "abc"sv, "nan"sv, "(1"sv};
constexpr std::string_view kFields[] = {"token-a"sv, "token-b"sv, "f"sv, ""sv};

constexpr std::string_view kScripts[] = {
    "return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])"sv,
    "if redis.call('exists', KEYS[1]) == 0 then redis.call('hincrby', KEYS[1], ARGV[1], 1); "
    "redis.call('pexpire', KEYS[1], ARGV[2]); return nil end return redis.call('pttl', KEYS[1])"sv,
    "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return nil end "
    "local n = redis.call('hincrby', KEYS[1], ARGV[1], -1) "
    "if n > 0 then redis.call('pexpire', KEYS[1], ARGV[2]) return 0 end "
    "redis.call('del', KEYS[1]) redis.call('publish', 'ch', '0') return 1"sv,
    "redis.call('set', KEYS[1], ARGV[1]) redis.call('pexpire', KEYS[1], ARGV[2]) "
    "return {redis.call('get', KEYS[1]), redis.call('pttl', KEYS[1])}"sv,
    "return redis.call('incr', KEYS[1])"sv,
    "local r = redis.pcall('incr', KEYS[1]) if type(r) == 'table' and r.err then return r.err end return r"sv,
    "redis.call('set', KEYS[1], 'x') return redis.call('lpush', KEYS[1], 'y')"sv,
    "return redis.pcall('hget', KEYS[1], ARGV[1])"sv,
    "return {1, 2.9, -1.9, 'three', true, false, {4, {5}}, nil, 6}"sv,
    "return {ok = 'FINE'}"sv,
    "return {err = 'MY failure'}"sv,
    "return redis.error_reply('boom')"sv,
    "return redis.error_reply('-MY boom')"sv,
    "return redis.status_reply('fine')"sv,
    "error('thrown')"sv,
    "return nothing_here"sv,
    "this is no lua"sv,
    "return redis.call('get')"sv,
    "return redis.call('nosuchcommand', KEYS[1])"sv,
    "return redis.call()"sv,
    "return redis.call('set', KEYS[1], {})"sv,
    "return redis.call('multi')"sv,
    "return redis.call('time')"sv,
    "return {#KEYS, #ARGV, KEYS[1], ARGV[1]}"sv,
    "return redis.call('mget', KEYS[1], 'k', 'n')"sv,
    "return redis.call('get', KEYS[1]) == false"sv,
    "return redis.sha1hex(ARGV[1] or '')"sv,
    "return tostring(redis.call('zscore', KEYS[1], 'token-a'))"sv,
    "return redis.call('lrange', KEYS[1], 0, -1)"sv,
    "redis.setresp(3) return redis.call('hget', KEYS[1], 'f') == nil"sv,
    "for i = 1, 3 do redis.call('rpush', KEYS[1], i) end return redis.call('llen', KEYS[1])"sv,
    "return string.format('%s|%d|%5.1f', ARGV[1] or 'none', 3, 2.25)"sv,
    "return tonumber(ARGV[1])"sv,
    "#!lua flags=no-writes\nreturn redis.call('get', KEYS[1])"sv,
    "#!lua flags=no-writes\nreturn redis.call('set', KEYS[1], 'v')"sv,
    "#!lua\nreturn redis.call('set', KEYS[1], ARGV[1])"sv,
};

std::string sha_of(std::string_view source) {
  return std::string(redis::sha1_hex(source).view());
}

}  // namespace

Generator::Generator(std::uint64_t seed) : random_(seed, 0x636f6e66) {}

// --- words

std::string Generator::key() { return std::string(any(kKeys)); }

std::string Generator::value() {
  if (one_in(40)) return std::string(below(300), static_cast<char>('a' + below(26)));
  return std::string(any(kValues));
}

std::string Generator::number() { return std::string(any(kNumbers)); }

std::string Generator::ttl_ms() {
  if (one_in(12)) return std::string(any(kOddTtls));
  std::string text(any(kTtlsMs));
  deadlines_ms_.push_back(WallTime{now_us_}.ms() + std::stoll(text));
  return text;
}

std::string Generator::deadline_ms() {
  if (one_in(12)) return std::string(any(kOddTtls));
  const std::int64_t ms = WallTime{now_us_}.ms() + static_cast<std::int64_t>(below(60)) - 5;
  deadlines_ms_.push_back(ms);
  return std::to_string(ms);
}

std::string Generator::score() { return std::string(any(kScores)); }

// --- the sequence

void Generator::send(Words words) {
  if (mangling_) mangle(words);
  // Words as typed by people.
  if (one_in(8)) {
    for (char& c : words[0]) {
      if (one_in(2) && c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    }
  }
  out_.push_back({.kind = Step::Kind::kCommand, .connection = connection_, .clock_us = 0,
                  .words = std::move(words)});
  ++commands_;
}

Sequence Generator::sequence(std::size_t commands) {
  constexpr Kind kKinds[] = {
      {260, &Generator::lock_command},   {140, &Generator::ttl_command},
      {90, &Generator::string_command},  {40, &Generator::counter_command},
      {80, &Generator::hash_command},    {60, &Generator::list_command},
      {50, &Generator::zset_command},    {50, &Generator::key_command},
      {120, &Generator::script_command}, {30, &Generator::transaction},
      {25, &Generator::publish_or_subscribe}, {12, &Generator::blocking_pop},
      {20, &Generator::connection_command},   {60, &Generator::malformed},
      {20, &Generator::whole_key_command},    {25, &Generator::set_command},
      {12, &Generator::client_command},
  };
  std::uint32_t total = 0;
  for (const Kind& kind : kKinds) total += kind.weight;

  out_.clear();
  deadlines_ms_.clear();
  commands_ = 0;
  connection_ = 0;
  now_us_ = kEpoch.us;
  while (commands_ < commands) {
    // Runs of commands of one connection, between them another one, or another instant.
    connection_ = one_in(3) ? static_cast<int>(below(kConnections)) : connection_;
    if (one_in(2)) step_clock();
    if (one_in(150)) close();
    for (std::uint32_t left = 1 + below(one_in(4) ? 40 : 8); left > 0 && commands_ < commands; --left) {
      std::uint32_t drawn = below(total);
      const Kind* kind = kKinds;
      while (drawn >= kind->weight) drawn -= (kind++)->weight;
      (this->*kind->draw)();
    }
  }
  return std::move(out_);
}

void Generator::step_clock() {
  std::int64_t step_us = 0;
  if (!deadlines_ms_.empty() && !one_in(4)) {
    // The last or the first microsecond of the millisecond of a deadline, or of one beside it.
    const std::size_t recent = std::min<std::size_t>(deadlines_ms_.size(), 8);
    const std::int64_t deadline =
        deadlines_ms_[deadlines_ms_.size() - 1 - below(static_cast<std::uint32_t>(recent))];
    step_us = (deadline - 1 + static_cast<std::int64_t>(below(3))) * 1000 + (one_in(2) ? 999 : 0) - now_us_;
    if (step_us < 0 && !one_in(10)) step_us = static_cast<std::int64_t>(below(3)) * 1000;
  } else {
    constexpr std::int64_t kSteps[] = {1, 999, 1'000, 5'000, 100'000, 1'000'000, 31'000'000, -1'000, -5'000'000};
    step_us = kSteps[below(std::size(kSteps))];
  }
  if (step_us == 0) return;
  // A deadline far away is not worth going to: time stays near the start.
  if (step_us > 60'000'000 || step_us < -60'000'000) return;
  now_us_ += step_us;
  out_.push_back({.kind = Step::Kind::kClock, .connection = 0, .clock_us = step_us, .words = {}});
}

void Generator::close() {
  out_.push_back({.kind = Step::Kind::kClose, .connection = connection_, .clock_us = 0, .words = {}});
}

void Generator::malformed() {
  mangling_ = true;
  switch (below(4)) {
    case 0: lock_command(); break;
    case 1: ttl_command(); break;
    case 2: script_command(); break;
    default:
      switch (below(5)) {
        case 0: string_command(); break;
        case 1: hash_command(); break;
        case 2: list_command(); break;
        case 3: zset_command(); break;
        default: key_command(); break;
      }
  }
  mangling_ = false;
}

void Generator::mangle(Words& words) {
  constexpr std::string_view kOdd[] = {"NX"sv, "XX"sv, "PX"sv, "GET"sv, "KEEPTTL"sv, "GT"sv, "LT"sv, "0"sv,
                                       "-1"sv, ""sv, "abc"sv, "\x00"sv, "COUNT"sv, "MATCH"sv, "LIMIT"sv,
                                       "WITHSCORES"sv, "CH"sv, "INCR"sv, "PERSIST"sv, "1.5"sv};
  const auto at = [&] { return static_cast<std::ptrdiff_t>(1 + below(static_cast<std::uint32_t>(words.size() - 1))); };
  for (std::uint32_t times = 1 + below(2); times > 0; --times) {
    // SCAN must not be told to stop halfway: where that is depends on the server.
    const std::uint32_t how = words.size() < 2 || words[0] == "SCAN" ? 3 : below(5);
    if (how == 0) {
      words.erase(words.begin() + at());
    } else if (how == 1) {
      words.insert(words.begin() + at(), std::string(any(kOdd)));
    } else if (how == 2) {
      words[static_cast<std::size_t>(at())] = any(kOdd);
    } else if (how == 3) {
      words.emplace_back(any(kOdd));
    } else if (one_in(6)) {
      // Not "GET\0x": a real server takes it for GET where the hash seed of its process happens to put both
      // into one bucket.
      constexpr std::string_view kUnknown[] = {"FROB"sv, "SETT"sv, "GE"sv, ""sv, "\x00GET"sv,
                                               "LOCK ME\r\nNOW"sv};
      words[0] = any(kUnknown);
    }
  }
}

// --- commands

void Generator::lock_command() {
  switch (below(14)) {
    case 0:
    case 1: send({"SET", key(), value(), "NX", "PX", ttl_ms()}); break;
    case 2: send({"SET", key(), value(), "PX", ttl_ms(), "NX"}); break;
    case 3: send({"SET", key(), value(), "NX", "EX", one_in(3) ? number() : "1"}); break;
    case 4: send({"SETNX", key(), value()}); break;
    case 5: send({"GET", key()}); break;
    case 6: send({"DEL", key()}); break;
    case 7: {
      const Script& script = one_in(2) ? scripts::kCompareAndDelete : scripts::kCompareAndExpire;
      send({"EVAL", std::string(script.source), "1", key(), value(), ttl_ms()});
      break;
    }
    case 8:
    case 9: {
      const Script& script = one_in(2) ? scripts::kCompareAndDelete : scripts::kCompareAndExpire;
      send({"EVALSHA", sha_of(script.source), "1", key(), value(), ttl_ms()});
      break;
    }
    case 10: send({"PEXPIRE", key(), ttl_ms()}); break;
    case 11: send({"PTTL", key()}); break;
    case 12: send({"SET", key(), value(), "XX", "PX", ttl_ms()}); break;
    default: send({"SET", key(), value(), "PXAT", deadline_ms()}); break;
  }
}

void Generator::ttl_command() {
  constexpr std::string_view kConditions[] = {"NX"sv, "XX"sv, "GT"sv, "LT"sv};
  Words words;
  switch (below(12)) {
    case 0: words = {"EXPIRE", key(), one_in(3) ? number() : "1"}; break;
    case 1:
    case 2: words = {"PEXPIRE", key(), ttl_ms()}; break;
    case 3: words = {"PEXPIREAT", key(), deadline_ms()}; break;
    case 4: words = {"EXPIREAT", key(), std::to_string(now_us_ / 1'000'000 + below(3))}; break;
    case 5: return send({"PERSIST", key()});
    case 6: return send({"TTL", key()});
    case 7: return send({"PTTL", key()});
    case 8: return send({"EXPIRETIME", key()});
    case 9: return send({"PEXPIRETIME", key()});
    case 10: return send({"GETEX", key(), "PX", ttl_ms()});
    default: return send({"GETEX", key(), one_in(2) ? "PERSIST" : "EXAT", "1"});
  }
  for (std::uint32_t n = one_in(3) ? 1 + below(2) : 0; n > 0; --n) words.emplace_back(any(kConditions));
  send(std::move(words));
}

void Generator::string_command() {
  constexpr std::string_view kOptions[] = {"NX"sv, "XX"sv, "GET"sv, "KEEPTTL"sv};
  switch (below(13)) {
    case 0: send({"SET", key(), value()}); break;
    case 1: send({"SET", key(), value(), std::string(any(kOptions))}); break;
    case 2: send({"SET", key(), value(), std::string(any(kOptions)), std::string(any(kOptions))}); break;
    case 3: send({"SET", key(), value(), std::string(any(kOptions)), "PX", ttl_ms()}); break;
    case 4: send({"GETSET", key(), value()}); break;
    case 5: send({"GETDEL", key()}); break;
    case 6: send({"GETEX", key()}); break;
    case 7: send({"SETEX", key(), one_in(3) ? number() : "1", value()}); break;
    case 8: send({"PSETEX", key(), ttl_ms(), value()}); break;
    case 9: send({"MGET", key(), key(), key()}); break;
    case 10: send({"MSET", key(), value(), key(), value()}); break;
    case 11: send({"APPEND", key(), value()}); break;
    default: send({"STRLEN", key()}); break;
  }
}

void Generator::counter_command() {
  switch (below(5)) {
    case 0: send({"INCR", key()}); break;
    case 1: send({"DECR", key()}); break;
    case 2: send({"INCRBY", key(), number()}); break;
    case 3: send({"DECRBY", key(), number()}); break;
    default: send({"INCRBYFLOAT", key(), one_in(2) ? number() : score()}); break;
  }
}

void Generator::hash_command() {
  const auto field = [&] { return std::string(any(kFields)); };
  switch (below(13)) {
    case 0: send({"HSET", key(), field(), value()}); break;
    case 1: send({"HSET", key(), field(), value(), field(), value()}); break;
    case 2: send({"HSETNX", key(), field(), value()}); break;
    case 3: send({"HGET", key(), field()}); break;
    case 4: send({"HEXISTS", key(), field()}); break;
    case 5:
    case 6: send({"HINCRBY", key(), field(), number()}); break;
    case 7: send({"HDEL", key(), field()}); break;
    case 8: send({"HGETALL", key()}); break;
    case 9: send({"HLEN", key()}); break;
    case 10: send({"HMGET", key(), field(), field()}); break;
    case 11: send({one_in(2) ? "HKEYS" : "HVALS", key()}); break;
    default: send({"HMSET", key(), field(), value()}); break;
  }
}

void Generator::list_command() {
  switch (below(9)) {
    case 0: send({"RPUSH", key(), value()}); break;
    case 1: send({"LPUSH", key(), value(), value()}); break;
    case 2: send({"LPOP", key()}); break;
    case 3: send({"RPOP", key(), number()}); break;
    case 4: send({"LLEN", key()}); break;
    case 5: send({"LRANGE", key(), number(), number()}); break;
    case 6: send({"LINDEX", key(), number()}); break;
    case 7: send({"LREM", key(), number(), value()}); break;
    default: send({"LPOP", key(), number()}); break;
  }
}

void Generator::zset_command() {
  constexpr std::string_view kOptions[] = {"NX"sv, "XX"sv, "GT"sv, "LT"sv, "CH"sv, "INCR"sv};
  const auto member = [&] { return std::string(any(kFields)); };
  switch (below(12)) {
    case 0:
    case 1: send({"ZADD", "z", score(), member()}); break;
    case 2: send({"ZADD", key(), std::string(any(kOptions)), score(), member()}); break;
    case 3: send({"ZADD", key(), score(), member(), score(), member()}); break;
    case 4: send({"ZREM", key(), member()}); break;
    case 5: send({"ZSCORE", key(), member()}); break;
    case 6: send({"ZRANK", key(), member()}); break;
    case 7: send({"ZCARD", key()}); break;
    case 8: send({"ZCOUNT", key(), score(), score()}); break;
    case 9: send({"ZREMRANGEBYSCORE", key(), score(), score()}); break;
    case 10: send({"ZRANGEBYSCORE", key(), score(), score(), "WITHSCORES"}); break;
    default:
      if (one_in(2)) {
        send({"ZINCRBY", key(), score(), member()});
      } else {
        send({"ZRANGE", key(), number(), number()});
      }
      break;
  }
}

void Generator::key_command() {
  switch (below(11)) {
    case 0: send({"EXISTS", key(), key()}); break;
    case 1: send({"TYPE", key()}); break;
    case 2: send({"DBSIZE"}); break;
    case 3: send({"KEYS", one_in(2) ? "*" : "lock*"}); break;
    case 4: send({"SCAN", "0", "COUNT", "1000"}); break;
    case 5: send({"UNLINK", key(), key()}); break;
    case 6: send({"TOUCH", key()}); break;
    case 7: send({"DEL", key(), key()}); break;
    case 8:
      if (one_in(6)) {
        send({one_in(2) ? "FLUSHDB" : "FLUSHALL"});
      } else {
        send({"DBSIZE"});
      }
      break;
    case 9: send({"TIME"}); break;
    default: send({"TYPE", key()}); break;
  }
}

// Operators' commands: they move whole keys, whoever owns them.
void Generator::whole_key_command() {
  switch (below(6)) {
    case 0: send({"RENAME", key(), key()}); break;
    case 1: send({"RENAMENX", key(), key()}); break;
    case 2: send({"COPY", key(), key()}); break;
    case 3: send({"COPY", key(), key(), one_in(2) ? "REPLACE" : "DB", one_in(2) ? "1" : number()}); break;
    case 4: send({"MOVE", key(), one_in(3) ? number() : "1"}); break;
    default:
      if (one_in(5)) {
        // No real swap: which of the keys that it brings serves a blocked client is a matter of hashes.
        send({"SWAPDB", "0", one_in(3) ? "0" : one_in(2) ? "16" : "abc"});
      } else {
        send({"MSETNX", key(), value(), key(), value()});
      }
      break;
  }
}

void Generator::set_command() {
  const auto member = [&] { return std::string(any(kFields)); };
  switch (below(5)) {
    case 0: send({"SADD", key(), member()}); break;
    case 1: send({"SADD", key(), member(), member()}); break;
    case 2: send({"SREM", key(), member()}); break;
    case 3: send({"SISMEMBER", key(), member()}); break;
    default: send({one_in(2) ? "SCARD" : "SMEMBERS", key()}); break;
  }
}

// What libraries say when they connect, and what people type; nothing that tells ids or addresses.
void Generator::client_command() {
  switch (below(9)) {
    case 0: send({"CLIENT", "SETNAME", one_in(3) ? value() : "me"}); break;
    case 1: send({"CLIENT", "GETNAME"}); break;
    case 2: send({"CLIENT", "SETINFO", "LIB-NAME", "x"}); break;
    case 3: send({"CLIENT", "NO-EVICT", one_in(3) ? value() : "ON"}); break;
    case 4: send({"CLIENT", value()}); break;
    case 5: send({"WAIT", "0", one_in(3) ? number() : "0"}); break;
    case 6: send({"HELLO", one_in(2) ? "4" : "abc"}); break;
    case 7: send({"AUTH", value()}); break;
    default: send({"SLOWLOG", "GET", "-2"}); break;
  }
}

void Generator::script_command() {
  const std::string source(any(kScripts));
  switch (below(8)) {
    case 0: send({"SCRIPT", "LOAD", source}); break;
    case 1: send({"SCRIPT", "EXISTS", sha_of(source), sha_of("never loaded")}); break;
    case 2: send({"EVALSHA", sha_of(source), "1", key(), value(), ttl_ms()}); break;
    case 3:
      if (one_in(20)) {
        send({"SCRIPT", "FLUSH"});
      } else {
        send({"EVAL", source, number(), key(), value()});
      }
      break;
    case 4: send({one_in(2) ? "EVAL_RO" : "EVAL", source, "1", key(), value(), ttl_ms()}); break;
    default: send({"EVAL", source, "1", key(), value(), ttl_ms()}); break;
  }
}

void Generator::transaction() {
  const int mine = connection_;
  if (one_in(2)) send({"WATCH", key()});
  if (one_in(3)) {
    // Somebody else comes between, or time does.
    if (one_in(3)) {
      step_clock();
    } else {
      connection_ = static_cast<int>(below(kConnections));
      lock_command();
      connection_ = mine;
    }
  }
  if (one_in(10)) send({"UNWATCH"});
  send({"MULTI"});
  for (std::uint32_t left = below(5); left > 0; --left) {
    switch (below(6)) {
      case 0: ttl_command(); break;
      case 1: script_command(); break;
      case 2: hash_command(); break;
      case 3: list_command(); break;
      default: lock_command(); break;
    }
    if (one_in(12)) malformed();
    if (one_in(30)) send({"MULTI"});
    if (one_in(30)) send({"WATCH", key()});
  }
  if (one_in(6)) {
    connection_ = static_cast<int>(below(kConnections));
    lock_command();
    connection_ = mine;
  }
  send({one_in(10) ? "DISCARD" : "EXEC"});
}

void Generator::publish_or_subscribe() {
  constexpr std::string_view kChannels[] = {"ch"sv, "lock:ch"sv, "\x00"sv};
  constexpr std::string_view kPatterns[] = {"*"sv, "l?ck:*"sv, "[a-c]h"sv};
  if (!one_in(3)) return send({"PUBLISH", std::string(any(kChannels)), value()});
  const int mine = connection_;
  // Two of the connections listen at times; others would mostly answer that they cannot do anything else.
  connection_ = kConnections - 1 - static_cast<int>(below(2));
  switch (below(8)) {
    case 0:
    case 1: send({"SUBSCRIBE", std::string(any(kChannels))}); break;
    case 2: send({"SUBSCRIBE", std::string(any(kChannels)), std::string(any(kChannels))}); break;
    case 3: send({"PSUBSCRIBE", std::string(any(kPatterns))}); break;
    case 4: send({"UNSUBSCRIBE", std::string(any(kChannels))}); break;
    case 5: send({"PUNSUBSCRIBE"}); break;
    case 6: send({"PING", value()}); break;
    default: send({"RESET"}); break;
  }
  connection_ = mine;
}

void Generator::blocking_pop() {
  constexpr std::string_view kTimeouts[] = {"0.001"sv, "0.1"sv, "1"sv, "0.0005"sv, "0"sv, "-1"sv, "abc"sv};
  const int mine = connection_;
  if (one_in(2)) connection_ = static_cast<int>(below(kConnections));
  send({"BLPOP", one_in(4) ? key() : "q", "q2", std::string(any(kTimeouts))});
  connection_ = (connection_ + 1 + static_cast<int>(below(kConnections - 1))) % kConnections;
  if (!one_in(3)) send({"RPUSH", one_in(2) ? "q" : "q2", value()});
  connection_ = mine;
}

void Generator::connection_command() {
  switch (below(8)) {
    case 0:
    case 1: send({"SELECT", one_in(4) ? number() : std::to_string(below(3))}); break;
    case 2: send({"SELECT", "0"}); break;
    case 3: send({"PING"}); break;
    case 4: send({"ECHO", value()}); break;
    case 5: send({"TIME"}); break;
    case 6:
      if (!one_in(5)) return send({"RESET"});
      send({"QUIT"});
      return close();
    default: send({"DBSIZE"}); break;
  }
}

}  // namespace locklapse::conformance
