#include <limits>

#include "sim/redis/commands.h"
#include "sim/redis/number.h"

namespace locklapse::redis {

namespace {

struct ExpireConditions {
  bool nx = false;
  bool xx = false;
  bool gt = false;
  bool lt = false;

  bool allow(std::int64_t old_ms, std::int64_t new_ms) const {
    const bool persistent = old_ms == kNoDeadline;  // counts as an infinite deadline
    if (nx && !persistent) return false;
    if (xx && persistent) return false;
    if (gt && (persistent || new_ms <= old_ms)) return false;
    return !(lt && !persistent && new_ms >= old_ms);
  }
};

enum class Unit : std::int64_t { kSeconds = 1000, kMilliseconds = 1 };

// As PEXPIREAT, with whatever conditions were given.
void propagate_deadline(Call& call, std::int64_t deadline_ms, bool other_number) {
  if (!call.propagates() || call.spec.run == pexpireat_command) return;
  const ShortNumberText number = integer_text(deadline_ms);
  std::pmr::vector<std::string_view> words(call.argv.begin(), call.argv.end(), call.memory());
  words[0] = "PEXPIREAT";
  if (other_number) words[2] = number.view();
  call.propagate_as(Argv(words));
}

// EXPIRE and its three relatives; `base_ms` is what the time given counts from.
Reply expire(Call& call, std::int64_t base_ms, Unit unit) {
  ExpireConditions conditions;
  for (const std::string_view word : call.argv.subspan(3)) {
    if (is_word(word, "nx")) {
      conditions.nx = true;
    } else if (is_word(word, "xx")) {
      conditions.xx = true;
    } else if (is_word(word, "gt")) {
      conditions.gt = true;
    } else if (is_word(word, "lt")) {
      conditions.lt = true;
    } else {
      std::pmr::string text("ERR Unsupported option ", call.memory());
      text.append(until_nul(word));
      tidy_error(text);
      return call.error(text);
    }
  }
  if (conditions.nx && (conditions.xx || conditions.gt || conditions.lt)) {
    return call.error("ERR NX and XX, GT or LT options at the same time are not compatible");
  }
  if (conditions.gt && conditions.lt) {
    return call.error("ERR GT and LT options at the same time are not compatible");
  }
  std::int64_t deadline_ms = 0;
  if (!parse_int64(call.argv[2], deadline_ms)) return call.not_an_integer();
  if (__builtin_mul_overflow(deadline_ms, static_cast<std::int64_t>(unit), &deadline_ms) ||
      __builtin_add_overflow(deadline_ms, base_ms, &deadline_ms)) {
    return call.invalid_expire_time();
  }

  Key* key = call.find(call.key());
  if (key == nullptr || !conditions.allow(key->second.deadline_ms, deadline_ms)) {
    return call.integer(0);
  }
  if (deadline_ms <= call.server.clock_ms() && call.server.removes_past_deadlines()) {
    call.propagate_as({"DEL", call.key()});
    call.server.remove(call.connection, *key, KeyChangeKind::kRemoved, "del");
  } else {
    call.server.before(key);
    call.server.retimed(call.connection, *key, deadline_ms);
    call.notify(kNotifyGeneric, "expire", call.key());
    propagate_deadline(call, deadline_ms, base_ms != 0 || unit == Unit::kSeconds);
  }
  return call.integer(1);
}

// TTL and its three relatives: the deadline less `base_ms`, in `unit`.
Reply time_left(Call& call, std::int64_t base_ms, Unit unit) {
  const Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(-2);
  if (key->second.deadline_ms == kNoDeadline) return call.integer(-1);
  std::int64_t left_ms = key->second.deadline_ms - base_ms;
  if (left_ms < 0) left_ms = 0;
  if (unit == Unit::kMilliseconds) return call.integer(left_ms);
  return call.integer(left_ms / 1000 + (left_ms % 1000 >= 500 ? 1 : 0));
}

}  // namespace

Reply expire_command(Call& call) { return expire(call, call.server.clock_ms(), Unit::kSeconds); }
Reply pexpire_command(Call& call) {
  return expire(call, call.server.clock_ms(), Unit::kMilliseconds);
}
Reply expireat_command(Call& call) { return expire(call, 0, Unit::kSeconds); }
Reply pexpireat_command(Call& call) { return expire(call, 0, Unit::kMilliseconds); }

Reply ttl_command(Call& call) { return time_left(call, call.server.clock_ms(), Unit::kSeconds); }
Reply pttl_command(Call& call) {
  return time_left(call, call.server.clock_ms(), Unit::kMilliseconds);
}
Reply expiretime_command(Call& call) { return time_left(call, 0, Unit::kSeconds); }
Reply pexpiretime_command(Call& call) { return time_left(call, 0, Unit::kMilliseconds); }

Reply persist_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr || key->second.deadline_ms == kNoDeadline) return call.integer(0);
  call.server.before(key);
  call.server.retimed(call.connection, *key, kNoDeadline);
  call.notify(kNotifyGeneric, "persist", call.key());
  return call.integer(1);
}

}  // namespace locklapse::redis
