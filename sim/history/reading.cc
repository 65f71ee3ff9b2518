#include "sim/history/reading.h"

#include <algorithm>

namespace locklapse {

Reading::Reading(const History& h)
    : history(h), attempts(h), holds(find_holds(h, attempts)), tenures(find_tenures(h, attempts)),
      commands(1), hold_of_try_(attempts.size(), kNoEvent), tenure_of_try_(attempts.size(), kNoEvent) {
  for (std::size_t i = 0; i < history.events.size(); ++i) note(static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < holds.size(); ++i) {
    hold_of_try_[attempts.slot(holds[i].client, holds[i].attempt)] = i;
  }
  for (std::size_t i = 0; i < tenures.size(); ++i) {
    const std::size_t slot = attempts.slot(tenures[i].client, tenures[i].attempt);
    if (slot != AttemptIndex::kNoSlot && tenure_of_try_[slot] == kNoEvent) tenure_of_try_[slot] = i;
  }
}

void Reading::note(std::uint32_t index) {
  const Event& event = history.events[index];
  switch (event.kind) {
    case EventKind::kPaused:
    case EventKind::kCrashed:
    case EventKind::kClockStepped:
    case EventKind::kClockDrifted: faults.push_back(index); return;
    default: break;
  }
  // Every command has at least its sending in the history, so numbers beyond that are not ours to index.
  if (event.command == 0 || event.command > history.events.size()) return;
  if (event.command >= commands.size()) commands.resize(event.command + std::size_t{1});
  CommandFacts& command = commands[event.command];
  switch (event.kind) {
    case EventKind::kSent: command.sent = index; break;
    case EventKind::kExecuted: ++command.runs; break;
    case EventKind::kDelayed: command.delayed = command.unanswered = true; break;
    case EventKind::kDropped:
    case EventKind::kTimedOut: command.unanswered = true; break;
    default: break;
  }
}

const Hold* Reading::hold_of(ClientId client, std::uint32_t attempt) const {
  const std::size_t slot = attempts.slot(client, attempt);
  if (slot == AttemptIndex::kNoSlot || hold_of_try_[slot] == kNoEvent) return nullptr;
  return &holds[hold_of_try_[slot]];
}

const Tenure* Reading::tenure_of(ClientId client, std::uint32_t attempt) const {
  const std::size_t slot = attempts.slot(client, attempt);
  if (slot == AttemptIndex::kNoSlot || tenure_of_try_[slot] == kNoEvent) return nullptr;
  return &tenures[tenure_of_try_[slot]];
}

const Event* Reading::sent(const Event& event) const {
  const std::size_t index = facts(event).sent;
  return index == kNoEvent ? nullptr : &history.events[index];
}

std::string Reading::command_line(const Event& event) const {
  const Event* command = sent(event);
  return command == nullptr ? std::string() : std::string(command->text);
}

std::string_view Reading::command_name(const Event& event) const {
  const Event* command = sent(event);
  return command == nullptr ? std::string_view() : command->detail;
}

Duration Reading::paused(ClientId client, Time from, Time to) const {
  Duration total{};
  for (const std::uint32_t index : faults) {
    const Event& fault = event(index);
    if (fault.kind != EventKind::kPaused || fault.place != info(client).process) continue;
    const Time begin = std::max(fault.at, from);
    const Time end = std::min(fault.at + nanoseconds(fault.number), to);
    if (begin < end) total = total + (end - begin);
  }
  return total;
}

Duration Reading::clock_steps(PlaceId node, Time from, Time to) const {
  Duration total{};
  for (const std::uint32_t index : faults) {
    const Event& fault = event(index);
    if (fault.kind == EventKind::kClockStepped && fault.at >= from && fault.at <= to &&
        history.cast.hosts[fault.place] == history.cast.nodes[node]) {
      total = total + nanoseconds(fault.number);
    }
  }
  return total;
}

bool Reading::clock_drifted(PlaceId node, Time to) const {
  return std::any_of(faults.begin(), faults.end(), [&](std::uint32_t index) {
    const Event& fault = event(index);
    return fault.kind == EventKind::kClockDrifted && fault.number != 0 && fault.at <= to &&
           history.cast.hosts[fault.place] == history.cast.nodes[node];
  });
}

std::optional<Time> Reading::crash_after(ClientId client, Time from) const {
  for (const std::uint32_t index : faults) {
    const Event& fault = event(index);
    if (fault.kind == EventKind::kCrashed && fault.place == info(client).process && fault.at >= from) {
      return fault.at;
    }
  }
  return std::nullopt;
}

}  // namespace locklapse
