#include "sim/history/reading.h"

#include <algorithm>

namespace locklapse {

Reading::Reading(const History& h) : history(h), holds(find_holds(h)), tenures(find_tenures(h)) {
  commands.resize(1);
  for (std::size_t i = 0; i < history.events.size(); ++i) {
    const Event& event = history.events[i];
    if (event.command == 0) continue;
    if (event.command >= commands.size()) commands.resize(event.command + std::size_t{1});
    CommandFacts& command = commands[event.command];
    switch (event.kind) {
      case EventKind::kSent: command.sent = i; break;
      case EventKind::kExecuted: ++command.runs; break;
      case EventKind::kDelayed: command.delayed = command.unanswered = true; break;
      case EventKind::kDropped:
      case EventKind::kTimedOut: command.unanswered = true; break;
      default: break;
    }
  }
}

const Event* Reading::sent(const Event& key_event) const {
  const std::size_t index = facts(key_event).sent;
  return index == kNoEvent ? nullptr : &history.events[index];
}

std::string Reading::command_line(const Event& key_event) const {
  const Event* command = sent(key_event);
  return command == nullptr ? std::string() : std::string(command->text);
}

std::string_view Reading::command_name(const Event& key_event) const {
  const Event* command = sent(key_event);
  return command == nullptr ? std::string_view() : command->detail;
}

Duration Reading::stopped(ClientId client, Time from, Time to, bool with_stalls) const {
  const PlaceId process = info(client).process;
  Duration total{};
  for (const Event& event : history.events) {
    const bool pause = event.kind == EventKind::kPaused && event.place == process;
    const bool stall = with_stalls && event.kind == EventKind::kStalled && event.client == client;
    if (!pause && !stall) continue;
    const Time begin = std::max(event.at, from);
    const Time end = std::min(event.at + nanoseconds(event.number), to);
    if (begin < end) total = total + (end - begin);
  }
  return total;
}

Duration Reading::clock_steps(PlaceId node, Time from, Time to) const {
  const std::string_view host = history.cast.nodes[node];
  Duration total{};
  for (const Event& event : history.events) {
    if (event.kind == EventKind::kClockStepped && history.cast.hosts[event.place] == host &&
        event.at >= from && event.at <= to) {
      total = total + nanoseconds(event.number);
    }
  }
  return total;
}

bool Reading::clock_drifted(PlaceId node, Time to) const {
  const std::string_view host = history.cast.nodes[node];
  return std::any_of(history.events.begin(), history.events.end(), [&](const Event& event) {
    return event.kind == EventKind::kClockDrifted && history.cast.hosts[event.place] == host &&
           event.at <= to && event.number != 0;
  });
}

}  // namespace locklapse
