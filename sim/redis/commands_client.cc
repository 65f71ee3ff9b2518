// What a client says about itself: HELLO, AUTH, CLIENT.
#include <algorithm>
#include <utility>

#include "sim/redis/client_type.h"
#include "sim/redis/commands.h"

namespace locklapse::redis {

namespace {

constexpr std::string_view kWrongPassword =
    "WRONGPASS invalid username-password pair or user is disabled.";

bool is_default_user(std::string_view name) { return name == "default"; }

bool authenticate(Call& call, std::string_view user, std::string_view password) {
  const std::string_view wanted = call.server.config.password;
  if (!is_default_user(user) || (!wanted.empty() && password != wanted)) return false;
  call.connection.authenticated = true;
  return true;
}

std::int64_t client_id(const Connection& connection) {
  return static_cast<std::int64_t>(connection.id) + 1;
}

// A name or a version that would break the lines of CLIENT LIST.
bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '!' && c <= '~'; });
}

std::optional<Reply> set_name(Call& call, std::string_view name) {
  if (!is_printable(name)) {
    return call.error(
        "ERR Client names cannot contain spaces, newlines or special characters.");
  }
  call.connection.name.assign(name);
  return std::nullopt;
}

Reply hello_option_error(const Call& call, std::string_view option) {
  std::pmr::string text("ERR Syntax error in HELLO option '", call.memory());
  text.append(until_nul(option));
  text.push_back('\'');
  tidy_error(text);
  return call.error(text);
}

Reply describe_server(Call& call) {
  const ServerConfig& config = call.server.config;
  Reply answer = call.map();
  const auto add = [&](std::string_view name, Reply value) {
    answer.append(call.bulk(name));
    answer.append(std::move(value));
  };
  add("server", call.bulk(is_valkey(config.dialect) ? "valkey" : "redis"));
  add("version", call.bulk(server_version(config.dialect)));
  add("proto", call.integer(call.connection.resp));
  add("id", call.integer(client_id(call.connection)));
  add("mode", call.bulk("standalone"));
  add("role", call.bulk(call.server.replication.is_master() ? "master" : "replica"));
  add("modules", call.array());
  return answer;
}

}  // namespace

Reply hello_command(Call& call) {
  const Argv argv = call.argv;
  std::int64_t version = 0;
  if (argv.size() > 1) {
    if (!parse_int64(argv[1], version)) {
      return call.error("ERR Protocol version is not an integer or out of range");
    }
    if (version < 2 || version > 3) return call.error("NOPROTO unsupported protocol version");
  }
  std::optional<std::string_view> name;
  for (std::size_t i = 2; i < argv.size(); ++i) {
    const std::size_t left = argv.size() - i - 1;
    if (is_word(argv[i], "auth") && left >= 2) {
      if (!authenticate(call, argv[i + 1], argv[i + 2])) return call.error(kWrongPassword);
      i += 2;
    } else if (is_word(argv[i], "setname") && left >= 1) {
      name = argv[++i];
    } else {
      return hello_option_error(call, argv[i]);
    }
  }
  if (!call.connection.authenticated) {
    return call.error(
        "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH "
        "<user> <pass> option can be used to authenticate the client and select the RESP protocol "
        "version at the same time");
  }
  if (name) {
    if (auto error = set_name(call, *name)) return std::move(*error);
  }
  if (version != 0) call.connection.resp = static_cast<int>(version);
  return describe_server(call);
}

Reply auth_command(Call& call) {
  if (call.argv.size() > 3) return call.syntax_error();
  const bool plain = call.argv.size() == 2;
  if (plain && call.server.config.password.empty()) {
    return call.error(
        "ERR AUTH <password> called without any password configured for the default user. Are you "
        "sure your configuration is correct?");
  }
  const std::string_view user = plain ? std::string_view("default") : call.argv[1];
  if (!authenticate(call, user, call.argv.back())) return call.error(kWrongPassword);
  return call.ok();
}

Reply client_id_command(Call& call) { return call.integer(client_id(call.connection)); }

Reply client_getname_command(Call& call) {
  return call.connection.name.empty() ? call.nil() : call.bulk(call.connection.name);
}

Reply client_setname_command(Call& call) {
  if (auto error = set_name(call, call.argv[2])) return std::move(*error);
  return call.ok();
}

