// A history read once: what every oracle needs of it, derived a single time and found without searching.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/history/attempts.h"
#include "sim/history/history.h"
#include "sim/history/holds.h"
#include "sim/history/tenures.h"

namespace locklapse {

struct Reading {
  explicit Reading(const History& h);
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  const Event& event(std::size_t index) const { return history.events[index]; }
  std::string name(ClientId client) const { return std::string(history.client_name(client)); }
  const ClientInfo& info(ClientId client) const { return history.cast.clients[client]; }

  // Indices of a try's events.
  std::span<const std::uint32_t> events_of(ClientId client, std::uint32_t attempt) const {
    return attempts.events(attempts.slot(client, attempt));
  }
  // The hold that began with this try, or null.
  const Hold* hold_of(ClientId client, std::uint32_t attempt) const;
  // The first tenure of this acquisition, or null.
  const Tenure* tenure_of(ClientId client, std::uint32_t attempt) const;
  const Tenure* tenure_of(const Hold& hold) const {
    return hold.locked ? tenure_of(hold.client, hold.attempt) : nullptr;
  }

  // The command that an event is part of, as its line shows it; empty for the server's own doing.
  const Event* sent(const Event& event) const;
  std::string command_line(const Event& event) const;
  // In lower case: "del", "eval", ...
  std::string_view command_name(const Event& event) const;
  // What befell one command.
  struct CommandFacts {
    std::size_t sent = kNoEvent;    // event index
    std::uint32_t runs = 0;         // more than one: resent by the client library, or duplicated on the way
    bool unanswered = false;        // some message of it was lost, late or not waited for
    bool delayed = false;
  };
  static constexpr std::size_t kNoEvent = static_cast<std::size_t>(-1);
  const CommandFacts& facts(const Event& event) const {
    return commands[event.command < commands.size() ? event.command : 0];
  }

  // How long the client's process was paused between two instants.
  Duration paused(ClientId client, Time from, Time to) const;
  // By how much the node's clock was stepped between two instants.
  Duration clock_steps(PlaceId node, Time from, Time to) const;
  // Whether the node's clock ran at a rate of its own at some time before `to`.
  bool clock_drifted(PlaceId node, Time to) const;
  // When the client's process crashed first from `from` on.
  std::optional<Time> crash_after(ClientId client, Time from) const;

  const History& history;
  AttemptIndex attempts;
  std::vector<Hold> holds;
  std::vector<Tenure> tenures;
  std::vector<CommandFacts> commands;   // by command number; 0 is no command
  std::vector<std::uint32_t> faults;    // indices of pauses, crashes and changes of clocks

 private:
  void note(std::uint32_t index);

  std::vector<std::size_t> hold_of_try_, tenure_of_try_;   // by slot
};

}  // namespace locklapse
