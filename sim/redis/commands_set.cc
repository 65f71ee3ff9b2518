#include "sim/redis/commands.h"

namespace locklapse::redis {

namespace {

// The set under a key, or null where the key is missing. Returns false where it holds something else.
bool find_set(Call& call, Key*& key, Set*& set) {
  key = call.find(call.key());
  set = key == nullptr ? nullptr : value_of<Set>(*key);
  return key == nullptr || set != nullptr;
}

}  // namespace

Reply sadd_command(Call& call) {
  Key* key = nullptr;
  Set* set = nullptr;
  if (!find_set(call, key, set)) return call.wrong_type();
  if ((set == nullptr ? 0 : set->size()) + call.argv.size() > kElementsMax) {
    return call.too_many_elements();
  }
  call.server.before(key);
  Key& target = key != nullptr ? *key : call.server.insert(call.connection, call.key());
  if (key == nullptr) set = &target.second.object.value.emplace<Set>(call.memory());
  std::int64_t added = 0;
  for (const std::string_view member : call.argv.subspan(2)) {
    if (set->insert(member)) ++added;
  }
  if (added > 0) {
    call.server.written(call.connection, target);
    call.notify(kNotifySet, "sadd", call.key());
  }
  return call.integer(added);
}

Reply srem_command(Call& call) {
  Key* key = nullptr;
  Set* set = nullptr;
  if (!find_set(call, key, set)) return call.wrong_type();
  if (set == nullptr) return call.integer(0);
  call.server.before(key);
  std::int64_t removed = 0;
  for (const std::string_view member : call.argv.subspan(2)) {
    if (set->erase(member)) ++removed;
  }
  if (removed == 0) return call.integer(0);
  call.notify(kNotifySet, "srem", call.key());
  if (set->size() == 0) {
    call.server.emptied(call.connection, *key);
  } else {
    call.server.written(call.connection, *key);
  }
  return call.integer(removed);
}

Reply sismember_command(Call& call) {
  Key* key = nullptr;
  Set* set = nullptr;
  if (!find_set(call, key, set)) return call.wrong_type();
  return call.integer(set != nullptr && set->contains(call.argv[2]) ? 1 : 0);
}

Reply smembers_command(Call& call) {
  Key* key = nullptr;
  Set* set = nullptr;
  if (!find_set(call, key, set)) return call.wrong_type();
  Reply members = call.set();
  if (set == nullptr) return members;
  for (const auto& member : set->members()) members.append(call.bulk(member));
  return members;
}

Reply scard_command(Call& call) {
  Key* key = nullptr;
  Set* set = nullptr;
  if (!find_set(call, key, set)) return call.wrong_type();
  return call.count(set == nullptr ? 0 : set->size());
}

}  // namespace locklapse::redis
