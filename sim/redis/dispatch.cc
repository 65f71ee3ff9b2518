// What happens to a command before it runs: refused, queued by MULTI, held behind a blocking one.
// The order of the checks is the server's own.
#include <algorithm>
#include <utility>

#include "sim/redis/call.h"
#include "sim/redis/commands.h"

namespace locklapse::redis {

namespace {

// Redis prints at most this much of a client's words in an error.
constexpr std::size_t kQuotedBytesMax = 128;

std::pmr::string unknown_command_error(Argv argv, std::pmr::memory_resource& memory) {
  std::pmr::string args(&memory);
  for (std::size_t i = 1; i < argv.size() && args.size() < kQuotedBytesMax; ++i) {
    args.push_back('\'');
    args.append(until_nul(argv[i]).substr(0, kQuotedBytesMax + 1 - args.size()));
    args.append("' ");
  }
  std::pmr::string text("ERR unknown command '", &memory);
  text.append(until_nul(argv[0]).substr(0, kQuotedBytesMax));
  text.append("', with args beginning with: ");
  text.append(args);
  return text;
}

std::pmr::string unknown_subcommand_error(const CommandSpec& container, std::string_view name,
                                          std::pmr::memory_resource& memory) {
  std::pmr::string text("ERR unknown subcommand '", &memory);
  text.append(until_nul(name).substr(0, kQuotedBytesMax));
  text.append("'. Try ");
  for (const char c : container.name) text.push_back(to_upper(c));
  text.append(" HELP.");
  return text;
}

}  // namespace

std::pmr::string arity_error(const CommandSpec& spec, std::pmr::memory_resource& memory) {
  std::pmr::string text("ERR wrong number of arguments for '", &memory);
  text.append(spec.name);
  text.append("' command");
  return text;
}

void tidy_error(std::pmr::string& text) {
  while (!text.empty() && (text.back() == '\r' || text.back() == '\n')) text.pop_back();
  std::replace(text.begin(), text.end(), '\r', ' ');
  std::replace(text.begin(), text.end(), '\n', ' ');
}

Reply Call::wrong_arity() const { return error(arity_error(spec, server.memory)); }

Reply Call::invalid_expire_time() const {
  std::pmr::string text("ERR invalid expire time in '", &server.memory);
  text.append(spec.name);
  text.append("' command");
  return error(text);
}

void ServerState::reject(Connection& connection, const CommandSpec* spec, std::string_view text) {
  if (spec != nullptr && spec->run == exec_command) {
    leave_transaction(connection);
    std::pmr::string aborted("EXECABORT Transaction discarded because of: ", &memory);
    aborted.append(text.starts_with("ERR ") ? text.substr(4) : text);
    deliver(connection.id, Reply::error(aborted, &memory));
    return;
  }
  if (connection.in_multi) connection.queue_broken = true;
  std::pmr::string tidy(text, &memory);
  std::replace(tidy.begin(), tidy.end(), '\r', ' ');
  std::replace(tidy.begin(), tidy.end(), '\n', ' ');
  deliver(connection.id, Reply::error(tidy, &memory));
}

void ServerState::run(Connection& connection, const CommandSpec& spec, Argv argv) {
  Call call{*this, connection, argv, spec};
  Reply reply = perform(call);
  if (!call.no_reply) deliver(connection.id, std::move(reply));
  const std::int64_t took_us = busy_ms * 1000;
  if (took_us >= config.slowlog_slower_than_us && config.slowlog_slower_than_us >= 0 &&
      spec.run != exec_command) [[unlikely]] {
    slow_log.add(argv, now_.ms() / 1000, took_us, connection.address, connection.name,
                 config.slowlog_entries_max);
  }
}

Reply ServerState::perform(Call& call) {
  ++stats.commands;
  const bool watched = !monitors.empty() && (call.spec.flags & kHiddenFromMonitors) == 0;
  // A script's own line comes before those of its commands.
  const bool first = (call.spec.flags & kScript) != 0;
  if (watched && first) [[unlikely]] feed_monitors(call.connection, call.spec, call.argv);
  const std::int64_t changes = changes_;
  if (config.notify != 0) [[unlikely]] {
    tells_misses_ = (config.notify & kNotifyKeyMiss) != 0 && (call.spec.flags & kWrites) == 0;
  }
  Reply reply = call.spec.run(call);
  if (propagation != nullptr && changes != changes_ && !call.propagated &&
      (call.spec.flags & kWrites) != 0) {
    call.propagate_as(call.argv);
  }
  if (watched && !first) [[unlikely]] feed_monitors(call.connection, call.spec, call.argv);
  return reply;
}

// Whether there is anything to look for: asked of every command, so it must cost next to nothing.
bool ServerState::may_refuse(const Connection& connection, std::uint32_t flags) const {
  return replication.restricts() || persistence.loading(now_ms_) || account.limited() ||
         save_failing || busy_script != BusyScript::kNone || pause || !connection.authenticated ||
         connection.subscribed || (flags & (kProtected | kNotInMulti)) != 0;
}

// Everything that can speak against a command that is known and has the right number of words. The
// order is the server's own; the first reason is the one that the client hears. Commands that are
// merely held (CLIENT PAUSE) or queued (MULTI) come behind all of these.
std::optional<std::string_view> ServerState::refuse(Connection& connection, const CommandSpec& spec,
                                                    std::uint32_t flags) {
  const bool writes = (flags & kWrites) != 0;
  const std::string_view title = server_title(config.dialect);
  const auto naming = [this](std::initializer_list<std::string_view> parts) {
    refusal_.clear();
    for (const std::string_view part : parts) refusal_.append(part);
    return std::string_view(refusal_);
  };

  if ((flags & kProtected) != 0 && !config.debug_commands) {
    return "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", "
           "you can run it from a local connection, otherwise you need to set this option in the "
           "configuration file, and then restart the server.";
  }
  if (!connection.authenticated && (flags & kUnauthenticated) == 0) {
    return "NOAUTH Authentication required.";
  }
  if (connection.in_multi && (flags & kNotInMulti) != 0) {
    return "ERR Command not allowed inside a transaction";
  }
  if (account.limited() && busy_script == BusyScript::kNone) {
    out_of_memory = evict();
    // Whatever would be queued takes memory.
    const bool queued = connection.in_multi && (flags & kImmediate) == 0 &&
                        spec.run != unwatch_command;
    if (out_of_memory && (queued || (flags & kTakesMemory) != 0)) return kOutOfMemory;
  }
  if (save_failing && (writes || spec.run == ping_command)) {
    if (const auto text = refuse_unsaved_write()) return text;
  }
  if (writes) {
    if (const auto text = replication.refuse_write()) return text;  // NOREPLICAS, READONLY
  }
  if (connection.subscribed && connection.resp == 2 && (flags & kWhileSubscribed) == 0) {
    return naming({"ERR Can't execute '", spec.name,
                   "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in "
                   "this context"});
  }
  if ((flags & kWhileStale) == 0) {
    if (const auto text = replication.refuse_stale()) return text;  // MASTERDOWN
  }
  if ((flags & kWhileLoading) == 0 && persistence.loading(now_ms_)) {
    return naming({"LOADING ", title, " is loading the dataset in memory"});
  }
  if (busy_script != BusyScript::kNone && (flags & kWhileBusy) == 0) {
    return naming({"BUSY ", title,
                   " is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."});
  }
  return std::nullopt;
}

std::optional<std::string_view> ServerState::refuse_unsaved_write() {
  if (!save_failing || !config.stop_writes_on_save_error || !replication.is_master() ||
      config.persistence.kind != PersistenceKind::kRdb) {
    return std::nullopt;
  }
  refusal_.assign("MISCONF ");
  refusal_.append(server_title(config.dialect));
  refusal_.append(
      " is configured to save RDB snapshots, but it's currently unable to persist to disk. Commands "
      "that may modify the data set are disabled, because this instance is configured to report "
      "errors during writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please "
      "check the ");
  refusal_.append(server_title(config.dialect));
  refusal_.append(" logs for details about the RDB error.");
  return refusal_;
}

void ServerState::accept(Connection& connection, Argv argv) {
  for (const std::string_view word : argv) {
    if (word.size() > static_cast<std::size_t>(config.value_bytes_max)) {
      return reject(connection, nullptr, "ERR Protocol error: invalid bulk length");
    }
  }
  const std::size_t start = outbox_->size();
  admit(connection, argv);
  if (connection.replies != Connection::Replies::kOn) [[unlikely]] {
    drop_unwanted_replies(connection, start);
  }
}

void ServerState::admit(Connection& connection, Argv argv) {
  const CommandSpec* spec = find_command(argv[0], config.dialect);
  if (spec == nullptr) return reject(connection, nullptr, unknown_command_error(argv, memory));
  if ((spec->flags & kContainer) != 0 && argv.size() > 1) {
    const CommandSpec& container = *spec;
    spec = find_subcommand(container, argv[1], config.dialect);
    if (spec == nullptr) {
      return reject(connection, nullptr, unknown_subcommand_error(container, argv[1], memory));
    }
  }
  if (!spec->accepts(argv.size())) return reject(connection, spec, arity_error(*spec, memory));

  // EXEC is what it runs; a script that says what it does is a command that does it.
  std::uint32_t flags = spec->flags;
  if (spec->run == exec_command) flags |= connection.queued_flags;
  if ((flags & kScript) != 0) flags |= declared_flags(*this, *spec, argv);
  if (may_refuse(connection, flags)) [[unlikely]] {
    if (const auto text = refuse(connection, *spec, flags)) return reject(connection, spec, *text);
    if (pause && (!pause->writes_only || (flags & (kWrites | kReplicates)) != 0)) {
      return postpone(connection, argv);
    }
  }
  if (connection.in_multi && (flags & kImmediate) == 0) {
    if (!connection.watch_broken && !connection.queue_broken) {
      connection.queue.push_back({spec, Words(argv.begin(), argv.end(), &memory)});
      connection.queued_flags |= flags & (kWrites | kTakesMemory | kReplicates);
    }
    return deliver(connection.id, Reply::simple("QUEUED", &memory));
  }
  connection.last_command = spec;
  connection.active_ms = now_ms_;
  if (connection.connected_ms < 0) connection.connected_ms = now_ms_;
  run(connection, *spec, argv);
  end_unit();
  if (config.replication.propagates) connection.offset = replication.offset();
}

// --- CLIENT REPLY

void ServerState::drop_unwanted_replies(Connection& connection, std::size_t start) {
  using Replies = Connection::Replies;
  std::erase_if(*outbox_, [&](const Delivery& delivery) {
    const auto at = static_cast<std::size_t>(&delivery - outbox_->data());
    return at >= start && delivery.to == connection.id && !delivery.push;
  });
  if (connection.replies == Replies::kSkip) connection.replies = Replies::kOn;
  if (connection.replies == Replies::kSkipNext) connection.replies = Replies::kSkip;
}

// --- CLIENT PAUSE

void ServerState::postpone(Connection& connection, Argv argv) {
  connection.waiting.emplace_front(argv.begin(), argv.end());
  connection.postponed = true;
  postponed_.push_back(connection.id);
}

void ServerState::end_pause() {
  pause.reset();
  for (const ConnectionId id : postponed_) {
    connection(id)->postponed = false;
    unblocked_.push_back(id);
  }
  postponed_.clear();
}

void ServerState::end_pause_if_over() {
  if (now_ms_ > pause->until_ms) end_pause();
}

void ServerState::execute(ConnectionId id, Argv argv) {
  Connection* sender = connection(id);
  if (sender == nullptr || argv.empty()) return;
  if (sender->is_blocked() || !sender->waiting.empty()) {
    sender->waiting.emplace_back(argv.begin(), argv.end());
    return;
  }
  accept(*sender, argv);
  if (sender->closing) close(*sender);
  serve_blocked();
}

void ServerState::execute_waiting() {
  while (!unblocked_.empty()) {
    const std::pmr::vector<ConnectionId> ids(std::move(unblocked_));
    unblocked_.clear();
    for (const ConnectionId id : ids) {
      for (Connection* sender = connection(id);
           sender != nullptr && !sender->is_blocked() && !sender->waiting.empty();
           sender = connection(id)) {
        const Words words(std::move(sender->waiting.front()));
        sender->waiting.pop_front();
        const std::pmr::vector<std::string_view> argv(words.begin(), words.end(), &memory);
        accept(*sender, argv);
        if (sender->closing) close(*sender);
        serve_blocked();
      }
    }
  }
}

}  // namespace locklapse::redis
