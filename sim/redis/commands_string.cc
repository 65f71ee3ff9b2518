#include <limits>
#include <optional>
#include <utility>

#include "sim/redis/commands.h"
#include "sim/redis/number.h"

namespace locklapse::redis {

namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

enum class ExpireUnit : std::uint8_t { kNone, kEx, kPx, kExAt, kPxAt };

struct StringOptions {
  bool nx = false;
  bool xx = false;
  bool get = false;
  bool keep_ttl = false;
  bool persist = false;
  ExpireUnit unit = ExpireUnit::kNone;
  std::string_view expire;
};

// Reads the options of SET (after the value) or GETEX (after the key). Returns false on bad syntax.
bool parse_options(Argv words, bool of_set, StringOptions& options) {
  constexpr struct {
    std::string_view word;
    ExpireUnit unit;
  } kUnits[] = {{"ex", ExpireUnit::kEx},
                {"px", ExpireUnit::kPx},
                {"exat", ExpireUnit::kExAt},
                {"pxat", ExpireUnit::kPxAt}};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool no_unit = options.unit == ExpireUnit::kNone;
    if (of_set && is_word(word, "nx") && !options.xx) {
      options.nx = true;
    } else if (of_set && is_word(word, "xx") && !options.nx) {
      options.xx = true;
    } else if (of_set && is_word(word, "get")) {
      options.get = true;
    } else if (of_set && is_word(word, "keepttl") && no_unit) {
      options.keep_ttl = true;
    } else if (!of_set && is_word(word, "persist") && no_unit) {
      options.persist = true;
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

// Turns an expire option into a deadline; or the error reply.
std::optional<Reply> deadline_of(const Call& call, ExpireUnit unit, std::string_view text,
                                 std::int64_t& deadline_ms) {
  if (!parse_int64(text, deadline_ms)) return call.not_an_integer();
  const bool in_seconds = unit == ExpireUnit::kEx || unit == ExpireUnit::kExAt;
  if (deadline_ms <= 0 || (in_seconds && deadline_ms > kMax / 1000)) {
    return call.invalid_expire_time();
  }
  if (in_seconds) deadline_ms *= 1000;
  const bool relative = unit == ExpireUnit::kEx || unit == ExpireUnit::kPx;
  if ((relative && __builtin_add_overflow(deadline_ms, call.server.now_ms(), &deadline_ms)) ||
      deadline_ms <= 0) {
    return call.invalid_expire_time();
  }
  return std::nullopt;
}

void write_string(Call& call, Key* key, std::string_view value,
                  std::optional<std::int64_t> deadline) {
  call.server.before(key);
  Key& target = key != nullptr ? *key : call.server.insert(call.connection, call.key());
  if (String* string = value_of<String>(target)) {
    string->assign(value);
  } else {
    target.second.object.value.emplace<String>(value, call.memory());
  }
  if (deadline && (*deadline != kNoDeadline || target.second.deadline_ms != kNoDeadline)) {
    call.server.keys.set_deadline(target, *deadline);
  }
  call.server.written(call.connection, target);
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
  if ((options.nx && key != nullptr) || (options.xx && key == nullptr)) return refused;
  write_string(call, key, value,
               options.keep_ttl ? std::nullopt : std::optional<std::int64_t>(deadline_ms));
  if (!call.propagates()) return done;
  if (options.unit != ExpireUnit::kNone) {
    call.propagate_as({"SET", call.key(), value, "PXAT", integer_text(deadline_ms).view()});
  } else if (options.get) {
    propagate_without_get(call);
  }
  return done;
}

}  // namespace

Reply set_command(Call& call) {
  StringOptions options;
  if (!parse_options(call.argv.subspan(3), true, options)) return call.syntax_error();
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
  write_string(call, key, call.argv[2], kNoDeadline);
  call.propagate_as({"SET", call.key(), call.argv[2]});
  return old;
}

Reply getdel_command(Call& call) {
  Key* key = call.find(call.key());
  Reply old = get_reply(call, key);
  if (key != nullptr && !old.is_error()) {
    call.propagate_as({"DEL", call.key()});
    call.server.remove(call.connection, *key, KeyChangeKind::kRemoved);
  }
  return old;
}

Reply getex_command(Call& call) {
  StringOptions options;
  if (!parse_options(call.argv.subspan(2), false, options)) return call.syntax_error();
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
      call.server.remove(call.connection, *key, KeyChangeKind::kRemoved);
      return value;
    }
  } else if (!options.persist || key->second.deadline_ms == kNoDeadline) {
    return value;
  }
  call.server.before(key);
  call.server.retimed(call.connection, *key, deadline_ms);
  if (deadline_ms == kNoDeadline) {
    call.propagate_as({"PERSIST", call.key()});
  } else {
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
    const std::string_view pair[] = {call.argv[0], call.argv[i]};
    Call one{call.server, call.connection, pair, call.spec};
    write_string(one, one.find(one.key()), call.argv[i + 1], kNoDeadline);
  }
  return call.ok();
}

Reply append_command(Call& call) {
  const std::string_view tail = call.argv[2];
  Key* key = call.find(call.key());
  if (key == nullptr) {
    write_string(call, nullptr, tail, kNoDeadline);
    return call.count(tail.size());
  }
  String* string = value_of<String>(*key);
  if (string == nullptr) return call.wrong_type();
  if (!call.fits(string->size() + tail.size())) return call.too_large();
  call.server.before(key);
  string->append(tail);
  call.server.written(call.connection, *key);
  return call.count(string->size());
}

Reply strlen_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  const String* string = value_of<String>(*key);
  return string == nullptr ? call.wrong_type() : call.count(string->size());
}

}  // namespace locklapse::redis
