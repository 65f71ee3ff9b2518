// A history read once: what every oracle needs of it, derived a single time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/history/history.h"
#include "sim/history/holds.h"
#include "sim/history/tenures.h"

namespace locklapse {

struct Reading {
  explicit Reading(const History& h);

  const Event& event(std::size_t index) const { return history.events[index]; }
  std::string name(ClientId client) const { return std::string(history.client_name(client)); }
  const ClientInfo& info(ClientId client) const { return history.cast.clients[client]; }

  // The command that a key event was part of, as its line shows it; empty for the server's own doing.
  const Event* sent(const Event& key_event) const;
  std::string command_line(const Event& key_event) const;
  // In lower case: "del", "eval", ...
  std::string_view command_name(const Event& key_event) const;
  // What befell one command.
  struct CommandFacts {
    std::size_t sent = kNoEvent;    // event index
    std::uint32_t runs = 0;         // more than one: resent by the client library, or duplicated on the way
    bool unanswered = false;        // some message of it was lost, late or not waited for
    bool delayed = false;
  };
  static constexpr std::size_t kNoEvent = static_cast<std::size_t>(-1);
  const CommandFacts& facts(const Event& event) const { return commands[event.command]; }

  const Tenure* tenure_of(const Hold& hold) const {
    return hold.locked ? find_tenure(tenures, hold.client, hold.attempt) : nullptr;
  }
  // How long the client's process was paused (or its thread stalled) between two instants.
  Duration stopped(ClientId client, Time from, Time to, bool with_stalls) const;
  // By how much the node's clock was stepped between two instants.
  Duration clock_steps(PlaceId node, Time from, Time to) const;
  // Whether the node's clock ran at a rate of its own at some time before `to`.
  bool clock_drifted(PlaceId node, Time to) const;

  const History& history;
  std::vector<Hold> holds;
  std::vector<Tenure> tenures;
  std::vector<CommandFacts> commands;   // by command number; 0 is no command
};

}  // namespace locklapse
