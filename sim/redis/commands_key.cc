#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "sim/redis/commands.h"
#include "sim/redis/glob.h"
#include "sim/redis/number.h"

namespace locklapse::redis {

Reply del_command(Call& call) {
  std::int64_t deleted = 0;
  for (const std::string_view name : call.argv.subspan(1)) {
    Key* key = call.find(name);
    if (key == nullptr) continue;
    call.server.remove(call.connection, *key, KeyChangeKind::kRemoved, "del");
    ++deleted;
  }
  return call.integer(deleted);
}

Reply exists_command(Call& call) {
  std::int64_t found = 0;
  for (const std::string_view name : call.argv.subspan(1)) {
    if (call.find(name) != nullptr) ++found;
  }
  return call.integer(found);
}

Reply type_command(Call& call) {
  Key* key = call.find(call.key());
  return Reply::simple(key == nullptr ? "none" : key->second.object.type_name(), call.memory());
}

Reply keys_command(Call& call) {
  const std::string_view pattern = call.argv[1];
  Reply names = call.array();
  for (const Key& key : call.server.keys.database(call.connection.db)) {
    const std::string_view name = key.first.name;
    call.server.work += static_cast<std::int64_t>(1 + pattern.size() * name.size() / 16);
    // KEYS hides dead keys but leaves them where they are.
    if (Keyspace::dead_at(key, call.server.now_ms())) continue;
    if (pattern == "*" || glob_match(pattern, name)) names.append(call.bulk(name));
  }
  return names;
}

namespace {

struct ScanOptions {
  std::int64_t count = 10;
  std::optional<std::string_view> match;
  std::optional<std::string_view> type;
};

std::optional<Reply> parse_scan_options(const Call& call, ScanOptions& options) {
  const Argv words = call.argv.subspan(2);
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) return call.syntax_error();
    if (is_word(words[i], "count")) {
      if (!parse_int64(words[i + 1], options.count)) return call.not_an_integer();
      if (options.count < 1) return call.syntax_error();
    } else if (is_word(words[i], "match")) {
      options.match = words[i + 1];
    } else if (is_word(words[i], "type")) {
      options.type = until_nul(words[i + 1]);
    } else {
      return call.syntax_error();
    }
  }
  return std::nullopt;
}

// Reads a cursor as strtoul does, without blanks before or bytes behind.
bool parse_cursor(std::string_view text, std::uint64_t& cursor) {
  char copy[32];
  text = until_nul(text);
  if (text.size() >= sizeof(copy)) return false;
  text.copy(copy, text.size());
  copy[text.size()] = '\0';
  char* end = nullptr;
  errno = 0;
  cursor = std::strtoul(copy, &end, 10);
  return std::isspace(static_cast<unsigned char>(copy[0])) == 0 && *end == '\0' && errno != ERANGE;
}

bool same_word(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (to_lower(a[i]) != to_lower(b[i])) return false;
  }
  return true;
}

}  // namespace

Reply scan_command(Call& call) {
  std::uint64_t cursor = 0;
  if (!parse_cursor(call.argv[1], cursor)) return call.error("ERR invalid cursor");
  ScanOptions options;
  if (auto error = parse_scan_options(call, options)) return std::move(*error);

  // A cursor is the hash from which to go on, so keys with one hash come in one answer.
  const Keyspace::Database& keys = call.server.keys.database(call.connection.db);
  auto at = keys.lower_bound(KeyNameView{cursor, {}});
  Words seen(call.memory());
  std::uint64_t next = 0;
  for (std::int64_t left = options.count; at != keys.end(); ++at, --left) {
    if (left <= 0 && at->first.hash != next - 1) break;
    seen.emplace_back(at->first.name);
    next = at->first.hash + 1;
  }
  if (at == keys.end()) next = 0;

  Reply names = call.array();
  for (const auto& name : seen) {
    ++call.server.work;
    if (options.match && *options.match != "*" && !glob_match(*options.match, name)) continue;
    Key* key = call.find(name);
    if (key == nullptr) continue;
    if (options.type && !same_word(key->second.object.type_name(), *options.type)) continue;
    names.append(call.bulk(name));
  }
  Reply answer = call.array();
  answer.append(call.bulk(unsigned_text(next).view()));
  answer.append(std::move(names));
  return answer;
}

Reply dbsize_command(Call& call) {
  return call.count(call.server.keys.database(call.connection.db).size());
}

namespace {

bool flush_option_ok(const Call& call) {
  return call.argv.size() == 1 || (call.argv.size() == 2 && (is_word(call.argv[1], "sync") ||
                                                             is_word(call.argv[1], "async")));
}

}  // namespace

Reply flushdb_command(Call& call) {
  if (!flush_option_ok(call)) return call.syntax_error();
  call.server.clear(call.connection, call.connection.db);
  call.propagate_as(call.argv);
  return call.ok();
}

Reply flushall_command(Call& call) {
  if (!flush_option_ok(call)) return call.syntax_error();
  for (int db = 0; db < kDatabases; ++db) call.server.clear(call.connection, db);
  call.propagate_as(call.argv);
  return call.ok();
}

}  // namespace locklapse::redis
