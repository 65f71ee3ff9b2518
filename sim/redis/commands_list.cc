#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/redis/commands.h"
#include "sim/redis/number.h"

namespace locklapse::redis {

namespace {

enum class End : std::uint8_t { kHead, kTail };

Reply push(Call& call, End end) {
  Key* key = call.find(call.key());
  List* list = key == nullptr ? nullptr : value_of<List>(*key);
  if (key != nullptr && list == nullptr) return call.wrong_type();
  const std::size_t size = list == nullptr ? 0 : list->size();
  if (size + call.argv.size() > kElementsMax) return call.too_many_elements();

  call.server.before(key);
  Key& target = key != nullptr ? *key : call.server.insert(call.connection, call.key());
  if (key == nullptr) {
    list = &target.second.object.value.emplace<List>(call.memory());
    call.server.list_created(call.connection.db, call.key());
  }
  for (const std::string_view element : call.argv.subspan(2)) {
    if (end == End::kHead) {
      list->emplace_front(element);
    } else {
      list->emplace_back(element);
    }
  }
  call.server.written(call.connection, target);
  call.notify(kNotifyList, end == End::kHead ? "lpush" : "rpush", call.key());
  return call.count(list->size());
}

Reply take(Call& call, List& list, End end) {
  Reply element = call.bulk(end == End::kHead ? list.front() : list.back());
  if (end == End::kHead) {
    list.pop_front();
  } else {
    list.pop_back();
  }
  return element;
}

// `event` is what subscribers are told.
void popped(Call& call, Key& key, const List& list, std::string_view event) {
  call.notify(kNotifyList, event, key.first.name);
  if (list.empty()) {
    call.server.emptied(call.connection, key);
  } else {
    call.server.written(call.connection, key);
  }
}

Reply pop(Call& call, End end) {
  if (call.argv.size() > 3) return call.wrong_arity();
  const bool many = call.argv.size() == 3;
  std::int64_t count = 1;
  if (many && (!parse_int64(call.argv[2], count) || count < 0)) {
    return call.error("ERR value is out of range, must be positive");
  }
  Key* key = call.find(call.key());
  if (key == nullptr) return many ? call.nil_array() : call.nil();
  List* list = value_of<List>(*key);
  if (list == nullptr) return call.wrong_type();
  if (count == 0) return call.array();

  call.server.before(key);
  Reply answer = call.array();
  if (!many) {
    answer = take(call, *list, end);
  } else {
    for (; count > 0 && !list->empty(); --count) answer.append(take(call, *list, end));
  }
  popped(call, *key, *list, end == End::kHead ? "lpop" : "rpop");
  return answer;
}

}  // namespace

Reply lpush_command(Call& call) { return push(call, End::kHead); }
Reply rpush_command(Call& call) { return push(call, End::kTail); }
Reply lpop_command(Call& call) { return pop(call, End::kHead); }
Reply rpop_command(Call& call) { return pop(call, End::kTail); }

Reply llen_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  const List* list = value_of<List>(*key);
  return list == nullptr ? call.wrong_type() : call.count(list->size());
}

Reply lrange_command(Call& call) {
  std::int64_t start = 0;
  std::int64_t end = 0;
  if (!parse_int64(call.argv[2], start) || !parse_int64(call.argv[3], end)) {
    return call.not_an_integer();
  }
  Key* key = call.find(call.key());
  Reply elements = call.array();
  if (key == nullptr) return elements;
  const List* list = value_of<List>(*key);
  if (list == nullptr) return call.wrong_type();
  const auto size = static_cast<std::int64_t>(list->size());
  if (start < 0) start = std::max<std::int64_t>(start + size, 0);
  if (end < 0) end += size;
  end = std::min(end, size - 1);
  for (; start <= end; ++start) {
    elements.append(call.bulk((*list)[static_cast<std::size_t>(start)]));
  }
  return elements;
}

Reply lindex_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.nil();
  const List* list = value_of<List>(*key);
  if (list == nullptr) return call.wrong_type();
  std::int64_t index = 0;
  if (!parse_int64(call.argv[2], index)) return call.not_an_integer();
  const auto size = static_cast<std::int64_t>(list->size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) return call.nil();
  return call.bulk((*list)[static_cast<std::size_t>(index)]);
}

Reply lrem_command(Call& call) {
  std::int64_t count = 0;
  if (!parse_int64(call.argv[2], count)) return call.not_an_integer();
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  List* list = value_of<List>(*key);
  if (list == nullptr) return call.wrong_type();

  call.server.before(key);
  call.server.work += static_cast<std::int64_t>(list->size());
  // A negative count starts at the tail; zero means all.
  const bool backwards = count < 0;
  std::uint64_t left = count == 0  ? std::numeric_limits<std::uint64_t>::max()
                       : backwards ? 0 - static_cast<std::uint64_t>(count)
                                   : static_cast<std::uint64_t>(count);
  const auto unwanted = [&](const std::pmr::string& element) {
    if (left == 0 || std::string_view(element) != call.argv[3]) return false;
    --left;
    return true;
  };
  const std::size_t size = list->size();
  if (backwards) {
    const auto kept = std::remove_if(list->rbegin(), list->rend(), unwanted);
    list->erase(list->begin(), kept.base());
  } else {
    list->erase(std::remove_if(list->begin(), list->end(), unwanted), list->end());
  }
  const std::size_t removed = size - list->size();
  if (removed > 0) popped(call, *key, *list, "lrem");
  return call.count(removed);
}

namespace {

// BLPOP's time-out, as the wall time in ms at which it ends; 0 for never.
std::optional<Reply> parse_timeout(const Call& call, std::string_view text,
                                   std::int64_t& until_ms) {
  long double seconds = 0;
  if (!parse_long_double(text, seconds)) {
    return call.error("ERR timeout is not a float or out of range");
  }
  const long double ms = std::ceil(seconds * 1000);
  // What does not fit becomes the smallest number on the way to an integer.
  constexpr long double kTooLarge = 9223372036854775808.0L;
  if (ms < 0 || ms >= kTooLarge) return call.error("ERR timeout is negative");
  until_ms = static_cast<std::int64_t>(ms);
  if (until_ms > 0 && __builtin_add_overflow(until_ms, call.server.now_ms(), &until_ms)) {
    until_ms = std::numeric_limits<std::int64_t>::max();
  }
  return std::nullopt;
}

}  // namespace

Reply blpop_command(Call& call) {
  const Argv names = call.argv.subspan(1, call.argv.size() - 2);
  std::int64_t until_ms = 0;
  if (auto error = parse_timeout(call, call.argv.back(), until_ms)) return std::move(*error);
  for (const std::string_view name : names) {
    Key* key = call.find(name);
    if (key == nullptr) continue;
    List* list = value_of<List>(*key);
    if (list == nullptr) return call.wrong_type();
    call.server.before(key);
    Reply answer = call.array();
    answer.append(call.bulk(name));
    answer.append(take(call, *list, End::kHead));
    call.propagate_as({"LPOP", name});
    popped(call, *key, *list, "lpop");
    return answer;
  }
  // Within EXEC it answers as if it had timed out, even with time-out 0.
  if (!call.connection.may_block) return call.nil_array();
  call.server.block(call.connection, Words(names.begin(), names.end(), call.memory()), until_ms);
  call.no_reply = true;
  return call.nil();
}

}  // namespace locklapse::redis
