// What one client does to others: CLIENT KILL, PAUSE, UNBLOCK.
#include <algorithm>
#include <limits>
#include <utility>

#include "sim/redis/client_type.h"
#include "sim/redis/commands.h"

namespace locklapse::redis {

namespace {

struct Victims {
  std::optional<std::int64_t> id;
  std::optional<ClientType> type;
  std::optional<std::string_view> address;
  std::optional<std::string_view> local_address;
  bool skip_me = true;

  bool include(const Connection& client, const Connection& me) const {
    if (id && static_cast<std::int64_t>(client.id) + 1 != *id) return false;
    if (type && client_type(client) != *type) return false;
    if (address && client.address != *address) return false;
    if (local_address) return false;
    return !(skip_me && &client == &me);
  }
};

std::optional<Reply> parse_victims(const Call& call, Argv words, Victims& victims) {
  if (words.size() % 2 == 1) return call.syntax_error();
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::string_view option = words[i];
    const std::string_view value = words[i + 1];
    if (is_word(option, "id")) {
      if (!parse_int64(value, victims.id.emplace(0)) || *victims.id < 1) {
        return call.error("ERR client-id should be greater than 0");
      }
    } else if (is_word(option, "type")) {
      victims.type = parse_client_type(value);
      if (!victims.type) return unknown_client_type(call, value);
    } else if (is_word(option, "addr")) {
      victims.address = value;
    } else if (is_word(option, "laddr")) {
      victims.local_address = value;
    } else if (is_word(option, "user")) {
      if (value == "default") continue;
      std::pmr::string text("ERR No such user '", call.memory());
      text.append(until_nul(value));
      text.push_back('\'');
      tidy_error(text);
      return call.error(text);
    } else if (is_word(option, "skipme") && (is_word(value, "yes") || is_word(value, "no"))) {
      victims.skip_me = is_word(value, "yes");
    } else {
      return call.syntax_error();
    }
  }
  return std::nullopt;
}

}  // namespace

Reply client_kill_command(Call& call) {
  Victims victims;
  // The old form names an address, and may hit its own client.
  const bool old_form = call.argv.size() == 3;
  if (old_form) {
    victims.address = call.argv[2];
    victims.skip_me = false;
  } else if (auto error = parse_victims(call, call.argv.subspan(2), victims)) {
    return std::move(*error);
  }
  std::int64_t killed = 0;
  call.server.for_each_connection([&](Connection& client) {
    if (!victims.include(client, call.connection)) return;
    ++killed;
    // Its own client is answered first.
    if (&client == &call.connection) {
      client.closing = true;
    } else {
      call.server.kill(client);
    }
  });
  if (!old_form) return call.integer(killed);
  return killed > 0 ? call.ok() : call.error("ERR No such client");
}

Reply client_pause_command(Call& call) {
  bool writes_only = false;
  if (call.argv.size() == 4) {
    writes_only = is_word(call.argv[3], "write");
    if (!writes_only && !is_word(call.argv[3], "all")) {
      return call.error("ERR CLIENT PAUSE mode must be WRITE or ALL");
    }
  } else if (call.argv.size() > 4) {
    return call.syntax_error();
  }
  std::int64_t until_ms = 0;
  if (!parse_int64(call.argv[2], until_ms)) {
    return call.error("ERR timeout is not an integer or out of range");
  }
  if (until_ms < 0) return call.error("ERR timeout is negative");
  if (__builtin_add_overflow(until_ms, call.server.now_ms(), &until_ms)) {
    until_ms = std::numeric_limits<std::int64_t>::max();
  }
  // A pause can be made longer and stricter, not shorter and milder.
  auto& pause = call.server.pause;
  if (pause) {
    until_ms = std::max(until_ms, pause->until_ms);
    writes_only = writes_only && pause->writes_only;
  }
  pause = ServerState::Pause{.until_ms = until_ms, .writes_only = writes_only};
  return call.ok();
}

Reply client_unpause_command(Call& call) {
  if (call.server.pause) call.server.end_pause();
  return call.ok();
}

Reply client_unblock_command(Call& call) {
  bool with_error = false;
  if (call.argv.size() == 4) {
    with_error = is_word(call.argv[3], "error");
    if (!with_error && !is_word(call.argv[3], "timeout")) {
      return call.error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
    }
  }
  std::int64_t id = 0;
  if (!parse_int64(call.argv[2], id)) return call.not_an_integer();
  Connection* client =
      id < 1 || id > std::numeric_limits<std::uint32_t>::max()
          ? nullptr
          : call.server.connection(static_cast<ConnectionId>(static_cast<std::uint32_t>(id - 1)));
  if (client == nullptr || !(client->blocked || client->wait)) return call.integer(0);
  if (with_error) {
    call.server.deliver(client->id,
                        call.error("UNBLOCKED client unblocked via CLIENT UNBLOCK"));
    if (client->wait) {
      call.server.end_wait(*client);
    } else {
      call.server.unblock(*client);
    }
  } else {
    call.server.time_out(*client);
  }
  return call.integer(1);
}

}  // namespace locklapse::redis
