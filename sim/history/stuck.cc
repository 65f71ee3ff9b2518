// Keys that are there while nobody holds: from when, for how long, and what left them behind.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/history/oracles.h"
#include "sim/history/time_text.h"

namespace locklapse {

namespace {

class StuckFinder {
 public:
  explicit StuckFinder(const Reading& reading) : reading_(reading) {}

  std::vector<StuckLock> find() {
    for (const Tenure& tenure : reading_.tenures) look_at(tenure);
    find_self_deadlocks();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const StuckLock& a, const StuckLock& b) { return a.from < b.from; });
    return std::move(found_);
  }

 private:
  const History& history() const { return reading_.history; }

  void look_at(const Tenure& tenure) {
    if (tenure.client == kNoClient || tenure.end == TenureEnd::kJoined) return;
    if (kept_on_purpose(tenure)) return;
    const Hold* hold = reading_.hold_of(tenure.client, tenure.attempt);
    if (hold == nullptr && reentered(tenure)) return;
    const std::optional<Time> from = abandoned(tenure, hold);
    if (!from || *from >= tenure.to) return;
    StuckLock stuck;
    stuck.key = std::string(tenure.key);
    stuck.from = *from;
    // With a TTL and nobody to renew it, the end is only beyond what was watched.
    const bool renewed = renewed_after(tenure, *from);
    if (tenure.end != TenureEnd::kOpen || (tenure.deadline_ms >= 0 && !renewed)) stuck.to = tenure.to;
    explain(tenure, hold, renewed, stuck);
    found_.push_back(std::move(stuck));
  }

  // Released early by its owner, who asked for the key to stay for a least time.
  bool kept_on_purpose(const Tenure& tenure) const {
    const Event& last = reading_.event(tenure.deadline_event);
    const Hold* hold = reading_.hold_of(tenure.client, tenure.attempt);
    return last.phase == Phase::kRelease && tenure.count == 0 && hold != nullptr && hold->release == 1 &&
           tenure.deadline_event != tenure.begun_by;
  }

  // An inner entry into a lock the client holds already has no hold of its own.
  bool reentered(const Tenure& tenure) const {
    const auto events = reading_.events_of(tenure.client, tenure.attempt);
    return std::any_of(events.begin(), events.end(), [&](std::uint32_t index) {
      return reading_.event(index).kind == EventKind::kReentered;
    });
  }

  // The instant from which nobody is going to give the key back; empty while somebody may.
  std::optional<Time> abandoned(const Tenure& tenure, const Hold* hold) const {
    if (hold == nullptr) return without_hold(tenure);
    if (hold->open) return std::nullopt;
    if (tenure.from >= hold->left) return tenure.from;   // written by a release or a late message
    if (hold->how_left == "crashed") return hold->left;
    if (!hold->releasing) return hold->left;             // released by nobody
    return hold->released ? hold->released : reading_.crash_after(tenure.client, *hold->releasing);
  }

  // Its acquisition was never told yes: nobody knows of the key from the moment the try ended.
  std::optional<Time> without_hold(const Tenure& tenure) const {
    if (tenure.end == TenureEnd::kRemoved) {
      const Event& removed = reading_.event(tenure.ended_by);
      const bool cleaned_up = removed.client == tenure.client && removed.attempt == tenure.attempt;
      if (cleaned_up) return std::nullopt;
    }
    for (const std::uint32_t index : reading_.events_of(tenure.client, tenure.attempt)) {
      const Event& event = reading_.event(index);
      const bool ended = event.kind == EventKind::kRefused || event.kind == EventKind::kUnknown;
      if (ended) return std::max(event.at, tenure.from);
    }
    return reading_.crash_after(tenure.client, tenure.from);
  }

  bool renewed_after(const Tenure& tenure, Time from) const {
    return std::any_of(tenure.touches.begin(), tenure.touches.end(), [&](const Touch& touch) {
      const Event& event = reading_.event(touch.event);
      return event.at >= from && event.phase == Phase::kRenew && event.kind != EventKind::kKeyRemoved;
    });
  }

