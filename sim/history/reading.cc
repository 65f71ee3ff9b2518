#include "sim/history/reading.h"

#include <algorithm>

namespace locklapse {

const Event* Reading::sent(const Event& key_event) const {
  if (key_event.command == 0) return nullptr;
  for (const Event& event : history.events) {
    if (event.kind == EventKind::kSent && event.command == key_event.command) return &event;
  }
  return nullptr;
}

std::string Reading::command_line(const Event& key_event) const {
  const Event* command = sent(key_event);
  return command == nullptr ? std::string() : std::string(command->text);
}

std::string_view Reading::command_name(const Event& key_event) const {
  const Event* command = sent(key_event);
  return command == nullptr ? std::string_view() : command->detail;
}

bool Reading::has(EventKind kind, std::uint32_t command) const {
  const auto& events = history.events;
  return command != 0 && std::any_of(events.begin(), events.end(), [&](const Event& event) {
           return event.kind == kind && event.command == command;
         });
}

bool Reading::ran_twice(std::uint32_t command) const {
  int runs = 0;
  for (const Event& event : history.events) {
    runs += command != 0 && event.kind == EventKind::kExecuted && event.command == command ? 1 : 0;
  }
  return runs > 1;
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
