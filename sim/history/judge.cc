#include "sim/history/judge.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sim/history/oracles.h"

namespace locklapse {

namespace {

// The first fault of the scenario that never took effect, or none.
std::optional<std::size_t> unfired_fault(const History& history) {
  std::vector<bool> fired(history.cast.faults.size(), false);
  for (const Event& event : history.events) {
    if (event.kind != EventKind::kFaultFired || event.number < 0) continue;
    const auto index = static_cast<std::size_t>(event.number);
    if (index < fired.size()) fired[index] = true;
  }
  const auto unfired = std::find(fired.begin(), fired.end(), false);
  if (unfired == fired.end()) return std::nullopt;
  return static_cast<std::size_t>(unfired - fired.begin());
}

bool stuck_for_ever(const Verdict& verdict) {
  return std::any_of(verdict.stuck.begin(), verdict.stuck.end(),
                     [](const StuckLock& stuck) { return !stuck.to; });
}

void decide(const Reading& reading, Verdict& verdict) {
  const History& history = reading.history;
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
  } else if (reading.holds.empty()) {
    verdict.outcome = Outcome::kNotExercised;
    verdict.outcome_reason = "nobody ever got the lock";
  }
}

template <typename Finding>
void cut(std::vector<Finding>& findings, std::uint64_t& left_out) {
  if (findings.size() <= kFindingsMax) return;
  left_out += findings.size() - kFindingsMax;
  findings.resize(kFindingsMax);
}

}  // namespace

Verdict judge(const History& history) {
  const Reading reading(history);
  Verdict verdict;
  verdict.overlaps = find_overlaps(reading, verdict.left_out);
  verdict.unowned = find_unowned(reading);
  verdict.stuck = find_stuck(reading);
  verdict.damage = find_damage(reading);
  cut(verdict.unowned, verdict.left_out);
  cut(verdict.stuck, verdict.left_out);
  cut(verdict.damage, verdict.left_out);
  verdict.told = find_told(reading);
  verdict.clients = summarise_clients(reading);
  verdict.counters = count(reading, verdict.clients);
  decide(reading, verdict);
  return verdict;
}

}  // namespace locklapse
