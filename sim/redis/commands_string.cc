#include <limits>
#include <optional>
#include <utility>

#include "sim/redis/commands.h"
#include "sim/redis/number.h"
#include "sim/redis/string_options.h"

namespace locklapse::redis {

namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

void write_string(Call& call, std::string_view name, Key* key, std::string_view value,
                  std::optional<std::int64_t> deadline_ms) {
  call.server.before(key);
  Key& target = key != nullptr ? *key : call.server.insert(call.connection, name);
  if (String* string = value_of<String>(target)) {
    string->assign(value);
  } else {
    target.second.object.value.emplace<String>(value, call.memory());
  }
  if (deadline_ms && (*deadline_ms != kNoDeadline || target.second.deadline_ms != kNoDeadline)) {
    call.server.keys.set_deadline(target, *deadline_ms);
  }
  call.server.written(call.connection, target);
}

void notify_set(Call& call, std::string_view name, std::optional<std::int64_t> deadline_ms) {
  call.notify(kNotifyString, "set", name);
  if (deadline_ms && *deadline_ms != kNoDeadline) call.notify(kNotifyGeneric, "expire", name);
}

Reply get_reply(Call& call, Key* key) {
  if (key == nullptr) return call.nil();
  const String* string = value_of<String>(*key);
  return string == nullptr ? call.wrong_type() : call.bulk(*string);
}

void propagate_without_get(Call& call) {
  std::pmr::vector<std::string_view> words(call.argv.begin(), call.argv.begin() + 3, call.memory());
  for (const std::string_view word : call.argv.subspan(3)) {
    if (!is_word(word, "get")) words.push_back(word);
  }
  call.propagate_as(Argv(words));
}

// Whether a key passes IFEQ or IFNE; a missing one passes IFNE. REQUIRES: it is none or a string.
bool passes(const StringOptions& options, Key* key) {
  if (options.comparison == Comparison::kNone) return true;
  const bool equal = key != nullptr && std::string_view(*value_of<String>(*key)) == options.compared;
  return equal == (options.comparison == Comparison::kEqual);
}

// SET with a deadline in the past, where that deletes the key.
void set_past_deadline(Call& call, Key* key) {
  if (key == nullptr) return;
  call.propagate_as({"DEL", call.key()});
  call.server.remove(call.connection, *key, KeyChangeKind::kRemoved, "del");
}

// SET and its shorthands; `done` and `refused` are what the caller is told.
Reply set(Call& call, const StringOptions& options, std::string_view value, Reply done,
          Reply refused) {
  std::int64_t deadline_ms = kNoDeadline;
  if (options.unit != ExpireUnit::kNone) {
    if (auto error = deadline_of(call, options.unit, options.expire, deadline_ms))
      return std::move(*error);
  }
  Key* key = call.find(call.key());
  if (options.get) {
    Reply old = get_reply(call, key);
    if (old.is_error()) return old;
    done = old;
    refused = std::move(old);
  }
  if (options.comparison != Comparison::kNone && key != nullptr &&
      value_of<String>(*key) == nullptr) {
    return call.wrong_type();
  }
  if ((options.nx && key != nullptr) || (options.xx && key == nullptr)) return refused;
  if (!passes(options, key)) return refused;
  if (deadline_ms != kNoDeadline && set_deletes_past_deadlines(call.server.config.dialect) &&
      deadline_ms <= call.server.now_ms() && call.server.removes_past_deadlines()) {
    set_past_deadline(call, key);
    return done;
  }
  const auto deadline = options.keep_ttl ? std::nullopt : std::optional<std::int64_t>(deadline_ms);
  write_string(call, call.key(), key, value, deadline);
  notify_set(call, call.key(), deadline);
  if (!call.propagates()) return done;
  if (options.unit != ExpireUnit::kNone) {
    call.propagate_as({"SET", call.key(), value, "PXAT", integer_text(deadline_ms).view()});
  } else if (options.comparison != Comparison::kNone && options.keep_ttl) {
    call.propagate_as({"SET", call.key(), value, "KEEPTTL"});
  } else if (options.comparison != Comparison::kNone) {
    call.propagate_as({"SET", call.key(), value});
  } else if (options.get) {
    propagate_without_get(call);
  }
  return done;
}

}  // namespace

