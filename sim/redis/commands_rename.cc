// What an operator does to keys without asking whose they are: RENAME, COPY, MOVE, SWAPDB.
#include <utility>

#include "sim/redis/commands.h"

namespace locklapse::redis {

namespace {

// Gives the key of database `db` the value and the deadline of `source`.
Key& place(Call& call, int db, std::string_view name, const Key& source) {
  Connection& by = call.connection;
  Key* old = call.find_in(db, name);
  call.server.before(old);
  // What it held goes without a word: it is overwritten.
  Key& target = old != nullptr ? *old : call.server.insert_in(db, name);
  if (value_of<String>(target) == nullptr) {
    target.second.object.value.emplace<String>(call.memory());
  }
  copy_value(source.second.object, target.second.object);
  if (target.second.deadline_ms != source.second.deadline_ms) {
    call.server.keys.set_deadline(target, source.second.deadline_ms);
  }
  call.server.written(by, target);
  if (value_of<List>(target) != nullptr) call.server.list_created(db, name);
  return target;
}

Reply rename(Call& call, bool only_if_free) {
  const std::string_view to = call.argv[2];
  Key* source = call.find(call.key());
  if (source == nullptr) return call.error("ERR no such key");
  Reply done = only_if_free ? call.integer(1) : call.ok();
  if (call.key() == to) return only_if_free ? call.integer(0) : done;
  if (call.find(to) != nullptr && only_if_free) return call.integer(0);
  place(call, call.connection.db, to, *source);
  call.server.remove(call.connection, *source, KeyChangeKind::kRemoved);
  call.notify(kNotifyGeneric, "rename_from", call.key());
  call.notify(kNotifyGeneric, "rename_to", to);
  return done;
}

Reply same_object(const Call& call) {
  return call.error("ERR source and destination objects are the same");
}

}  // namespace

Reply rename_command(Call& call) { return rename(call, false); }
Reply renamenx_command(Call& call) { return rename(call, true); }

Reply copy_command(Call& call) {
  int db = call.connection.db;
  bool replace = false;
  const Argv options = call.argv.subspan(3);
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (is_word(options[i], "replace")) {
      replace = true;
    } else if (is_word(options[i], "db") && i + 1 < options.size()) {
      if (auto error = parse_db(call, options[++i], db)) return std::move(*error);
    } else {
      return call.syntax_error();
    }
  }
  const std::string_view to = call.argv[2];
  if (db == call.connection.db && call.key() == to) return same_object(call);
  Key* source = call.find(call.key());
  if (source == nullptr) return call.integer(0);
  if (!replace && call.find_in(db, to) != nullptr) return call.integer(0);
  place(call, db, to, *source);
  call.server.notify(kNotifyGeneric, "copy_to", db, to);
  return call.integer(1);
}

Reply move_command(Call& call) {
  int db = 0;
  if (auto error = parse_db(call, call.argv[2], db)) return std::move(*error);
  if (db == call.connection.db) return same_object(call);
  Key* source = call.find(call.key());
  if (source == nullptr || call.find_in(db, call.key()) != nullptr) return call.integer(0);
  place(call, db, call.key(), *source);
  call.server.remove(call.connection, *source, KeyChangeKind::kRemoved);
  call.notify(kNotifyGeneric, "move_from", call.key());
  call.server.notify(kNotifyGeneric, "move_to", db, call.key());
  return call.integer(1);
}

Reply swapdb_command(Call& call) {
  std::int64_t first = 0;
  std::int64_t second = 0;
  if (!parse_int64(call.argv[1], first) || !fits_int(first)) return call.error("ERR invalid first DB index");
  if (!parse_int64(call.argv[2], second) || !fits_int(second)) return call.error("ERR invalid second DB index");
  if (first < 0 || first >= kDatabases || second < 0 || second >= kDatabases) {
    return call.error("ERR DB index is out of range");
  }
  call.server.swap_databases(call.connection, static_cast<int>(first), static_cast<int>(second));
  call.propagate_as(call.argv);
  return call.ok();
}

// Of keys in no particular order, the first that is alive is as random as any.
Reply randomkey_command(Call& call) {
  for (const Key& key : call.server.keys.database(call.connection.db)) {
    if (!Keyspace::dead_at(key, call.server.now_ms())) return call.bulk(key.first.name);
  }
  return call.nil();
}

}  // namespace locklapse::redis
