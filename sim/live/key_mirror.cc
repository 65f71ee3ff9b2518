#include "sim/live/key_mirror.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "sim/redis/ascii.h"
#include "sim/redis/keyspace.h"
#include "sim/redis/number.h"

namespace locklapse::live {

namespace {

using redis::KeyChangeKind;

bool is_gone(KeyChangeKind kind) {
  return kind == KeyChangeKind::kRemoved || kind == KeyChangeKind::kExpired ||
         kind == KeyChangeKind::kEvicted;
}

KeyChangeKind kind_of(std::string_view event) {
  if (event == "expired") return KeyChangeKind::kExpired;
  if (event == "evicted") return KeyChangeKind::kEvicted;
  if (event == "del" || event == "rename_from" || event == "move_from") return KeyChangeKind::kRemoved;
  if (event == "expire" || event == "persist") return KeyChangeKind::kDeadline;
  return KeyChangeKind::kWritten;
}

// Events that a "del" may follow because nothing is left.
bool takes_elements(std::string_view event) {
  constexpr std::array<std::string_view, 9> kTaking{
      "hdel", "lpop", "rpop", "lrem", "ltrim", "zrem", "zremrangebyscore", "zpopmin", "srem"};
  return std::find(kTaking.begin(), kTaking.end(), event) != kTaking.end();
}

}  // namespace

struct KeyMirror::Change {
  KeyChangeKind kind;
  KeyId key;
  std::string_view event;
  std::optional<redis::ConnectionId> taker;
  KeyState after = {};
  bool value_known = false;
  const std::vector<std::string>* command = nullptr;  // null where unknown
  bool sets_ttl = false;                              // a SET that is also an EXPIRE

  std::string_view word(std::size_t index) const {
    return command != nullptr && index < command->size() ? std::string_view((*command)[index]) : std::string_view();
  }
  bool is_set() const { return event == "set"; }
  bool changes_value() const { return kind != KeyChangeKind::kDeadline; }
  bool changes_deadline() const { return kind != KeyChangeKind::kWritten || is_set(); }
};

// Whether a SET leaves the TTL that the key has.
bool KeyMirror::keeps_ttl(const Change& change) {
  if (!redis::is_word(change.word(0), "set")) return false;
  for (std::size_t i = 3; i < change.command->size(); ++i) {
    if (redis::is_word(change.word(i), "keepttl")) return true;
  }
  return false;
}

std::vector<KeyId> touched(std::span<const KeyEvent> events) {
  std::set<KeyId> keys;
  for (const KeyEvent& event : events) keys.insert(event.key);
  return {keys.begin(), keys.end()};
}

// Two notifications are one change where one command says both: SET with a TTL, and taking the last element.
std::vector<KeyMirror::Change> KeyMirror::changes_of(std::span<const KeyEvent> events) {
  std::vector<Change> changes;
  for (const KeyEvent& event : events) {
    Change* last = changes.empty() || changes.back().key != event.key ? nullptr : &changes.back();
    const bool same_command = last != nullptr && last->command == event.command.get();
    if (same_command && event.name == "expire" && last->is_set()) {
      last->sets_ttl = true;
      continue;
    }
    if (last != nullptr && event.name == "del" && takes_elements(last->event)) {
      last->kind = KeyChangeKind::kRemoved;
      continue;
    }
    changes.push_back({.kind = kind_of(event.name),
                       .key = event.key,
                       .event = event.name,
                       .taker = {},
                       .command = event.command.get()});
  }
  return changes;
}

// Fills in the values that one key held after each of its changes: backwards from what it holds now.
void KeyMirror::infer_values(std::span<Change* const> changes, const KeyState& now,
                             std::span<const Taken> taken) {
  // Clients that had waited are served last.
  std::vector<const Taken*> takes;
  for (const Taken& take : taken) {
    if (take.key == changes[0]->key) takes.push_back(&take);
  }
  const std::string* owner = &now.owner;   // after the change at hand; null where unknown
  std::int64_t count = now.count;
  for (std::size_t i = changes.size(); i-- > 0;) {
    Change& change = *changes[i];
    change.after.exists = !is_gone(change.kind);
    if (change.after.exists && owner != nullptr) {
      change.after.owner = *owner;
      change.after.count = count;
      change.value_known = true;
    }
    if (!change.changes_value()) continue;
    owner = nullptr;
    if (change.event == "lpop" && !takes.empty()) {
      owner = &takes.back()->element;
      ++count;
      change.taker = takes.back()->by;
      takes.pop_back();
    }
  }
}

// Fills in deadlines, and what is still open: forwards from what the key held before.
void KeyMirror::infer_rest(std::span<Change* const> changes, const KeyState& now) const {
  const auto known = keys_.find(changes[0]->key);
  KeyState before = known == keys_.end() ? KeyState{} : known->second;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Change& change = *changes[i];
    if (change.after.exists) {
      const bool set_later = std::any_of(changes.begin() + static_cast<std::ptrdiff_t>(i) + 1, changes.end(),
                                         [](const Change* later) { return later->changes_deadline(); });
      const bool keeps = set_later && !change.changes_deadline();
      change.after.deadline_ms = keeps ? before.deadline_ms : now.deadline_ms;
      if (set_later && change.is_set() && !change.sets_ttl) {
        change.after.deadline_ms = keeps_ttl(change) ? before.deadline_ms : redis::kNoDeadline;
      }
      if (!change.value_known) {
        change.after.owner = before.exists ? before.owner : now.owner;
        change.after.count = before.count;
        write(change, before);
      }
    }
    before = change.after;
  }
}