bool parse_string_options(Argv words, OptionsOf command, Dialect dialect, StringOptions& options) {
  constexpr struct {
    std::string_view word;
    ExpireUnit unit;
  } kUnits[] = {{"ex", ExpireUnit::kEx},
                {"px", ExpireUnit::kPx},
                {"exat", ExpireUnit::kExAt},
                {"pxat", ExpireUnit::kPxAt}};
  const bool of_set = command == OptionsOf::kSet;
  const bool writes = command != OptionsOf::kGetex;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool no_unit = options.unit == ExpireUnit::kNone;
    const bool compares = options.comparison != Comparison::kNone;
    if (writes && is_word(word, "nx") && !options.xx && !compares) {
      options.nx = true;
    } else if (writes && is_word(word, "xx") && !options.nx && !compares) {
      options.xx = true;
    } else if (of_set && is_word(word, "get")) {
      options.get = true;
    } else if (writes && is_word(word, "keepttl") && no_unit) {
      options.keep_ttl = true;
    } else if (!writes && is_word(word, "persist") && no_unit) {
      options.persist = true;
    } else if (of_set && i + 1 < words.size() && !compares && !options.nx && !options.xx &&
               ((is_word(word, "ifeq") && has_set_ifeq(dialect)) ||
                (is_word(word, "ifne") && has_set_ifne(dialect)))) {
      options.comparison = is_word(word, "ifeq") ? Comparison::kEqual : Comparison::kUnequal;
      options.compared = words[++i];
    } else {
      ExpireUnit unit = ExpireUnit::kNone;
      for (const auto& known : kUnits) {
        if (is_word(word, known.word)) unit = known.unit;
      }
      // The same unit may be given again; the last one counts.
      if (unit == ExpireUnit::kNone || (!no_unit && options.unit != unit) || options.keep_ttl ||
          options.persist || i + 1 == words.size()) {
        return false;
      }
      options.unit = unit;
      options.expire = words[++i];
    }
  }
  return true;
}

std::optional<Reply> deadline_of(const Call& call, ExpireUnit unit, std::string_view text,
                                 std::int64_t& deadline_ms) {
  if (!parse_int64(text, deadline_ms)) return call.not_an_integer();
  const bool in_seconds = unit == ExpireUnit::kEx || unit == ExpireUnit::kExAt;
  if (deadline_ms <= 0 || (in_seconds && deadline_ms > kMax / 1000)) {
    return call.invalid_expire_time();
  }
  if (in_seconds) deadline_ms *= 1000;
  const bool relative = unit == ExpireUnit::kEx || unit == ExpireUnit::kPx;
  if ((relative && __builtin_add_overflow(deadline_ms, call.server.clock_ms(), &deadline_ms)) ||
      deadline_ms <= 0) {
    return call.invalid_expire_time();
  }
  return std::nullopt;
}

void write_string(Call& call, std::string_view name, std::string_view value,
                  std::optional<std::int64_t> deadline_ms) {
  write_string(call, name, call.find(name), value, deadline_ms);
  notify_set(call, name, deadline_ms);
}

Reply set_command(Call& call) {
  StringOptions options;
  if (!parse_string_options(call.argv.subspan(3), OptionsOf::kSet, call.server.config.dialect,
                            options)) {
    return call.syntax_error();
  }
  return set(call, options, call.argv[2], call.ok(), call.nil());
}

Reply setnx_command(Call& call) {
  return set(call, {.nx = true}, call.argv[2], call.integer(1), call.integer(0));
}

Reply setex_command(Call& call) {
  return set(call, {.unit = ExpireUnit::kEx, .expire = call.argv[2]}, call.argv[3], call.ok(),
             call.nil());
}

