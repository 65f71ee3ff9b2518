// Which server is spoken: Redis and Valkey differ, between versions and from each other, in some
// things that a lock can see. Every such difference is a question asked here.
//
// Measured on 7.0.15, 7.2.6, a pre-release of 8.0, and Valkey 8.0.1; what came later is taken from
// the documentation and the sources.
#pragma once

#include <cstdint>
#include <string_view>

namespace locklapse::redis {

enum class Dialect : std::uint8_t { kRedis70, kRedis72, kRedis84, kValkey8, kValkey9 };
inline constexpr Dialect kDialects[] = {Dialect::kRedis70, Dialect::kRedis72, Dialect::kRedis84,
                                        Dialect::kValkey8, Dialect::kValkey9};

// A set of dialects, for tables.
using DialectSet = std::uint8_t;
constexpr DialectSet only(Dialect dialect) {
  return static_cast<DialectSet>(1U << static_cast<unsigned>(dialect));
}
inline constexpr DialectSet kAllDialects = 0x1f;
inline constexpr DialectSet kRedis72AndLater = kAllDialects & ~only(Dialect::kRedis70);
constexpr bool contains(DialectSet set, Dialect dialect) { return (set & only(dialect)) != 0; }

constexpr bool is_valkey(Dialect dialect) {
  return dialect == Dialect::kValkey8 || dialect == Dialect::kValkey9;
}
// As scenario files and reports name it: "7.0", "valkey-8".
constexpr std::string_view dialect_name(Dialect dialect) {
  constexpr std::string_view kNames[] = {"7.0", "7.2", "8.4", "valkey-8", "valkey-9"};
  return kNames[static_cast<std::size_t>(dialect)];
}
constexpr std::string_view server_version(Dialect dialect) {
  constexpr std::string_view kVersions[] = {"7.0.15", "7.2.6", "8.4.0", "8.1.0", "9.0.0"};
  return kVersions[static_cast<std::size_t>(dialect)];
}
// As a server calls itself in its messages.
constexpr std::string_view server_title(Dialect dialect) {
  return is_valkey(dialect) ? "Valkey" : "Redis";
}

// Whether TIME, PTTL and the base of relative TTLs stand still within a script or a transaction.
// Whether a key is dead never changes there, in any dialect.
constexpr bool freezes_clock_in_scripts(Dialect dialect) { return dialect != Dialect::kRedis70; }
// Whether BLPOP and WAIT may be called in a script; they do not block there.
constexpr bool allows_blocking_commands_in_scripts(Dialect dialect) {
  return dialect != Dialect::kRedis70;
}
// Whether the active cycle takes a key in the last millisecond of its life (8.0 and later), in which
// a read still finds it alive.
constexpr bool expires_actively_at_deadline(Dialect dialect) {
  return dialect == Dialect::kRedis84;
}
// SET with a deadline in the past: Valkey deletes the key, Redis stores it dead.
constexpr bool set_deletes_past_deadlines(Dialect dialect) { return is_valkey(dialect); }
// SET ... IFEQ value.
constexpr bool has_set_ifeq(Dialect dialect) {
  return dialect == Dialect::kRedis84 || is_valkey(dialect);
}
// SET ... IFNE value.
constexpr bool has_set_ifne(Dialect dialect) { return dialect == Dialect::kRedis84; }

}  // namespace locklapse::redis
