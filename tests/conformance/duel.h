// Plays a sequence on the model and on a real redis-server, both at the same instants, and compares every byte
// that they answer.
//
// Replies are compared in order for each connection. Where a real server promises no order (KEYS, large hashes,
// several messages of one PUBLISH) they are compared as sets.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/live/connection.h"
#include "sim/live/real_server.h"
#include "sim/redis/lua_engine.h"
#include "sim/redis/server.h"
#include "tests/conformance/step.h"

namespace locklapse::conformance {

struct Difference {
  std::size_t step;                    // what brought it about
  int connection;                      // who was answered differently
  std::vector<std::string> model;      // the messages of each, as sent
  std::vector<std::string> real;
};

class Duel {
 public:
  // Clients speak RESP2 or RESP3. Throws live::Error where no real server can be started.
  explicit Duel(int protocol = 2);

  // From an empty server at kEpoch; stops at the first difference.
  std::optional<Difference> play(std::span<const Step> sequence);
  // Commands played since construction.
  std::uint64_t commands() const { return commands_; }

 private:
  struct Play;

  live::Connection& real_connection(int index);
  void reset_real();
  // Afterwards the real server has done all that it was sent, and has timed out what is due.
  void fence();
  // Plays commands that follow each other on one connection; returns the step after them.
  std::size_t play_burst(Play& play, std::span<const Step> sequence, std::size_t begin);
  std::optional<Difference> compare(Play& play, int connection, std::span<const Step> sequence);
  std::optional<Difference> compare_all(Play& play, std::span<const Step> sequence);
  std::optional<Difference> find_surplus(std::size_t step);

  const int protocol_;
  boost::asio::io_context io_;
  live::RealServer server_;
  live::Connection admin_;
  std::vector<std::unique_ptr<live::Connection>> connections_;
  redis::LuaEngine engine_;
  std::uint64_t commands_ = 0;
};

}  // namespace locklapse::conformance
