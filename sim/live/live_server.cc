#include "sim/live/live_server.h"

#include <fmt/format.h>

#include <charconv>

#include "sim/live/error.h"
#include "sim/live/monitored.h"
#include "sim/redis/keyspace.h"
#include "sim/redis/number.h"

namespace locklapse::live {

namespace {

constexpr std::string_view kEvents = "__keyevent@*__:*";
// Before every deadline: those are positive.
constexpr WallTime kBeforeDeadlines{0};
// The versions that the default dialect of the model was measured on.
constexpr std::string_view kLine = "7.0.";

void append(std::initializer_list<std::string_view> argv, std::string& out) {
  redis::append_command(std::span(argv.begin(), argv.size()), out);
}

// "__keyevent@0__:set" tells the database and the event.
KeyEvent event_of(const redis::Reply& message) {
  const std::string_view channel = message.elements()[2].text();
  KeyEvent event;
  const std::size_t digits = channel.find('@') + 1;
  std::from_chars(channel.data() + digits, channel.data() + channel.size(), event.key.db);
  event.name = channel.substr(channel.find(':') + 1);
  event.key.name = message.elements()[3].text();
  return event;
}

// Of the answer to HELLO.
void require_version(const redis::Reply& hello) {
  std::string_view version = "of before 6.0";
  const auto& fields = hello.elements();
  for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
    if (fields[i].text() == "version") version = fields[i + 1].text();
  }
  if (version.starts_with(kLine)) return;
  throw NotRunnable(fmt::format("redis-server here is {}; runs are compared with {}x", version, kLine));
}

}  // namespace

bool is_notification(const redis::Reply& reply) {
  const auto& parts = reply.elements();
  return parts.size() >= 3 && parts[parts.size() - 2].text().starts_with("__keyevent@");
}

namespace {

// A hash keeps the order of its fields only while it is small, and its first field says who owns a lock.
RealServerOptions with_ordered_hashes(RealServerOptions options) {
  const auto& ordered = {"--hash-max-listpack-entries", "1000000", "--hash-max-listpack-value", "100000000"};
  options.arguments.insert(options.arguments.begin(), ordered.begin(), ordered.end());
  return options;
}

}  // namespace

LiveServer::LiveServer(RealServerOptions options, WallTime now)
    : server_(with_ordered_hashes(std::move(options)), now), now_(now) {
  attach();
}

void LiveServer::attach() {
  admin_.emplace(io_, server_.socket());
  events_.emplace(io_, server_.socket());
  db_ = 0;
  call({"CONFIG", "SET", "notify-keyspace-events", "EA"});
  events_->call({"HELLO", "3"});
  require_version(events_->reply());
  events_->call({"PSUBSCRIBE", kEvents});
  events_->call({"MONITOR"});
}

std::string LiveServer::call(std::initializer_list<std::string_view> argv) {
  return std::string(admin_->call(argv));
}

void LiveServer::reset(WallTime now) {
  set_clock(now);
  std::string commands;
  append({"CLIENT", "UNPAUSE"}, commands);
  append({"FLUSHALL"}, commands);
  append({"SCRIPT", "FLUSH"}, commands);
  append({"CONFIG", "RESETSTAT"}, commands);
  admin_->send(commands);
  for (int i = 0; i < 4; ++i) {
    if (const auto reply = admin_->receive(); reply != "+OK\r\n") {
      throw Error(fmt::format("redis-server could not be reset: {}", reply));
    }
  }
  take_events();
}

void LiveServer::set_clock(WallTime now) {
  now_ = now;
  server_.set_clock(now);
}

void LiveServer::fence() {
  // The second is read in a later turn of the server's event loop than all that was sent before the first.
  for (int i = 0; i < 2; ++i) admin_->call({"PING"});
}

