#include <cmath>
#include <limits>

#include "sim/redis/commands.h"
#include "sim/redis/number.h"

namespace locklapse::redis {

namespace {

void store(Call& call, Key* key, std::string_view text, std::string_view event) {
  call.server.before(key);
  Key& target = key != nullptr ? *key : call.server.insert(call.connection, call.key());
  value_of<String>(target)->assign(text);
  call.server.written(call.connection, target);
  call.notify(kNotifyString, event, call.key());
}

Reply add(Call& call, std::int64_t delta) {
  Key* key = call.find(call.key());
  std::int64_t value = 0;
  if (key != nullptr) {
    const String* string = value_of<String>(*key);
    if (string == nullptr) return call.wrong_type();
    if (!parse_int64(*string, value)) return call.not_an_integer();
  }
  if (__builtin_add_overflow(value, delta, &value)) {
    return call.error("ERR increment or decrement would overflow");
  }
  store(call, key, integer_text(value).view(), "incrby");
  return call.integer(value);
}

}  // namespace

Reply incr_command(Call& call) { return add(call, 1); }

Reply decr_command(Call& call) { return add(call, -1); }

Reply incrby_command(Call& call) {
  std::int64_t delta = 0;
  if (!parse_int64(call.argv[2], delta)) return call.not_an_integer();
  return add(call, delta);
}

Reply decrby_command(Call& call) {
  std::int64_t delta = 0;
  if (!parse_int64(call.argv[2], delta)) return call.not_an_integer();
  if (delta == std::numeric_limits<std::int64_t>::min()) {
    return call.error("ERR decrement would overflow");
  }
  return add(call, -delta);
}

Reply incrbyfloat_command(Call& call) {
  Key* key = call.find(call.key());
  long double value = 0;
  if (key != nullptr) {
    const String* string = value_of<String>(*key);
    if (string == nullptr) return call.wrong_type();
    if (!parse_long_double(*string, value)) return call.not_a_float();
  }
  long double delta = 0;
  if (!parse_long_double(call.argv[2], delta)) return call.not_a_float();
  value += delta;
  if (std::isnan(value) || std::isinf(value)) {
    return call.error("ERR increment would produce NaN or Infinity");
  }
  NumberText text;
  long_double_text(value, text);
  store(call, key, text.view(), "incrbyfloat");
  call.propagate_as({"SET", call.key(), text.view(), "KEEPTTL"});
  return call.bulk(text.view());
}

}  // namespace locklapse::redis
