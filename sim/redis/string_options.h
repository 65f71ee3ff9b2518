// The options that SET and its relatives share, and how they write.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/redis/call.h"

namespace locklapse::redis {

enum class ExpireUnit : std::uint8_t { kNone, kEx, kPx, kExAt, kPxAt };
// The value that a key must have, or must not.
enum class Comparison : std::uint8_t { kNone, kEqual, kUnequal };
enum class OptionsOf : std::uint8_t { kSet, kGetex, kMsetex };

struct StringOptions {
  bool nx = false;
  bool xx = false;
  bool get = false;
  bool keep_ttl = false;
  bool persist = false;
  Comparison comparison = Comparison::kNone;
  std::string_view compared = {};
  ExpireUnit unit = ExpireUnit::kNone;
  std::string_view expire = {};
};

// Reads the options behind the value of SET, the key of GETEX or the pairs of MSETEX. Returns false
// on bad syntax.
bool parse_string_options(Argv words, OptionsOf command, Dialect dialect, StringOptions& options);

// Turns an expire option into a deadline; or the error reply.
std::optional<Reply> deadline_of(const Call& call, ExpireUnit unit, std::string_view text,
                                 std::int64_t& deadline_ms);

// Gives a key a string and, unless it is to keep its TTL, a deadline.
void write_string(Call& call, std::string_view name, std::string_view value,
                  std::optional<std::int64_t> deadline_ms);

}  // namespace locklapse::redis
