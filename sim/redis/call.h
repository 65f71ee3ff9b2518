// One command under way, and the replies that many commands share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "sim/redis/ascii.h"
#include "sim/redis/number.h"
#include "sim/redis/server_state.h"

namespace locklapse::redis {

struct Call {
  ServerState& server;
  Connection& connection;
  Argv argv;
  const CommandSpec& spec;
  // Set by a command that has delivered its messages itself, or that blocks: its return value is
  // dropped.
  bool no_reply = false;
  // Set once it is settled what replicas shall hear of the command.
  bool propagated = false;

  std::string_view key() const { return argv[1]; }
  std::pmr::memory_resource* memory() const { return &server.memory; }

  Reply ok() const { return Reply::simple("OK", memory()); }
  Reply integer(std::int64_t value) const { return Reply::integer(value, memory()); }
  Reply count(std::size_t value) const { return integer(static_cast<std::int64_t>(value)); }
  Reply bulk(std::string_view bytes) const { return Reply::bulk(bytes, memory()); }
  Reply nil() const { return Reply::null_bulk(memory()); }
  Reply nil_array() const { return Reply::null_array(memory()); }
  Reply array() const { return Reply::array(memory()); }
  // What RESP2 sends as an array or a bulk string has types of its own in RESP3.
  bool resp3() const { return connection.resp == 3; }
  Reply map() const {
    return Reply::aggregate(resp3() ? Reply::Type::kMap : Reply::Type::kArray, memory());
  }
  Reply set() const {
    return Reply::aggregate(resp3() ? Reply::Type::kSet : Reply::Type::kArray, memory());
  }
  Reply number(double value) const {
    const auto text = double_text(value);
    return resp3() ? Reply::floating(text.view(), memory()) : bulk(text.view());
  }
  Reply verbatim_text(std::string_view text) const {
    return resp3() ? Reply::verbatim("txt", text, memory()) : bulk(text);
  }

  // `text` carries its code: "ERR syntax error".
  Reply error(std::string_view text) const { return Reply::error(text, memory()); }
  Reply syntax_error() const { return error("ERR syntax error"); }
  Reply not_an_integer() const { return error("ERR value is not an integer or out of range"); }
  Reply not_a_float() const { return error("ERR value is not a valid float"); }
  Reply wrong_type() const {
    return error("WRONGTYPE Operation against a key holding the wrong kind of value");
  }
  Reply too_large() const {
    return error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  }
  Reply too_many_elements() const { return error("ERR too many elements in one key"); }
  Reply wrong_arity() const;
  Reply invalid_expire_time() const;

  bool propagates() const { return server.propagation != nullptr; }
  // What goes to replicas and to the file instead of the command's own words. Without a word of this, a
  // write that has changed something goes there as it is.
  void propagate_as(std::initializer_list<std::string_view> words) {
    propagate_as(Argv(words.begin(), words.size()));
  }
  void propagate_as(Argv words) {
    propagated = true;
    if (propagates()) server.propagation->add(connection.db, words);
  }

  Key* find(std::string_view name) { return server.find(connection, name); }
  Key* find_in(int db, std::string_view name) { return server.find_in(connection, db, name); }
  // A keyspace notification about a key of the client's database.
  void notify(std::uint32_t event_class, std::string_view event, std::string_view name) const {
    server.notify(event_class, event, connection.db, name);
  }
  bool fits(std::size_t bytes) const {
    return bytes <= static_cast<std::size_t>(server.config.value_bytes_max);
  }
};

// No key may hold more than this many elements: a run must not outgrow its memory.
inline constexpr std::size_t kElementsMax = std::size_t{1} << 20;

// The value of a key as a T; null when the key holds something else.
template <typename T>
T* value_of(Key& key) {
  return std::get_if<T>(&key.second.object.value);
}

// Reads a database index; or the error reply.
std::optional<Reply> parse_db(const Call& call, std::string_view text, int& db);

// "ERR wrong number of arguments for 'get' command"
std::pmr::string arity_error(const CommandSpec& spec, std::pmr::memory_resource& memory);

// An error text as it may be sent: line ends within become blanks, those at its end vanish.
void tidy_error(std::pmr::string& text);

}  // namespace locklapse::redis