// Fills in what a command writes by its own words.
void KeyMirror::write(Change& change, const KeyState& before) {
  const std::string_view name = change.word(0);
  const auto is = [&](std::string_view other) { return redis::is_word(name, other); };
  KeyState& after = change.after;
  if (is("set") || is("setnx") || is("getset")) {
    after.owner = change.word(2);
    after.count = 0;
  } else if (is("hset") && !before.exists) {
    after.owner = change.word(2);
    if (!redis::parse_int64(change.word(3), after.count)) after.count = 0;
  } else if (is("hincrby") && (!before.exists || before.owner == change.word(2))) {
    std::int64_t by = 0;
    redis::parse_int64(change.word(3), by);
    after.owner = change.word(2);
    after.count = before.count + by;
  } else if (is("incr")) {
    std::int64_t value = 0;
    redis::parse_int64(before.owner, value);
    after.owner = redis::integer_text(value + 1).view();
  }
}

void KeyMirror::apply(std::span<const KeyEvent> events, const std::map<KeyId, KeyState>& states,
                      redis::ConnectionId by, std::span<const Taken> taken) {
  std::vector<Change> changes = changes_of(events);
  std::map<KeyId, std::vector<Change*>> by_key;
  for (Change& change : changes) by_key[change.key].push_back(&change);
  for (const auto& [key, of_key] : by_key) {
    infer_values(of_key, states.at(key), taken);
    infer_rest(of_key, states.at(key));
  }
  for (const Change& change : changes) {
    tell(change, by);
    remember(change.key, change.after, change.changes_deadline());
  }
}

void KeyMirror::tell(const Change& change, redis::ConnectionId by) {
  if (observer_ == nullptr) return;
  const auto known = keys_.find(change.key);
  const KeyState before = known == keys_.end() ? KeyState{} : known->second;
  observer_->on_key_change({.kind = change.kind,
                            .by = change.taker.value_or(by),
                            .db = change.key.db,
                            .key = change.key.name,
                            .owner_before = before.owner,
                            .owner_after = change.after.owner,
                            .count_after = change.after.count,
                            .deadline_ms = change.after.deadline_ms,
                            .existed_before = before.exists});
}

void KeyMirror::remember(const KeyId& key, const KeyState& state, bool deadline_set) {
  const auto known = keys_.find(key);
  if (known != keys_.end() && (deadline_set || known->second.deadline_ms != state.deadline_ms)) {
    const Deadline old{known->second.deadline_ms, key.db, key.name};
    deadlines_.erase(old);
    untold_.erase(old);
  }
  if (!state.exists) {
    if (known != keys_.end()) keys_.erase(known);
    return;
  }
  if (state.deadline_ms != redis::kNoDeadline) {
    const Deadline deadline{state.deadline_ms, key.db, key.name};
    if (deadlines_.insert(deadline).second) untold_.insert(deadline);
  }
  keys_.insert_or_assign(key, state);
}

