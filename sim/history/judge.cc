#include "sim/history/judge.h"

#include <algorithm>
#include <string>

#include "sim/history/oracles.h"

namespace locklapse {

namespace {

bool any(const History& history, EventKind kind) {
  return std::any_of(history.events.begin(), history.events.end(),
                     [kind](const Event& event) { return event.kind == kind; });
}

// The first fault of the scenario that never took effect, or none.
std::optional<std::size_t> unfired_fault(const History& history) {
  for (std::size_t i = 0; i < history.cast.faults.size(); ++i) {
    const bool fired = std::any_of(history.events.begin(), history.events.end(), [i](const Event& event) {
      return event.kind == EventKind::kFaultFired && event.number == static_cast<std::int64_t>(i);
    });
    if (!fired) return i;
  }
  return std::nullopt;
}

bool stuck_for_ever(const Verdict& verdict) {
  return std::any_of(verdict.stuck.begin(), verdict.stuck.end(),
                     [](const StuckLock& stuck) { return !stuck.to; });
}

void decide(const History& history, Verdict& verdict) {
  if (!verdict.overlaps.empty() || !verdict.unowned.empty() || !verdict.damage.empty() ||
      stuck_for_ever(verdict)) {
    verdict.outcome = Outcome::kViolated;
  } else if (!history.complete) {
    verdict.outcome = Outcome::kUnknown;
    verdict.outcome_reason = "a limit on events, steps or memory cut the run short";
  } else if (const auto fault = unfired_fault(history)) {
    verdict.outcome = Outcome::kNotExercised;
    verdict.outcome_reason =
        "this fault never took effect: " + std::string(history.cast.faults[*fault]);
  } else if (!any(history, EventKind::kEntered)) {
    verdict.outcome = Outcome::kNotExercised;
    verdict.outcome_reason = "nobody ever got the lock";
  }
}

}  // namespace

Verdict judge(const History& history) {
  const Reading reading(history);
  Verdict verdict;
  verdict.overlaps = find_overlaps(reading);
  verdict.unowned = find_unowned(reading);
  verdict.stuck = find_stuck(reading);
  verdict.damage = find_damage(reading);
  verdict.told = find_told(reading);
  verdict.clients = summarise_clients(reading);
  verdict.counters = count(reading, verdict.clients);
  decide(history, verdict);
  return verdict;
}

}  // namespace locklapse
