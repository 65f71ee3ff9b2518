#include "sim/redis/object.h"

#include <algorithm>

#include "sim/redis/number.h"

namespace locklapse::redis {

std::pmr::string* Hash::find(std::string_view name) {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &found->second->value;
}

bool Hash::set(std::string_view name, std::string_view value) {
  if (std::pmr::string* old = find(name)) {
    old->assign(value);
    return false;
  }
  const auto memory = fields_.get_allocator();
  fields_.push_back({std::pmr::string(name, memory), std::pmr::string(value, memory)});
  const auto field = std::prev(fields_.end());
  index_.emplace(field->name, field);
  return true;
}

bool Hash::erase(std::string_view name) {
  const auto found = index_.find(name);
  if (found == index_.end()) return false;
  const auto field = found->second;
  index_.erase(found);
  fields_.erase(field);
  return true;
}

const double* SortedSet::find(std::string_view name) const {
  const auto found = scores_.find(name);
  return found == scores_.end() ? nullptr : &found->second;
}

void SortedSet::set(std::string_view name, double score) {
  // Small sets keep whole scores as integers, so a negative zero loses its sign.
  if (score == 0) score = 0;
  auto found = scores_.find(name);
  if (found == scores_.end()) {
    found = scores_.emplace(name, score).first;
  } else {
    members_.erase({found->second, found->first});
    found->second = score;
  }
  members_.insert({score, found->first});
}

bool SortedSet::erase(std::string_view name) {
  const auto found = scores_.find(name);
  if (found == scores_.end()) return false;
  members_.erase({found->second, found->first});
  scores_.erase(found);
  return true;
}

bool Set::erase(std::string_view name) {
  const auto found = members_.find(name);
  if (found == members_.end()) return false;
  members_.erase(found);
  return true;
}

std::string_view Object::type_name() const {
  switch (type()) {
    case Type::kString:
      return "string";
    case Type::kHash:
      return "hash";
    case Type::kList:
      return "list";
    case Type::kSortedSet:
      return "zset";
    case Type::kSet:
      return "set";
  }
  return "none";
}

std::string_view Object::owner() const {
  if (const auto* string = std::get_if<String>(&value)) return *string;
  if (const auto* hash = std::get_if<Hash>(&value)) {
    return hash->size() == 0 ? std::string_view{} : hash->fields().front().name;
  }
  if (const auto* list = std::get_if<List>(&value)) {
    return list->empty() ? std::string_view{} : list->front();
  }
  return {};
}

std::int64_t Object::count() const {
  if (const auto* hash = std::get_if<Hash>(&value)) {
    std::int64_t held = 0;
    if (hash->size() > 0) parse_int64(hash->fields().front().value, held);
    return held;
  }
  if (const auto* list = std::get_if<List>(&value)) return static_cast<std::int64_t>(list->size());
  return 0;
}

void copy_value(const Object& from, Object& to) {
  String& fresh = std::get<String>(to.value);
  std::pmr::memory_resource* const memory = fresh.get_allocator().resource();
  if (const auto* string = std::get_if<String>(&from.value)) {
    fresh.assign(*string);
  } else if (const auto* list = std::get_if<List>(&from.value)) {
    to.value.emplace<List>(list->begin(), list->end(), memory);
  } else if (const auto* hash = std::get_if<Hash>(&from.value)) {
    Hash& copy = to.value.emplace<Hash>(memory);
    for (const Hash::Field& field : hash->fields()) copy.set(field.name, field.value);
  } else if (const auto* set = std::get_if<SortedSet>(&from.value)) {
    SortedSet& copy = to.value.emplace<SortedSet>(memory);
    for (const SortedSet::Member& member : set->members()) copy.set(member.name, member.score);
  } else if (const auto* names = std::get_if<Set>(&from.value)) {
    Set& copy = to.value.emplace<Set>(memory);
    for (const auto& member : names->members()) copy.insert(member);
  }
}

bool same_value(const Object& a, const Object& b) {
  if (a.type() != b.type()) return false;
  if (const auto* string = std::get_if<String>(&a.value)) return *string == std::get<String>(b.value);
  if (const auto* list = std::get_if<List>(&a.value)) return *list == std::get<List>(b.value);
  if (const auto* hash = std::get_if<Hash>(&a.value)) {
    const Hash::Fields& theirs = std::get<Hash>(b.value).fields();
    return std::equal(hash->fields().begin(), hash->fields().end(), theirs.begin(), theirs.end(),
                      [](const Hash::Field& x, const Hash::Field& y) {
                        return x.name == y.name && x.value == y.value;
                      });
  }
  if (const auto* names = std::get_if<Set>(&a.value)) {
    return names->members() == std::get<Set>(b.value).members();
  }
  const SortedSet::Members& ours = std::get<SortedSet>(a.value).members();
  const SortedSet::Members& theirs = std::get<SortedSet>(b.value).members();
  return std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                    [](const SortedSet::Member& x, const SortedSet::Member& y) {
                      return x.score == y.score && x.name == y.name;
                    });
}

}  // namespace locklapse::redis
