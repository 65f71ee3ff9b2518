#include <utility>

#include "sim/redis/commands.h"
#include "sim/redis/number.h"

namespace locklapse::redis {

Reply ping_command(Call& call) {
  if (call.argv.size() > 2) return call.wrong_arity();
  if (call.connection.subscribed && call.connection.resp == 2) {
    Reply pong = call.array();
    pong.append(call.bulk("pong"));
    pong.append(call.bulk(call.argv.size() == 1 ? std::string_view{} : call.argv[1]));
    return pong;
  }
  return call.argv.size() == 1 ? Reply::simple("PONG", call.memory()) : call.bulk(call.argv[1]);
}

Reply echo_command(Call& call) { return call.bulk(call.argv[1]); }

std::optional<Reply> parse_db(const Call& call, std::string_view text, int& db) {
  std::int64_t number = 0;
  if (!parse_int64(text, number)) return call.not_an_integer();
  if (!fits_int(number)) {
    return call.error("ERR value is out of range, value must between -2147483648 and 2147483647");
  }
  if (number < 0 || number >= kDatabases) return call.error("ERR DB index is out of range");
  db = static_cast<int>(number);
  return std::nullopt;
}

Reply select_command(Call& call) {
  int db = 0;
  if (auto error = parse_db(call, call.argv[1], db)) return std::move(*error);
  call.connection.db = db;
  return call.ok();
}

Reply time_command(Call& call) {
  const std::int64_t us = call.server.clock().us;
  Reply time = call.array();
  time.append(call.bulk(integer_text(us / 1'000'000).view()));
  time.append(call.bulk(integer_text(us % 1'000'000).view()));
  return time;
}

Reply quit_command(Call& call) {
  call.connection.closing = true;
  return call.ok();
}

Reply reset_command(Call& call) {
  call.server.forget_session(call.connection);
  call.connection.db = 0;
  call.connection.resp = 2;
  call.connection.name.clear();
  call.connection.replies = Connection::Replies::kOn;
  call.connection.authenticated = call.server.config.password.empty();
  return Reply::simple("RESET", call.memory());
}

}  // namespace locklapse::redis
