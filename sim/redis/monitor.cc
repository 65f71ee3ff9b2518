// MONITOR: every command that runs, as a line to whoever listens.
#include "sim/redis/commands.h"

namespace locklapse::redis {

namespace {

void append_escaped(std::string_view word, std::pmr::string& line) {
  constexpr char kHex[] = "0123456789abcdef";
  constexpr std::string_view kBytes = "\\\"\n\r\t\a\b";
  constexpr std::string_view kNames = "\\\"nrtab";
  line.push_back('"');
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (const std::size_t known = kBytes.find(c); known != std::string_view::npos) {
      line.push_back('\\');
      line.push_back(kNames[known]);
    } else if (byte < 0x20 || byte >= 0x7f) {
      line.append("\\x");
      line.push_back(kHex[byte >> 4]);
      line.push_back(kHex[byte & 15]);
    } else {
      line.push_back(c);
    }
  }
  line.push_back('"');
}

// Passwords are not shown.
bool is_secret(const CommandSpec& spec, Argv argv, std::size_t i) {
  if (spec.run == auth_command) return i > 0;
  if (spec.run != hello_command || i < 3) return false;
  return is_word(argv[i - 1], "auth") || (i > 3 && is_word(argv[i - 2], "auth"));
}

void append_stamp(WallTime now, std::pmr::string& line) {
  const std::int64_t fraction = now.us % 1'000'000;
  line.append(integer_text(now.us / 1'000'000).view());
  line.push_back('.');
  const auto digits = integer_text(fraction < 0 ? -fraction : fraction);
  line.append(6 - digits.view().size(), '0');
  line.append(digits.view());
}

}  // namespace

void ServerState::feed_monitors(const Connection& connection, const CommandSpec& spec, Argv argv) {
  std::pmr::string line(&memory);
  append_stamp(clock(), line);
  line.append(" [");
  line.append(integer_text(connection.db).view());
  line.push_back(' ');
  line.append(connection.in_script ? std::string_view("lua") : std::string_view(connection.address));
  line.push_back(']');
  for (std::size_t i = 0; i < argv.size(); ++i) {
    line.push_back(' ');
    append_escaped(is_secret(spec, argv, i) ? "(redacted)" : argv[i], line);
  }
  for (const ConnectionId id : monitors) deliver(id, Reply::simple(line, &memory), true);
}

Reply monitor_command(Call& call) {
  if (!call.connection.may_block) return call.error("ERR MONITOR isn't allowed for DENY BLOCKING client");
  if (!call.connection.monitors) {
    call.connection.monitors = true;
    call.server.monitors.push_back(call.connection.id);
  }
  return call.ok();
}

}  // namespace locklapse::redis
