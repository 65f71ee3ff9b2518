#include <algorithm>
#include <utility>

#include "sim/redis/commands.h"
#include "sim/redis/number.h"

namespace locklapse::redis {

namespace {

// The first line of a script may name the engine and what the script will not do: "#!lua
// flags=no-writes".
struct Shebang {
  std::size_t bytes = 0;  // 0: there is none
  bool read_only = false;
  bool allows_oom = false;
};

std::string_view next_word(std::string_view& line) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  const std::size_t start = line.find_first_not_of(kBlanks);
  if (start == std::string_view::npos) return line = {};
  const std::size_t end = std::min(line.find_first_of(kBlanks, start), line.size());
  const std::string_view word = line.substr(start, end - start);
  line.remove_prefix(end);
  return word;
}

Reply shebang_error(const Call& call, std::string_view what, std::string_view word) {
  std::pmr::string text("ERR ", call.memory());
  text.append(what);
  text.append(word);
  tidy_error(text);
  return call.error(text);
}

std::optional<Reply> parse_flags(const Call& call, std::string_view flags, Shebang& shebang) {
  while (true) {
    const std::size_t comma = flags.find(',');
    const std::string_view flag = flags.substr(0, comma);
    if (flag == "no-writes") {
      shebang.read_only = true;
    } else if (flag == "allow-oom") {
      shebang.allows_oom = true;
    } else if (flag != "allow-stale" && flag != "no-cluster" && flag != "allow-cross-slot-keys") {
      return shebang_error(call, "Unexpected flag in script shebang: ", flag);
    }
    if (comma == std::string_view::npos) return std::nullopt;
    flags.remove_prefix(comma + 1);
  }
}

std::optional<Reply> parse_shebang(const Call& call, std::string_view source, Shebang& shebang) {
  if (!source.starts_with("#!")) return std::nullopt;
  const std::size_t end = source.find('\n');
  if (end == std::string_view::npos) return call.error("ERR Invalid script shebang");
  shebang.bytes = end;
  std::string_view line = source.substr(0, end);
  const std::string_view engine = next_word(line);
  if (engine != "#!lua") {
    return shebang_error(call, "Unexpected engine in script shebang: ", engine);
  }
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    if (!word.starts_with("flags=")) {
      return shebang_error(call, "Unknown lua shebang option: ", word);
    }
    if (auto error = parse_flags(call, word.substr(6), shebang)) return error;
  }
  return std::nullopt;
}

// Lua numbers its lines from the shebang on: it loses its bytes but keeps its line end.
std::string_view lua_source(const KnownScript& script) {
  return std::string_view(script.source).substr(script.shebang_bytes);
}

// Makes a script known, or says why it cannot be.
std::optional<Reply> learn(Call& call, std::string_view source, Scripts::iterator& script) {
  ServerState& server = call.server;
  if (const auto known = server.scripts_by_source.find(source);
      known != server.scripts_by_source.end()) {
    script = known->second;
    return std::nullopt;
  }
  const Sha1Hex sha = sha1_hex(source);

  Shebang shebang;
  if (auto error = parse_shebang(call, source, shebang)) return error;
  Reply problem = server.engine.check(source.substr(shebang.bytes), sha.view(), server.memory);
  if (problem.is_error()) return problem;
  script = server.scripts
               .emplace(sha.view(), KnownScript{.source = std::pmr::string(source, call.memory()),
                                                .read_only = shebang.read_only,
                                                .has_flags = shebang.bytes > 0,
                                                .allows_oom = shebang.allows_oom,
                                                .shebang_bytes = shebang.bytes})
               .first;
  server.scripts_by_source.emplace(script->second.source, script);
  return std::nullopt;
}

// What redis.call reaches: a connection of its own, so that SELECT in a script stays in the script.
class RunningScript final : public ScriptHost {
 public:
  RunningScript(Call& call, const KnownScript& script, bool read_only)
      : server_(call.server),
        client_(call.connection.id, call.memory()),
        read_only_(read_only),
        allows_oom_(script.allows_oom) {
    client_.db = call.connection.db;
    client_.may_block = false;
    client_.in_script = true;
    client_resp_ = call.connection.resp;
    server_.work = 0;
  }