Reply psetex_command(Call& call) {
  return set(call, {.unit = ExpireUnit::kPx, .expire = call.argv[2]}, call.argv[3], call.ok(),
             call.nil());
}

Reply get_command(Call& call) { return get_reply(call, call.find(call.key())); }

Reply getset_command(Call& call) {
  Key* key = call.find(call.key());
  Reply old = get_reply(call, key);
  if (old.is_error()) return old;
  write_string(call, call.key(), key, call.argv[2], kNoDeadline);
  notify_set(call, call.key(), kNoDeadline);
  call.propagate_as({"SET", call.key(), call.argv[2]});
  return old;
}

Reply getdel_command(Call& call) {
  Key* key = call.find(call.key());
  Reply old = get_reply(call, key);
  if (key != nullptr && !old.is_error()) {
    call.propagate_as({"DEL", call.key()});
    call.server.remove(call.connection, *key, KeyChangeKind::kRemoved, "del");
  }
  return old;
}

Reply getex_command(Call& call) {
  StringOptions options;
  if (!parse_string_options(call.argv.subspan(2), OptionsOf::kGetex, call.server.config.dialect,
                            options)) {
    return call.syntax_error();
  }
  Key* key = call.find(call.key());
  Reply value = get_reply(call, key);
  if (key == nullptr || value.is_error()) return value;

  std::int64_t deadline_ms = kNoDeadline;
  if (options.unit != ExpireUnit::kNone) {
    if (auto error = deadline_of(call, options.unit, options.expire, deadline_ms))
      return std::move(*error);
    const bool absolute = options.unit == ExpireUnit::kExAt || options.unit == ExpireUnit::kPxAt;
    if (absolute && deadline_ms <= call.server.now_ms()) {
      call.propagate_as({"DEL", call.key()});
      call.server.remove(call.connection, *key, KeyChangeKind::kRemoved, "del");
      return value;
    }
  } else if (!options.persist || key->second.deadline_ms == kNoDeadline) {
    return value;
  }
  call.server.before(key);
  call.server.retimed(call.connection, *key, deadline_ms);
  if (deadline_ms == kNoDeadline) {
    call.notify(kNotifyGeneric, "persist", call.key());
    call.propagate_as({"PERSIST", call.key()});
  } else {
    call.notify(kNotifyGeneric, "expire", call.key());
    call.propagate_as({"PEXPIREAT", call.key(), integer_text(deadline_ms).view()});
  }
  return value;
}

Reply mget_command(Call& call) {
  Reply values = call.array();
  for (const std::string_view name : call.argv.subspan(1)) {
    Key* key = call.find(name);
    const String* string = key == nullptr ? nullptr : value_of<String>(*key);
    values.append(string == nullptr ? call.nil() : call.bulk(*string));
  }
  return values;
}

Reply mset_command(Call& call) {
  if (call.argv.size() % 2 == 0) return call.wrong_arity();
  for (std::size_t i = 1; i < call.argv.size(); i += 2) {
    write_string(call, call.argv[i], call.argv[i + 1], kNoDeadline);
  }
  return call.ok();
}

Reply append_command(Call& call) {
  const std::string_view tail = call.argv[2];
  Key* key = call.find(call.key());
  if (key == nullptr) {
    write_string(call, call.key(), nullptr, tail, kNoDeadline);
    call.notify(kNotifyString, "append", call.key());
    return call.count(tail.size());
  }
  String* string = value_of<String>(*key);
  if (string == nullptr) return call.wrong_type();
  if (!call.fits(string->size() + tail.size())) return call.too_large();
  call.server.before(key);
  string->append(tail);
  call.server.written(call.connection, *key);
  call.notify(kNotifyString, "append", call.key());
  return call.count(string->size());
}

Reply strlen_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  const String* string = value_of<String>(*key);
  return string == nullptr ? call.wrong_type() : call.count(string->size());
}

}  // namespace locklapse::redis