  void explain(const Tenure& tenure, const Hold* hold, bool renewed, StuckLock& stuck) const {
    const std::string who = reading_.name(tenure.client);
    const Cause waits = tenure.deadline_ms < 0 ? Cause::kStuckNoTtl : Cause::kStuckUntilTtl;
    const std::string how_long =
        !stuck.to ? std::string(tenure.deadline_ms < 0 ? "it has no TTL and stays for ever"
                                                       : "it is renewed for ever")
                  : fmt::format("it stays until {}", instant_text(*stuck.to));
    const Event& begun = reading_.event(tenure.begun_by);
    const auto claim = [&](Cause cause, std::string why) {
      stuck.cause = cause;
      if (cause != waits && !(renewed && !stuck.to)) stuck.contributing.push_back(waits);
      stuck.because = fmt::format("{}; {}{}.", why, how_long, clock_note(tenure, stuck));
    };
    if (tenure.count > 0 && hold != nullptr && reading_.facts(begun).runs > 1) {
      claim(Cause::kDuplicateCommand,
            fmt::format("{}'s acquire was executed twice: after its release the hold count is {}", who,
                        tenure.count));
      if (renewed) stuck.contributing.push_back(Cause::kRenewalOutlivesOwner);
      return;
    }
    if (renewed && (hold == nullptr || !hold->open)) {
      return claim(Cause::kRenewalOutlivesOwner,
                   fmt::format("{} is no longer inside, but its renewal goes on", who));
    }
    if (begun.phase == Phase::kRelease || begun.phase == Phase::kRenew) {
      return claim(Cause::kUnownedWrite, fmt::format("{}'s {} at {} wrote the key anew", who,
                                                     reading_.command_line(begun), instant_text(begun.at)));
    }
    if (hold == nullptr) return explain_without_hold(tenure, begun, claim);
    if (hold->how_left == "crashed") {
      return claim(waits, fmt::format("{} crashed at {} while it held the lock", who, instant_text(hold->left)));
    }
    if (!hold->releasing) {
      return claim(waits, fmt::format("{} left at {} and nobody released the lock", who,
                                      instant_text(hold->left)));
    }
    if (hold->release == 0) {
      return claim(Cause::kReleaseRefused, fmt::format("{}'s release at {} was refused", who,
                                                       instant_text(*hold->released)));
    }
    if (tenure.count > 0) {
      return claim(Cause::kLostReply, fmt::format("{} released, but one of its releases never took effect: the "
                                                  "hold count is {}", who, tenure.count));
    }
    return claim(Cause::kLostReply, fmt::format("{}'s release was never answered", who));
  }

  // A clock stepped back makes the key live longer than its TTL.
  std::string clock_note(const Tenure& tenure, StuckLock& stuck) const {
    const PlaceId node = reading_.event(tenure.begun_by).place;
    const Duration steps = reading_.clock_steps(node, tenure.deadline_set, tenure.to);
    if (tenure.deadline_ms < 0 || steps >= Duration{}) return {};
    stuck.contributing.push_back(Cause::kClockJump);
    return fmt::format(", for the server's clock was stepped back by {}", duration_text(-steps));
  }

  template <typename Claim>
  void explain_without_hold(const Tenure& tenure, const Event& begun, const Claim& claim) const {
    const std::string who = reading_.name(tenure.client);
    if (reading_.facts(begun).unanswered) {
      return claim(Cause::kLostReply, fmt::format("{}'s {} took the lock at {}, but {} never learnt it", who,
                                                  reading_.command_line(begun), instant_text(begun.at), who));
    }
    const Cause waits = tenure.deadline_ms < 0 ? Cause::kStuckNoTtl : Cause::kStuckUntilTtl;
    claim(waits, fmt::format("{} crashed after its {} at {}", who, reading_.command_line(begun),
                             instant_text(begun.at)));
  }

  // A client that waits for the lock it holds itself: nobody else can end that but the TTL.
  struct SelfWait {
    const Hold* hold = nullptr;        // what the client is inside of
    std::optional<Time> since;         // its first inner try
    bool refused = false;
  };

  void find_self_deadlocks() {
    std::vector<SelfWait> waits(history().cast.clients.size());
    for (const Event& event : history().events) {
      if (event.client >= waits.size()) continue;
      SelfWait& wait = waits[event.client];
      switch (event.kind) {
        case EventKind::kEntered: wait = {reading_.hold_of(event.client, event.attempt), {}, false}; break;
        case EventKind::kAttempt:
          if (event.number > 1 && !wait.since) wait.since = event.at;
          break;
        case EventKind::kRefused: wait.refused = wait.since.has_value(); break;
        case EventKind::kReentered:
        case EventKind::kGaveUp:
        case EventKind::kLeft: end_self_wait(wait, event.at); break;
        default: break;
      }
    }
    for (SelfWait& wait : waits) end_self_wait(wait, std::nullopt);
  }

  // `at` is empty when the history ends first.
  void end_self_wait(SelfWait& wait, std::optional<Time> at) {
    const std::optional<Time> since = std::exchange(wait.since, std::nullopt);
    const bool refused = std::exchange(wait.refused, false);
    if (wait.hold == nullptr || !since || !refused) return;
    const Tenure* tenure = reading_.tenure_of(*wait.hold);
    if (tenure == nullptr) return;
    StuckLock& stuck = found_.emplace_back();
    stuck.key = std::string(tenure->key);
    stuck.from = *since;
    if (at) stuck.to = std::min(*at, std::max(tenure->to, *since));
    stuck.cause = Cause::kReentrancy;
    stuck.because = fmt::format("{} waits from {} on for the lock that it holds itself{}.",
                                reading_.name(wait.hold->client), instant_text(*since),
                                stuck.to ? fmt::format(", until {}", instant_text(*stuck.to)) : "");
  }

  const Reading& reading_;
  std::vector<StuckLock> found_;
};

}  // namespace

std::vector<StuckLock> find_stuck(const Reading& reading) { return StuckFinder(reading).find(); }

}  // namespace locklapse
