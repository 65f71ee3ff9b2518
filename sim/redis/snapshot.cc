#include "sim/redis/snapshot.h"

#include "sim/redis/server_state.h"

namespace locklapse::redis {

void copy_keys(const Keyspace& from, Keyspace& to) {
  for (int db = 0; db < kDatabases; ++db) {
    for (const Key& key : from.database(db)) {
      Key& copy = to.insert(db, key.first.name);
      copy_value(key.second.object, copy.second.object);
      if (key.second.deadline_ms != kNoDeadline) to.set_deadline(copy, key.second.deadline_ms);
    }
  }
}

void replace_keys(ServerState& server, const Keyspace& source) {
  for (int db = 0; db < kDatabases; ++db) {
    // Both are in one order, so that one walk tells what has gone.
    const Keyspace::Database& ours = server.keys.database(db);
    const Keyspace::Database& theirs = source.database(db);
    constexpr KeyNameLess kBefore;
    auto wanted = theirs.begin();
    for (auto at = ours.begin(); at != ours.end();) {
      while (wanted != theirs.end() && kBefore(wanted->first, at->first)) ++wanted;
      const bool kept = wanted != theirs.end() && !kBefore(at->first, wanted->first);
      const Key& key = *at++;
      if (!kept) server.lose(*server.keys.find(db, key.first.name));
    }
    for (const Key& key : theirs) server.load(key);
  }
}

}  // namespace locklapse::redis
