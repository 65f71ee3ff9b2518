// Commands per second of three servers: the model, a real redis-server with pipelined commands, and a real one
// behind the seam, as `--backend redis` drives it.
//
//   locklapse_server_bench model|redis|live
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "sim/live/error.h"
#include "sim/live/live_backend.h"
#include "sim/locks/scripts.h"
#include "sim/redis/lua_engine.h"
#include "sim/redis/resp.h"
#include "sim/redis/server.h"
#include "sim/redis/sha1.h"

namespace locklapse {
namespace {

constexpr int kPipelined = 50;

// Each lock is taken, read, and released.
std::vector<std::string> command(std::string_view what, int i) {
  const std::string key = fmt::format("lock:{}", i);
  const std::string token = fmt::format("token-{}", i);
  if (what == "set") return {"SET", key, token, "NX", "PX", "30000"};
  if (what == "get") return {"GET", key};
  static const redis::Sha1Hex sha = redis::sha1_hex(scripts::kCompareAndDelete.source);
  return {"EVALSHA", std::string(sha.view()), "1", key, token};
}

double per_second(int commands, std::chrono::steady_clock::time_point begin) {
  return commands / std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// `run` takes prepared commands in order; what preparing them costs is not measured.
template <typename Run>
std::string measure(int locks, Run&& run) {
  std::string out;
  for (const std::string_view what : {"set", "get", "release"}) {
    std::vector<std::vector<std::string>> commands;
    for (int i = 0; i < locks; ++i) commands.push_back(command(what, i));
    const auto begin = std::chrono::steady_clock::now();
    run(commands);
    out += fmt::format("{}\"{}\": {:.0f}", out.empty() ? "" : ", ", what, per_second(locks, begin));
  }
  return "{" + out + "}";
}

std::string measure_backend(redis::Backend& server, int locks) {
  const redis::ConnectionId client = server.connect();
  redis::Outbox outbox;
  const std::string_view load[] = {"SCRIPT", "LOAD", scripts::kCompareAndDelete.source};
  server.execute(client, load, kEpoch, outbox);
  return measure(locks, [&](const std::vector<std::vector<std::string>>& commands) {
    std::vector<std::string_view> argv;
    for (const auto& words : commands) {
      argv.assign(words.begin(), words.end());
      outbox.clear();
      server.execute(client, argv, kEpoch, outbox);
      if (outbox.size() != 1 || outbox[0].reply.is_error() || outbox[0].reply.is_null()) throw live::Error("refused");
    }
  });
}

std::string measure_pipelined(int locks) {
  live::RealServer server({.own_clock = false}, kEpoch);
  boost::asio::io_context io;
  live::Connection client(io, server.socket());
  client.call({"SCRIPT", "LOAD", scripts::kCompareAndDelete.source});
  return measure(locks, [&](const std::vector<std::vector<std::string>>& commands) {
    std::string bytes;
    std::vector<std::string_view> argv;
    for (std::size_t i = 0; i < commands.size(); i += kPipelined) {
      bytes.clear();
      const std::size_t end = std::min(commands.size(), i + kPipelined);
      for (std::size_t at = i; at < end; ++at) {
        argv.assign(commands[at].begin(), commands[at].end());
        redis::append_command(argv, bytes);
      }
      client.send(bytes);
      for (std::size_t at = i; at < end; ++at) {
        if (client.receive().starts_with('-')) throw live::Error("refused");
      }
    }
  });
}

int run(std::string_view side) {
  if (side == "model") {
    redis::LuaEngine engine;
    std::pmr::unsynchronized_pool_resource memory;
    redis::Server server(memory, engine, {}, nullptr);
    fmt::print("{}\n", measure_backend(server, 200'000));
  } else if (side == "redis") {
    fmt::print("{}\n", measure_pipelined(200'000));
  } else if (side == "live") {
    live::LiveServers servers;
    const auto server = live::make_live_backend(servers, {}, nullptr);
    fmt::print("{}\n", measure_backend(*server, 10'000));
  } else {
    fmt::print(stderr, "usage: locklapse_server_bench model|redis|live\n");
    return 64;
  }
  return 0;
}

}  // namespace
}  // namespace locklapse

int main(int argc, char** argv) {
  try {
    return locklapse::run(argc > 1 ? argv[1] : "");
  } catch (const locklapse::live::NotRunnable& error) {
    fmt::print("{{\"not_run\": \"{}\"}}\n", error.what());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "locklapse_server_bench: {}\n", error.what());
    return 70;
  }
}
