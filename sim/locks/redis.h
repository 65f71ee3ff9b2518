// The Redis commands that lock protocols are written in, as things to co_await.
//
//   auto answer = co_await redis.set_nx_px(key, token, ttl);
//
// A Redis names the connection, what its commands are for (the phase) and which try they belong to. It
// is small and passed by value. Text passed in must outlive the await; durations go out in whole
// milliseconds. Every function yields an Answer: a reply, or the knowledge that none came in time.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/core/time.h"
#include "sim/world/command.h"

namespace locklapse {

class Redis {
 public:
  Redis(CommandPort& port, Phase phase, std::uint32_t attempt)
      : port_(&port), phase_(phase), attempt_(attempt) {}

  // SET key value NX PX ttl; without a TTL: SETNX semantics by SET key value NX.
  Operation set_nx(std::string_view key, std::string_view value, std::int64_t ttl_ms) const {
    return Operation(*port_, phase_, attempt_, "SET", [&](Operation& o) {
      o.add(key);
      o.add(value);
      o.add("NX");
      if (ttl_ms > 0) {
        o.add("PX");
        o.add_number(ttl_ms);
      }
    });
  }
  // SET key value XX PX ttl: whoever owns it.
  Operation set_xx(std::string_view key, std::string_view value, std::int64_t ttl_ms) const {
    return Operation(*port_, phase_, attempt_, "SET", [&](Operation& o) {
      o.add(key);
      o.add(value);
      o.add("XX");
      o.add("PX");
      o.add_number(ttl_ms);
    });
  }
  Operation setnx(std::string_view key, std::string_view value) const {
    return words("SETNX", key, value);
  }
  Operation get(std::string_view key) const { return words("GET", key); }
  Operation del(std::string_view key) const { return words("DEL", key); }
  Operation pexpire(std::string_view key, std::int64_t ttl_ms) const {
    return Operation(*port_, phase_, attempt_, "PEXPIRE", [&](Operation& o) {
      o.add(key);
      o.add_number(ttl_ms);
    });
  }
  Operation subscribe(std::string_view channel) const { return words("SUBSCRIBE", channel); }
  Operation rpush(std::string_view key, std::string_view value) const { return words("RPUSH", key, value); }
  Operation lpush(std::string_view key, std::string_view value) const { return words("LPUSH", key, value); }
  // BLPOP key timeout, in whole seconds; 0 waits for ever.
  Operation blpop(std::string_view key, std::int64_t timeout_s) const {
    return Operation(*port_, phase_, attempt_, "BLPOP", [&](Operation& o) {
      o.add(key);
      o.add_number(timeout_s);
    });
  }
  Operation hset(std::string_view key, std::string_view field, std::string_view value) const {
    return words("HSET", key, field, value);
  }
  Operation hdel(std::string_view key, std::string_view field) const { return words("HDEL", key, field); }

  // EVAL with one key and a text argument, and a number where there is one.
  Operation eval(const Script& script, std::string_view key, std::string_view argument) const {
    return Operation(*port_, phase_, attempt_, "EVAL", [&](Operation& o) {
      o.add_script(script);
      o.add("1");
      o.add(key);
      o.add(argument);
    });
  }
  Operation eval(const Script& script, std::string_view key, std::string_view argument,
                 std::int64_t number) const {
    return Operation(*port_, phase_, attempt_, "EVAL", [&](Operation& o) {
      o.add_script(script);
      o.add("1");
      o.add(key);
      o.add(argument);
      o.add_number(number);
    });
  }
  Operation eval2(const Script& script, std::string_view key1, std::string_view key2,
                  std::string_view argument, std::int64_t number) const {
    return Operation(*port_, phase_, attempt_, "EVAL", [&](Operation& o) {
      o.add_script(script);
      o.add("2");
      o.add(key1);
      o.add(key2);
      o.add(argument);
      o.add_number(number);
    });
  }

 private:
  template <typename... Words>
  Operation words(std::string_view name, Words... more) const {
    return Operation(*port_, phase_, attempt_, name, [&](Operation& o) { (o.add(more), ...); });
  }

  CommandPort* port_;
  Phase phase_;
  std::uint32_t attempt_;
};

}  // namespace locklapse
