// What we know of a real server's keys, and the changes that its notifications amount to.
//
// A notification names an event and a key, not what the key held. What it holds in the end is looked up; what it held
// in between, where a script or transaction changes a key several times, is inferred: what nobody wrote later is as
// it is now, what was popped by a waiting client is what that client got, and SET, HSET, HINCRBY and INCR say what
// they write. What anything else wrote, or a TTL, that was overwritten stays unknown, and is told as it was before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "sim/live/live_server.h"
#include "sim/redis/server.h"

namespace locklapse::live {

// A blocked client that got an element of a list.
struct Taken {
  redis::ConnectionId by;
  KeyId key;
  std::string element;
};

class KeyMirror {
 public:
  // `observer` may be null.
  explicit KeyMirror(redis::KeyspaceObserver* observer) : observer_(observer) {}

  // Tells the observer what `events` amount to. `states` is what the keys in touched(events) hold now.
  void apply(std::span<const KeyEvent> events, const std::map<KeyId, KeyState>& states,
             redis::ConnectionId by, std::span<const Taken> taken);
  // `states` is all that there is now, and no event has told of the difference: a command has flushed or swapped
  // whole databases.
  void changed_silently(const std::map<KeyId, KeyState>& states, redis::ConnectionId by, std::int64_t now_ms);
  // The same after a restart, or a resync with another server's data.
  void replaced(const std::map<KeyId, KeyState>& states);

  // Those whose deadline has passed, in order of (deadline, db, name).
  std::vector<KeyId> dead_at(std::int64_t now_ms) const;
  std::optional<std::int64_t> earliest_deadline_ms() const;

  // Of keys that the observer was not told about since their deadline was set.
  std::optional<std::int64_t> next_untold_ms() const;
  void tell_ended_ttls(std::int64_t now_ms);

 private:
  struct Change;
  using Deadline = std::tuple<std::int64_t, int, std::string>;

  static std::vector<Change> changes_of(std::span<const KeyEvent> events);
  static void infer_values(std::span<Change* const> changes, const KeyState& now, std::span<const Taken> taken);
  void infer_rest(std::span<Change* const> changes, const KeyState& now) const;
  static bool keeps_ttl(const Change& change);
  static void write(Change& change, const KeyState& before);
  // Those that are not in `states`, in the order in which the model walks keys.
  std::vector<KeyId> missing_in(const std::map<KeyId, KeyState>& states) const;
  void become(redis::KeyChangeKind kind, const KeyId& key, const KeyState& state, redis::ConnectionId by);
  void become_changed(const std::map<KeyId, KeyState>& states, redis::KeyChangeKind kind, redis::ConnectionId by);
  void tell(const Change& change, redis::ConnectionId by);
  void remember(const KeyId& key, const KeyState& state, bool deadline_set);

  redis::KeyspaceObserver* observer_;
  std::map<KeyId, KeyState> keys_;
  std::set<Deadline> deadlines_;
  std::set<Deadline> untold_;
};

// The keys that events name, each once.
std::vector<KeyId> touched(std::span<const KeyEvent> events);

}  // namespace locklapse::live