std::vector<KeyEvent> LiveServer::take_events() {
  // What it has been sent comes before the answer.
  std::string ping;
  append({"PING"}, ping);
  events_->send(ping);
  std::vector<KeyEvent> events;
  std::size_t nameless = 0;  // from here on it is not known yet which command they come of
  for (;;) {
    events_->receive();
    const redis::Reply message = events_->reply();
    if (message.type() == redis::Reply::Type::kPush) {
      events.push_back(event_of(message));
      continue;
    }
    if (message.text() == "PONG") return events;
    if (nameless == events.size()) continue;
    const auto command = std::make_shared<const std::vector<std::string>>(monitored_words(message.text()));
    for (; nameless < events.size(); ++nameless) events[nameless].command = command;
  }
}

void LiveServer::select(int db, std::string& commands) {
  if (db == db_) return;
  append({"SELECT", redis::integer_text(db).view()}, commands);
  db_ = db;
}

std::vector<KeyState> LiveServer::look(std::span<const KeyId> keys) {
  server_.set_clock(kBeforeDeadlines);
  std::string commands;
  std::vector<bool> selects;
  for (const KeyId& key : keys) {
    const std::size_t before = commands.size();
    select(key.db, commands);
    selects.push_back(commands.size() != before);
    append({"PEXPIRETIME", key.name}, commands);
    append({"GET", key.name}, commands);
    append({"HGETALL", key.name}, commands);
    append({"LRANGE", key.name, "0", "0"}, commands);
    append({"LLEN", key.name}, commands);
  }
  admin_->send(commands);
  std::vector<KeyState> states;
  const auto next = [&] {
    admin_->receive();
    return admin_->reply();
  };
  for (const bool selected : selects) {
    if (selected) next();
    KeyState& state = states.emplace_back();
    state.deadline_ms = next().integer();
    state.exists = state.deadline_ms != -2;
    if (!state.exists) state.deadline_ms = -1;
    // Of the three the two that do not fit its type are errors.
    if (const auto string = next(); string.type() == redis::Reply::Type::kBulk) state.owner = string.text();
    if (const auto hash = next(); hash.elements().size() >= 2) {
      state.owner = hash.elements()[0].text();
      if (!redis::parse_int64(hash.elements()[1].text(), state.count)) state.count = 0;
    }
    const auto list = next();
    const auto length = next();
    if (!list.elements().empty()) {
      state.owner = list.elements()[0].text();
      state.count = length.integer();
    }
  }
  server_.set_clock(now_);
  return states;
}

std::map<KeyId, KeyState> LiveServer::look_at_all() {
  server_.set_clock(kBeforeDeadlines);
  std::string commands;
  for (int db = 0; db < redis::kDatabases; ++db) {
    append({"SELECT", redis::integer_text(db).view()}, commands);
    append({"KEYS", "*"}, commands);
  }
  admin_->send(commands);
  std::vector<KeyId> keys;
  for (int db = 0; db < redis::kDatabases; ++db) {
    admin_->receive();
    admin_->receive();
    const redis::Reply found = admin_->reply();
    for (const redis::Reply& name : found.elements()) keys.push_back({db, std::string(name.text())});
  }
  db_ = redis::kDatabases - 1;
  std::vector<KeyState> states = look(keys);
  std::map<KeyId, KeyState> all;
  for (std::size_t i = 0; i < keys.size(); ++i) all.emplace(std::move(keys[i]), std::move(states[i]));
  return all;
}

void LiveServer::touch(const KeyId& key) {
  std::string commands;
  const bool selects = key.db != db_;
  select(key.db, commands);
  append({"EXISTS", key.name}, commands);
  admin_->send(commands);
  for (int i = selects ? 2 : 1; i > 0; --i) admin_->receive();
}

void LiveServer::kill() {
  admin_.reset();
  events_.reset();
  server_.kill();
}

void LiveServer::shut_down(bool save) {
  std::string command;
  append({"SHUTDOWN", save ? "SAVE" : "NOSAVE"}, command);
  admin_->send(command);
  server_.wait();
  admin_.reset();
  events_.reset();
}

void LiveServer::start() {
  server_.start();
  attach();
}

}  // namespace locklapse::live
