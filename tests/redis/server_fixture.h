// Drives one server with commands written as a person types them, and compares what it answers byte
// for byte in RESP2.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/time.h"
#include "sim/redis/lua_engine.h"
#include "sim/redis/server.h"

namespace locklapse::redis {

// Splits at blanks; '...' holds a word together, and \n, \r, \0, \\ and \' are read within it.
inline std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  bool open = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (c == '\'') {
      quoted = !quoted;
      open = true;
    } else if (c == ' ' && !quoted) {
      if (open) words.push_back(word);
      word.clear();
      open = false;
    } else {
      if (c == '\\' && quoted && i + 1 < line.size()) {
        c = line[++i];
        c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == '0' ? '\0' : c;
      }
      word.push_back(c);
      open = true;
    }
  }
  if (open) words.push_back(word);
  return words;
}

struct ToldChange {
  KeyChangeKind kind;
  ConnectionId by;
  int db;
  std::string key;
  std::string owner_before;
  std::string owner_after;
  std::int64_t count_after;
  std::int64_t deadline_ms;
  bool existed_before;
};

struct ToldEnd {
  int db;
  std::string key;
  std::string owner;
  std::int64_t deadline_ms;
};

class RecordingObserver final : public KeyspaceObserver {
 public:
  void on_key_change(const KeyChange& change) override {
    changes.push_back({change.kind, change.by, change.db, std::string(change.key),
                       std::string(change.owner_before), std::string(change.owner_after),
                       change.count_after, change.deadline_ms, change.existed_before});
  }
  void on_ttl_ended(int db, std::string_view key, std::string_view owner,
                    std::int64_t deadline_ms) override {
    ends.push_back({db, std::string(key), std::string(owner), deadline_ms});
  }

  std::vector<ToldChange> changes;
  std::vector<ToldEnd> ends;
};

class ServerFixture : public testing::Test {
 protected:
  explicit ServerFixture(const ServerConfig& config = {})
      : server(*memory, engine(), config, &observer),
        me(server.connect()),
        other(server.connect()) {}

  // One VM for all tests, as one VM serves all runs.
  static LuaEngine& engine() {
    static LuaEngine shared;
    return shared;
  }

  static std::string bytes_of(const Reply& reply) {
    std::pmr::string bytes;
    encode_resp2(reply, bytes);
    return std::string(bytes);
  }

  std::string run(ConnectionId connection, const std::vector<std::string>& words) {
    const std::vector<std::string_view> argv(words.begin(), words.end());
    Outbox sent(memory);
    server.execute(connection, argv, now, sent);
    return keep(connection, sent);
  }
  // What the server sends to the one who asks; what it sends to others waits in read().
  std::string run(ConnectionId connection, std::string_view line) {
    return run(connection, words_of(line));
  }
  std::string run(std::string_view line) { return run(me, line); }
  std::string eval(const std::string& script, std::string_view rest = "0") {
    std::vector<std::string> words{"EVAL", script};
    for (auto& word : words_of(rest)) words.push_back(word);
    return run(me, words);
  }

  void wake() {
    Outbox sent(memory);
    server.wake(now, sent);
    keep(kNobody, sent);
  }

  // Takes what has been sent to a connection without its asking.
  std::string read(ConnectionId connection) {
    std::string bytes;
    std::vector<std::pair<ConnectionId, std::string>> rest;
    for (auto& [to, sent] : unread) {
      if (to == connection) {
        bytes += sent;
      } else {
        rest.emplace_back(to, sent);
      }
    }
    unread = std::move(rest);
    return bytes;
  }

  void advance_ms(std::int64_t ms) { now.us += ms * 1000; }

  std::pmr::memory_resource* memory = std::pmr::new_delete_resource();
  RecordingObserver observer;
  WallTime now = kEpoch;
  Server server;
  ConnectionId me;
  ConnectionId other;
  std::vector<std::pair<ConnectionId, std::string>> unread;

 private:
  std::string keep(ConnectionId asker, const Outbox& sent) {
    std::string bytes;
    for (const Delivery& delivery : sent) {
      std::pmr::string encoded;
      if (delivery.resp3) {
        encode_resp3(delivery.reply, encoded);
      } else {
        encode_resp2(delivery.reply, encoded);
      }
      if (delivery.to == asker) {
        bytes += encoded;
      } else {
        unread.emplace_back(delivery.to, encoded);
      }
    }
    return bytes;
  }
};

inline std::string bulk(std::string_view text) {
  std::string bytes("$");
  bytes.append(std::to_string(text.size())).append("\r\n");
  return bytes.append(text).append("\r\n");
}

inline constexpr std::string_view kOk = "+OK\r\n";
inline constexpr std::string_view kNil = "$-1\r\n";
inline constexpr std::string_view kWrongType =
    "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";
inline constexpr std::string_view kSyntaxError = "-ERR syntax error\r\n";
inline constexpr std::string_view kNotAnInteger =
    "-ERR value is not an integer or out of range\r\n";

}  // namespace locklapse::redis