void KeyMirror::become(KeyChangeKind kind, const KeyId& key, const KeyState& state, redis::ConnectionId by) {
  tell({.kind = kind, .key = key, .event = {}, .taker = {}, .after = state}, by);
  remember(key, state, true);
}

void KeyMirror::become_changed(const std::map<KeyId, KeyState>& states, KeyChangeKind kind,
                               redis::ConnectionId by) {
  for (const auto& [key, state] : states) {
    const auto known = keys_.find(key);
    if (known == keys_.end() || known->second != state) become(kind, key, state, by);
  }
}

void KeyMirror::changed_silently(const std::map<KeyId, KeyState>& states, redis::ConnectionId by,
                                 std::int64_t now_ms) {
  // Whoever was told of a key's end is not told again of the same key in another database.
  std::set<std::pair<std::int64_t, std::string>> told;
  for (const Deadline& deadline : deadlines_) {
    if (!untold_.contains(deadline)) told.emplace(std::get<0>(deadline), std::get<2>(deadline));
  }
  for (const KeyId& key : missing_in(states)) {
    const std::int64_t deadline_ms = keys_.at(key).deadline_ms;
    // A swap takes dead keys along; a flush finds them dead.
    const bool moved = std::any_of(states.begin(), states.end(), [&](const auto& other) {
      return other.first.name == key.name && other.second.deadline_ms == deadline_ms;
    });
    const bool dead = deadline_ms != redis::kNoDeadline && deadline_ms < now_ms && !moved;
    become(dead ? KeyChangeKind::kExpired : KeyChangeKind::kRemoved, key, {}, by);
  }
  become_changed(states, KeyChangeKind::kWritten, by);
  for (const auto& [key, state] : states) {
    if (told.contains({state.deadline_ms, key.name})) untold_.erase({state.deadline_ms, key.db, key.name});
  }
}

void KeyMirror::replaced(const std::map<KeyId, KeyState>& states) {
  for (const KeyId& key : missing_in(states)) become(KeyChangeKind::kLost, key, {}, redis::kNobody);
  become_changed(states, KeyChangeKind::kLoaded, redis::kNobody);
}

std::vector<KeyId> KeyMirror::missing_in(const std::map<KeyId, KeyState>& states) const {
  std::vector<KeyId> keys;
  for (const auto& [key, state] : keys_) {
    if (!states.contains(key)) keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end(), [](const KeyId& a, const KeyId& b) {
    const std::uint64_t hash_a = redis::key_hash(a.name);
    const std::uint64_t hash_b = redis::key_hash(b.name);
    return std::tie(a.db, hash_a, a.name) < std::tie(b.db, hash_b, b.name);
  });
  return keys;
}

std::vector<KeyId> KeyMirror::dead_at(std::int64_t now_ms) const {
  std::vector<KeyId> keys;
  for (const auto& [deadline_ms, db, name] : deadlines_) {
    if (deadline_ms >= now_ms) break;
    keys.push_back({db, name});
  }
  return keys;
}

std::optional<std::int64_t> KeyMirror::earliest_deadline_ms() const {
  if (deadlines_.empty()) return std::nullopt;
  return std::get<0>(*deadlines_.begin());
}

std::optional<std::int64_t> KeyMirror::next_untold_ms() const {
  if (untold_.empty()) return std::nullopt;
  return std::get<0>(*untold_.begin());
}

void KeyMirror::tell_ended_ttls(std::int64_t now_ms) {
  while (!untold_.empty() && std::get<0>(*untold_.begin()) < now_ms) {
    const auto node = untold_.extract(untold_.begin());
    const auto& [deadline_ms, db, name] = node.value();
    if (observer_ != nullptr) observer_->on_ttl_ended(db, name, keys_.at({db, name}).owner, deadline_ms);
  }
}

}  // namespace locklapse::live