  Reply call_from_script(Argv argv) override {
    const Dialect dialect = server_.config.dialect;
    const CommandSpec* spec = find_command(argv[0], dialect);
    if (spec != nullptr && (spec->flags & kContainer) != 0 && argv.size() > 1) {
      spec = find_subcommand(*spec, argv[1], dialect);
    }
    const bool valkey = is_valkey(dialect);
    if (spec == nullptr) {
      return refuse(valkey ? "ERR Unknown command called from script"
                           : "ERR Unknown Redis command called from script");
    }
    if (!spec->accepts(argv.size())) {
      return refuse(valkey ? "ERR Wrong number of args calling command from script"
                           : "ERR Wrong number of args calling Redis command from script");
    }
    if (is_forbidden(*spec)) {
      return refuse(valkey ? "ERR This command is not allowed from script"
                           : "ERR This Redis command is not allowed from script");
    }
    if (read_only_ && (spec->flags & (kWrites | kReplicates)) != 0) {
      return refuse("ERR Write commands are not allowed from read-only scripts.");
    }
    for (const std::string_view word : argv) {
      if (word.size() > static_cast<std::size_t>(server_.config.value_bytes_max)) {
        return refuse("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
      }
    }
    if (const auto text = refuse_write(*spec)) return refuse(*text);
    Call call{server_, client_, argv, *spec};
    return server_.perform(call);
  }

  bool knows_command(Argv argv) const override {
    const Dialect dialect = server_.config.dialect;
    const CommandSpec* spec = find_command(argv[0], dialect);
    if (spec != nullptr && (spec->flags & kContainer) != 0 && argv.size() > 1) {
      spec = find_subcommand(*spec, argv[1], dialect);
    }
    return spec != nullptr;
  }
  Dialect dialect() const override { return server_.config.dialect; }
  void speak_resp(int version) override { client_.resp = version; }
  int client_resp() const override { return client_resp_; }
  std::int64_t work_done() const override { return server_.work; }

 private:
  Reply refuse(std::string_view text) { return Reply::error(text, &server_.memory); }

  bool is_forbidden(const CommandSpec& spec) const {
    if (spec.run == blpop_command || spec.run == wait_command) {
      return !allows_blocking_commands_in_scripts(server_.config.dialect);
    }
    return (spec.flags & kNotInScript) != 0;
  }

  // A script that has begun to write is not stopped half-way.
  std::optional<std::string_view> refuse_write(const CommandSpec& spec) {
    if ((spec.flags & kWrites) == 0) return std::nullopt;
    if (!has_written_) {
      if (const auto text = server_.refuse_unsaved_write()) return text;
      if (const auto text = server_.replication.refuse_write()) return text;
      if (server_.account.limited() && server_.out_of_memory && !allows_oom_ &&
          (spec.flags & kTakesMemory) != 0) {
        return kOutOfMemory;
      }
    }
    has_written_ = true;
    return std::nullopt;
  }

  ServerState& server_;
  Connection client_;
  int client_resp_;
  bool read_only_;
  bool allows_oom_;
  bool has_written_ = false;
};

// REQUIRES: the number of keys has been checked.
Reply run_script(Call& call, const Scripts::value_type& script, std::size_t keys, bool read_only) {
  RunningScript host(call, script.second, read_only || script.second.read_only);
  return call.server.engine.run(lua_source(script.second), script.first, call.argv.subspan(3, keys),
                                call.argv.subspan(3 + keys), host, call.server.memory);
}

std::optional<Reply> parse_key_count(const Call& call, std::size_t& keys) {
  std::int64_t count = 0;
  if (!parse_int64(call.argv[2], count)) return call.not_an_integer();
  if (count > static_cast<std::int64_t>(call.argv.size()) - 3) {
    return call.error("ERR Number of keys can't be greater than number of args");
  }
  if (count < 0) return call.error("ERR Number of keys can't be negative");
  keys = static_cast<std::size_t>(count);
  return std::nullopt;
}

Reply no_script(const Call& call) {
  return call.error(is_valkey(call.server.config.dialect)
                        ? "NOSCRIPT No matching script."
                        : "NOSCRIPT No matching script. Please use EVAL.");
}

Sha1Hex lower_case(std::string_view sha) {
  Sha1Hex lower;
  for (std::size_t i = 0; i < lower.digits.size(); ++i) lower.digits[i] = to_lower(sha[i]);
  return lower;
}

// A script that may write cannot be run by a command that must not.
std::optional<Reply> refuse_flags(const Call& call, const KnownScript& script, bool read_only) {
  if (!read_only || !script.has_flags || script.read_only) return std::nullopt;
  return call.error("ERR Can not execute a script with write flag using *_ro command.");
}

Reply eval(Call& call, bool read_only) {
  std::size_t keys = 0;
  if (auto error = parse_key_count(call, keys)) return std::move(*error);
  Scripts::iterator script;
  if (auto error = learn(call, call.argv[1], script)) return std::move(*error);
  if (auto error = refuse_flags(call, script->second, read_only)) return std::move(*error);
  return run_script(call, *script, keys, read_only);
}

Reply evalsha(Call& call, bool read_only) {
  const std::string_view sha = call.argv[1];
  if (sha.size() != 40) return no_script(call);
  std::size_t keys = 0;
  if (auto error = parse_key_count(call, keys)) return std::move(*error);
  const auto script = call.server.scripts.find(lower_case(sha).view());
  if (script == call.server.scripts.end()) return no_script(call);
  if (auto error = refuse_flags(call, script->second, read_only)) return std::move(*error);
  return run_script(call, *script, keys, read_only);
}

}  // namespace