Reply client_setinfo_command(Call& call) {
  const bool known = is_word(call.argv[2], "lib-name") || is_word(call.argv[2], "lib-ver");
  if (!known) {
    std::pmr::string text("ERR Unrecognized option '", call.memory());
    text.append(until_nul(call.argv[2]));
    text.push_back('\'');
    tidy_error(text);
    return call.error(text);
  }
  if (!is_printable(call.argv[3])) {
    std::pmr::string text("ERR ", call.memory());
    for (const char c : call.argv[2]) text.push_back(to_lower(c));
    text.append(" cannot contain spaces, newlines or special characters.");
    return call.error(text);
  }
  return call.ok();
}

Reply client_no_evict_command(Call& call) {
  if (!is_word(call.argv[2], "on") && !is_word(call.argv[2], "off")) return call.syntax_error();
  return call.ok();
}

Reply client_reply_command(Call& call) {
  using Replies = Connection::Replies;
  if (is_word(call.argv[2], "on")) {
    call.connection.replies = Replies::kOn;
  } else if (is_word(call.argv[2], "off")) {
    call.connection.replies = Replies::kOff;
  } else if (is_word(call.argv[2], "skip")) {
    if (call.connection.replies == Replies::kOn) call.connection.replies = Replies::kSkipNext;
  } else {
    return call.syntax_error();
  }
  return call.ok();
}

namespace {

void append_flags(const Connection& client, std::pmr::string& line) {
  const std::size_t start = line.size();
  if (client.monitors) line.push_back('O');
  if (client.subscriptions() > 0) line.push_back('P');
  if (client.in_multi) line.push_back('x');
  if (client.is_blocked()) line.push_back('b');
  if (client.watch_broken) line.push_back('d');
  if (client.closing) line.push_back('c');
  if (line.size() == start) line.push_back('N');
}

// One line of CLIENT LIST, with those fields that a model has.
void append_client(const ServerState& server, const Connection& client, std::pmr::string& line) {
  const auto field = [&line](std::string_view name, std::string_view value) {
    line.append(name);
    line.push_back('=');
    line.append(value);
    line.push_back(' ');
  };
  const auto number = [&field](std::string_view name, std::int64_t value) {
    field(name, integer_text(value).view());
  };
  const std::int64_t since =
      client.connected_ms < 0 ? server.now_ms() : client.connected_ms;
  number("id", client_id(client));
  field("addr", client.address);
  field("laddr", "127.0.0.1:6379");
  field("name", client.name);
  number("age", (server.now_ms() - since) / 1000);
  number("idle", client.last_command == nullptr ? 0 : (server.now_ms() - client.active_ms) / 1000);
  line.append("flags=");
  append_flags(client, line);
  line.push_back(' ');
  number("db", client.db);
  number("sub", static_cast<std::int64_t>(client.channels.size()));
  number("psub", static_cast<std::int64_t>(client.patterns.size()));
  number("multi", client.in_multi ? static_cast<std::int64_t>(client.queue.size()) : -1);
  field("cmd", client.last_command == nullptr ? "NULL" : client.last_command->name);
  field("user", "default");
  line.append("resp=");
  line.append(integer_text(client.resp).view());
  line.push_back('\n');
}

}  // namespace

Reply client_info_command(Call& call) {
  std::pmr::string line(call.memory());
  append_client(call.server, call.connection, line);
  return call.verbatim_text(line);
}

Reply client_list_command(Call& call) {
  const Argv words = call.argv.subspan(2);
  std::optional<ClientType> type;
  std::pmr::vector<std::int64_t> ids(call.memory());
  if (words.size() == 2 && is_word(words[0], "type")) {
    type = parse_client_type(words[1]);
    if (!type) return unknown_client_type(call, words[1]);
  } else if (words.size() >= 2 && is_word(words[0], "id")) {
    for (const std::string_view word : words.subspan(1)) {
      if (!parse_int64(word, ids.emplace_back()) || ids.back() < 1) {
        return call.error("ERR Invalid client ID");
      }
    }
  } else if (!words.empty()) {
    return call.syntax_error();
  }
  std::pmr::string lines(call.memory());
  call.server.for_each_connection([&](const Connection& client) {
    if (type && client_type(client) != *type) return;
    if (!ids.empty() && std::find(ids.begin(), ids.end(), client_id(client)) == ids.end()) return;
    append_client(call.server, client, lines);
  });
  return call.verbatim_text(lines);
}

}  // namespace locklapse::redis
