// DEBUG, SLOWLOG.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "sim/redis/commands.h"

namespace locklapse::redis {

namespace {

Reply debug_error(const Call& call) {
  std::pmr::string text("ERR unknown subcommand or wrong number of arguments for '", call.memory());
  text.append(until_nul(call.argv[1]).substr(0, 128));
  text.append("'. Try DEBUG HELP.");
  tidy_error(text);
  return call.error(text);
}

// As strtod: what is no number is none at all.
double seconds_of(std::string_view text) {
  double seconds = 0;
  for (std::size_t size = std::min<std::size_t>(text.size(), 32); size > 0; --size) {
    if (parse_double(text.substr(0, size), seconds)) return seconds;
  }
  return 0;
}

// Nobody sleeps longer than this.
constexpr double kSleepSecondsMax = 1e9;

}  // namespace

Reply debug_command(Call& call) {
  const Argv argv = call.argv;
  if (argv.size() == 3 && is_word(argv[1], "sleep")) {
    const double seconds = seconds_of(argv[2]);
    if (seconds > 0 && seconds <= kSleepSecondsMax) {
      call.server.busy_ms += std::llround(seconds * 1000);
    }
    return call.ok();
  }
  if (argv.size() == 3 && is_word(argv[1], "set-active-expire")) {
    call.server.config.active_expire = std::atoi(std::pmr::string(argv[2], call.memory()).c_str()) != 0;
    return call.ok();
  }
  return debug_error(call);
}

Reply save_command(Call& call) {
  if (call.server.save_failing) return call.error("ERR");
  call.server.persistence.save();
  return call.ok();
}

// In the background of a model nothing takes time.
Reply bgsave_command(Call& call) {
  const bool plain = call.argv.size() == 1;
  if (!plain && !(call.argv.size() == 2 && is_word(call.argv[1], "schedule"))) {
    return call.syntax_error();
  }
  if (!call.server.save_failing) call.server.persistence.save();
  return Reply::simple("Background saving started", call.memory());
}

Reply slowlog_get_command(Call& call) {
  std::int64_t count = 10;
  if (call.argv.size() > 3) return call.syntax_error();
  if (call.argv.size() == 3 && (!parse_int64(call.argv[2], count) || count < -1)) {
    return call.error("ERR count should be greater than or equal to -1");
  }
  Reply entries = call.array();
  for (const SlowCommand& slow : call.server.slow_log.entries()) {
    if (count-- == 0) break;
    Reply entry = call.array();
    entry.append(call.integer(slow.id));
    entry.append(call.integer(slow.at_s));
    entry.append(call.integer(slow.took_us));
    Reply words = call.array();
    for (const auto& word : slow.words) words.append(call.bulk(word));
    entry.append(std::move(words));
    entry.append(call.bulk(slow.address));
    entry.append(call.bulk(slow.client_name));
    entries.append(std::move(entry));
  }
  return entries;
}

Reply slowlog_len_command(Call& call) {
  return call.count(call.server.slow_log.entries().size());
}

Reply slowlog_reset_command(Call& call) {
  call.server.slow_log.clear();
  return call.ok();
}

}  // namespace locklapse::redis
