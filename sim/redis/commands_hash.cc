#include <utility>

#include "sim/redis/commands.h"
#include "sim/redis/number.h"

namespace locklapse::redis {

namespace {

// The hash to write to; a new one where the key is missing. REQUIRES: the key holds nothing else.
Key& hash_for_writing(Call& call, Key* key) {
  call.server.before(key);
  if (key != nullptr) return *key;
  Key& created = call.server.insert(call.connection, call.key());
  created.second.object.value.emplace<Hash>(call.memory());
  return created;
}

// Sets the pairs from the third word on. `added` is the number of new fields.
std::optional<Reply> set_fields(Call& call, std::int64_t& added) {
  if (call.argv.size() % 2 == 1) return call.wrong_arity();
  Key* key = call.find(call.key());
  Hash* hash = key == nullptr ? nullptr : value_of<Hash>(*key);
  if (key != nullptr && hash == nullptr) return call.wrong_type();
  const std::size_t size = hash == nullptr ? 0 : hash->size();
  if (size + call.argv.size() / 2 > kElementsMax) return call.too_many_elements();

  Key& target = hash_for_writing(call, key);
  hash = value_of<Hash>(target);
  for (std::size_t i = 2; i < call.argv.size(); i += 2) {
    if (hash->set(call.argv[i], call.argv[i + 1])) ++added;
  }
  call.server.written(call.connection, target);
  call.notify(kNotifyHash, "hset", call.key());
  return std::nullopt;
}

enum class Part : std::uint8_t { kBoth, kNames, kValues };

Reply all_fields(Call& call, Part part) {
  Key* key = call.find(call.key());
  Reply fields = part == Part::kBoth ? call.map() : call.array();
  if (key == nullptr) return fields;
  const Hash* hash = value_of<Hash>(*key);
  if (hash == nullptr) return call.wrong_type();
  for (const Hash::Field& field : hash->fields()) {
    if (part != Part::kValues) fields.append(call.bulk(field.name));
    if (part != Part::kNames) fields.append(call.bulk(field.value));
  }
  return fields;
}

}  // namespace

Reply hset_command(Call& call) {
  std::int64_t added = 0;
  if (auto error = set_fields(call, added)) return std::move(*error);
  return call.integer(added);
}

Reply hmset_command(Call& call) {
  std::int64_t added = 0;
  if (auto error = set_fields(call, added)) return std::move(*error);
  return call.ok();
}

Reply hsetnx_command(Call& call) {
  Key* key = call.find(call.key());
  if (key != nullptr) {
    Hash* hash = value_of<Hash>(*key);
    if (hash == nullptr) return call.wrong_type();
    if (hash->find(call.argv[2]) != nullptr) return call.integer(0);
    if (hash->size() == kElementsMax) return call.too_many_elements();
  }
  Key& target = hash_for_writing(call, key);
  value_of<Hash>(target)->set(call.argv[2], call.argv[3]);
  call.server.written(call.connection, target);
  call.notify(kNotifyHash, "hset", call.key());
  return call.integer(1);
}

Reply hget_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.nil();
  Hash* hash = value_of<Hash>(*key);
  if (hash == nullptr) return call.wrong_type();
  const auto* value = hash->find(call.argv[2]);
  return value == nullptr ? call.nil() : call.bulk(*value);
}

Reply hmget_command(Call& call) {
  Key* key = call.find(call.key());
  Hash* hash = key == nullptr ? nullptr : value_of<Hash>(*key);
  if (key != nullptr && hash == nullptr) return call.wrong_type();
  Reply values = call.array();
  for (const std::string_view name : call.argv.subspan(2)) {
    const auto* value = hash == nullptr ? nullptr : hash->find(name);
    values.append(value == nullptr ? call.nil() : call.bulk(*value));
  }
  return values;
}

Reply hexists_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  Hash* hash = value_of<Hash>(*key);
  if (hash == nullptr) return call.wrong_type();
  return call.integer(hash->find(call.argv[2]) == nullptr ? 0 : 1);
}

Reply hincrby_command(Call& call) {
  std::int64_t delta = 0;
  if (!parse_int64(call.argv[3], delta)) return call.not_an_integer();
  Key* key = call.find(call.key());
  std::int64_t value = 0;
  if (key != nullptr) {
    Hash* hash = value_of<Hash>(*key);
    if (hash == nullptr) return call.wrong_type();
    const auto* old = hash->find(call.argv[2]);
    if (old == nullptr && hash->size() == kElementsMax) return call.too_many_elements();
    if (old != nullptr && !parse_int64(*old, value)) {
      return call.error("ERR hash value is not an integer");
    }
  }
  if (__builtin_add_overflow(value, delta, &value)) {
    return call.error("ERR increment or decrement would overflow");
  }
  Key& target = hash_for_writing(call, key);
  value_of<Hash>(target)->set(call.argv[2], integer_text(value).view());
  call.server.written(call.connection, target);
  call.notify(kNotifyHash, "hincrby", call.key());
  return call.integer(value);
}

Reply hdel_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  Hash* hash = value_of<Hash>(*key);
  if (hash == nullptr) return call.wrong_type();
  call.server.before(key);
  std::int64_t deleted = 0;
  for (const std::string_view name : call.argv.subspan(2)) {
    if (hash->erase(name)) ++deleted;
  }
  if (deleted > 0) call.notify(kNotifyHash, "hdel", call.key());
  if (hash->size() == 0) {
    call.server.emptied(call.connection, *key);
  } else if (deleted > 0) {
    call.server.written(call.connection, *key);
  }
  return call.integer(deleted);
}

Reply hlen_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  const Hash* hash = value_of<Hash>(*key);
  return hash == nullptr ? call.wrong_type() : call.count(hash->size());
}

Reply hgetall_command(Call& call) { return all_fields(call, Part::kBoth); }
Reply hkeys_command(Call& call) { return all_fields(call, Part::kNames); }
Reply hvals_command(Call& call) { return all_fields(call, Part::kValues); }

}  // namespace locklapse::redis
