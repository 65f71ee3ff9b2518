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
}

Reply ServerState::perform(Call& call) {
  if (propagation == nullptr) return call.spec.run(call);
  const std::int64_t changes = changes_;
  Reply reply = call.spec.run(call);
  if (changes != changes_ && !call.propagated && (call.spec.flags & kWrites) != 0) {
    call.propagate_as(call.argv);
  }
  return reply;
}

std::optional<std::string_view> ServerState::refuse_write(const Connection& connection,
                                                          const CommandSpec& spec) {
  bool writes = (spec.flags & kWrites) != 0;
  if (spec.run == exec_command) {
    writes = std::any_of(connection.queue.begin(), connection.queue.end(), [](const auto& queued) {
      return (queued.spec->flags & kWrites) != 0;
    });
  }
  return writes ? replication.refuse_write() : std::nullopt;
}

std::optional<std::string_view> ServerState::refuse_now(const CommandSpec& spec) const {
  if ((spec.flags & kWhileStale) == 0) {
    if (const auto text = replication.refuse_stale()) return text;
  }
  if ((spec.flags & kWhileLoading) == 0 && persistence.loading(now_ms_)) {
    return "LOADING Redis is loading the dataset in memory";
  }
  return std::nullopt;
}

void ServerState::accept(Connection& connection, Argv argv) {
  for (const std::string_view word : argv) {
    if (word.size() > static_cast<std::size_t>(config.value_bytes_max)) {
      return reject(connection, nullptr, "ERR Protocol error: invalid bulk length");
    }
  }
  const CommandSpec* spec = find_command(argv[0]);
  if (spec == nullptr) return reject(connection, nullptr, unknown_command_error(argv, memory));
  if ((spec->flags & kContainer) != 0 && argv.size() > 1) {
    const CommandSpec& container = *spec;
    spec = find_subcommand(container, argv[1]);
    if (spec == nullptr) {
      return reject(connection, nullptr, unknown_subcommand_error(container, argv[1], memory));
    }
  }
  if (!spec->accepts(argv.size())) return reject(connection, spec, arity_error(*spec, memory));
  const bool restricted = replication.restricts() || persistence.loading(now_ms_);
  if (restricted) {
    if (const auto text = refuse_write(connection, *spec)) return reject(connection, spec, *text);
  }
  if (connection.subscribed && (spec->flags & kWhileSubscribed) == 0) {
    std::pmr::string text("ERR Can't execute '", &memory);
    text.append(spec->name);
    text.append(
        "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this "
        "context");
    return reject(connection, spec, text);
  }
  if (restricted) {
    if (const auto text = refuse_now(*spec)) return reject(connection, spec, *text);
  }
  if (connection.in_multi && (spec->flags & kImmediate) == 0) {
    if (!connection.watch_broken && !connection.queue_broken) {
      connection.queue.push_back({spec, Words(argv.begin(), argv.end(), &memory)});
    }
    return deliver(connection.id, Reply::simple("QUEUED", &memory));
  }
  run(connection, *spec, argv);
  end_unit();
  if (config.replication.propagates) connection.offset = replication.offset();
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