std::uint32_t declared_flags(const ServerState& server, const CommandSpec& spec, Argv argv) {
  const auto flags_of = [](bool read_only, bool allows_oom) -> std::uint32_t {
    if (read_only) return kReadOnly;
    return allows_oom ? kWrites : kWrites | kTakesMemory;
  };
  const std::string_view script = argv[1];
  if (spec.run == eval_command || spec.run == eval_ro_command) {
    if (!script.starts_with("#!")) return 0;
    // A script that is known by its text need not be read again.
    if (const auto known = server.scripts_by_source.find(script);
        known != server.scripts_by_source.end()) {
      const KnownScript& found = known->second->second;
      return flags_of(found.read_only, found.allows_oom);
    }
    const std::string_view line = script.substr(0, script.find('\n'));
    return flags_of(line.find("no-writes") != std::string_view::npos,
                    line.find("allow-oom") != std::string_view::npos);
  }
  if (script.size() != 40) return 0;
  const auto known = server.scripts.find(lower_case(script).view());
  if (known == server.scripts.end() || !known->second.has_flags) return 0;
  return flags_of(known->second.read_only, known->second.allows_oom);
}

Reply eval_command(Call& call) { return eval(call, false); }
Reply eval_ro_command(Call& call) { return eval(call, true); }
Reply evalsha_command(Call& call) { return evalsha(call, false); }
Reply evalsha_ro_command(Call& call) { return evalsha(call, true); }

Reply script_load_command(Call& call) {
  Scripts::iterator script;
  if (auto error = learn(call, call.argv[2], script)) return std::move(*error);
  return call.bulk(script->first);
}

Reply script_exists_command(Call& call) {
  Reply known = call.array();
  for (const std::string_view sha : call.argv.subspan(2)) {
    const bool found = sha.size() == 40 && call.server.scripts.find(lower_case(sha).view()) !=
                                               call.server.scripts.end();
    known.append(call.integer(found ? 1 : 0));
  }
  return known;
}

Reply script_flush_command(Call& call) {
  const bool plain = call.argv.size() == 2;
  if (!plain && (call.argv.size() != 3 ||
                 !(is_word(call.argv[2], "sync") || is_word(call.argv[2], "async")))) {
    return call.error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
  }
  call.server.scripts_by_source.clear();
  call.server.scripts.clear();
  return call.ok();
}

Reply script_kill_command(Call& call) {
  switch (call.server.busy_script) {
    case BusyScript::kNone:
      return call.error("NOTBUSY No scripts in execution right now.");
    case BusyScript::kHasWritten:
      return call.error(
          "UNKILLABLE Sorry the script already executed write commands against the dataset. You can "
          "either wait the script termination or kill the server in a hard way using the SHUTDOWN "
          "NOSAVE command.");
    case BusyScript::kReadOnly:
      break;
  }
  call.server.script_killed = true;
  return call.ok();
}

}  // namespace locklapse::redis
