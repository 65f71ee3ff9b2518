// Writes and deletions that depend on what is there: MSETNX, and what later dialects offer instead
// of a script.
#include <utility>

#include "sim/redis/commands.h"
#include "sim/redis/string_options.h"

namespace locklapse::redis {

namespace {

Reply delete_key(Call& call, Key& key) {
  call.propagate_as({"DEL", call.key()});
  call.server.remove(call.connection, key, KeyChangeKind::kRemoved, "del");
  return call.integer(1);
}

bool any_exists(Call& call, Argv pairs) {
  // Those behind the first that is found are not looked at, so that dead ones stay.
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    if (call.find(pairs[i]) != nullptr) return true;
  }
  return false;
}

bool all_exist(Call& call, Argv pairs) {
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    if (call.find(pairs[i]) == nullptr) return false;
  }
  return true;
}

}  // namespace

Reply delifeq_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  const String* value = value_of<String>(*key);
  if (value == nullptr) return call.wrong_type();
  if (std::string_view(*value) != call.argv[2]) return call.integer(0);
  return delete_key(call, *key);
}

// DELEX key [IFEQ value | IFNE value]. Conditions on a digest are not modelled.
Reply delex_command(Call& call) {
  if (call.argv.size() != 2 && call.argv.size() != 4) return call.wrong_arity();
  const bool conditional = call.argv.size() == 4;
  const bool wanted_equal = conditional && is_word(call.argv[2], "ifeq");
  if (conditional && !wanted_equal && !is_word(call.argv[2], "ifne")) return call.syntax_error();
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  if (conditional) {
    const String* value = value_of<String>(*key);
    if (value == nullptr) {
      return call.error("ERR Key should be of string type if conditions are specified");
    }
    if ((std::string_view(*value) == call.argv[3]) != wanted_equal) return call.integer(0);
  }
  return delete_key(call, *key);
}

Reply msetnx_command(Call& call) {
  if (call.argv.size() % 2 == 0) return call.wrong_arity();
  const Argv pairs = call.argv.subspan(1);
  if (any_exists(call, pairs)) return call.integer(0);
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    write_string(call, pairs[i], pairs[i + 1], kNoDeadline);
  }
  return call.integer(1);
}

// MSETEX numkeys key value [key value ...] [NX | XX] [EX s | PX ms | EXAT s | PXAT ms | KEEPTTL].
Reply msetex_command(Call& call) {
  std::int64_t count = 0;
  if (!parse_int64(call.argv[1], count) || count < 1) {
    return call.error("ERR invalid numkeys value");
  }
  const auto words = static_cast<std::int64_t>(call.argv.size()) - 2;
  if (count > words / 2) return call.error("ERR wrong number of key-value pairs");
  const Argv pairs = call.argv.subspan(2, 2 * static_cast<std::size_t>(count));
  StringOptions options;
  const Argv rest = call.argv.subspan(2 + pairs.size());
  if (!parse_string_options(rest, OptionsOf::kMsetex, call.server.config.dialect, options)) {
    return call.syntax_error();
  }
  std::int64_t deadline_ms = kNoDeadline;
  if (options.unit != ExpireUnit::kNone) {
    if (auto error = deadline_of(call, options.unit, options.expire, deadline_ms)) {
      return std::move(*error);
    }
  }
  if (options.nx && any_exists(call, pairs)) return call.integer(0);
  if (options.xx && !all_exist(call, pairs)) return call.integer(0);
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    write_string(call, pairs[i], pairs[i + 1],
                 options.keep_ttl ? std::nullopt : std::optional(deadline_ms));
    if (deadline_ms != kNoDeadline) {
      call.propagate_as(
          {"SET", pairs[i], pairs[i + 1], "PXAT", integer_text(deadline_ms).view()});
    } else if (options.keep_ttl) {
      call.propagate_as({"SET", pairs[i], pairs[i + 1], "KEEPTTL"});
    } else {
      call.propagate_as({"SET", pairs[i], pairs[i + 1]});
    }
  }
  return call.integer(1);
}

}  // namespace locklapse::redis
