// Keys that are there while nobody holds: from when, for how long, and what left them behind.
#include <fmt/format.h>

#include <algorithm>

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
    const Hold* hold = find_hold(reading_.holds, tenure.client, tenure.attempt);
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
    const Hold* hold = find_hold(reading_.holds, tenure.client, tenure.attempt);
    return last.phase == Phase::kRelease && tenure.count == 0 && hold != nullptr && hold->release == 1 &&
           tenure.deadline_event != tenure.begun_by;
  }

  // An inner entry into a lock the client holds already has no hold of its own.
  bool reentered(const Tenure& tenure) const {
    return std::any_of(history().events.begin(), history().events.end(), [&](const Event& event) {
      return event.kind == EventKind::kReentered && event.client == tenure.client &&
             event.attempt == tenure.attempt;
    });
  }

  // The instant from which nobody is going to give the key back; empty while somebody may.
  std::optional<Time> abandoned(const Tenure& tenure, const Hold* hold) const {
    if (hold == nullptr) return without_hold(tenure);
    if (hold->open) return std::nullopt;
    if (tenure.from >= hold->left) return tenure.from;   // written by a release or a late message
    if (hold->how_left == "crashed") return hold->left;
    if (!hold->releasing) return hold->left;             // released by nobody
    if (!hold->released) {
      const std::optional<Time> crash = crash_after(tenure.client, *hold->releasing);
      return crash ? crash : std::nullopt;
    }
    return hold->released;
  }

  // Its acquisition was never told yes: nobody knows of the key from the moment the try ended.
  std::optional<Time> without_hold(const Tenure& tenure) const {
    for (const Event& event : history().events) {
      const bool its_own = event.client == tenure.client && event.attempt == tenure.attempt;
      const bool ended = event.kind == EventKind::kRefused || event.kind == EventKind::kUnknown;
      if (its_own && ended) return std::max(event.at, tenure.from);
    }
    return crash_after(tenure.client, tenure.from);
  }

  std::optional<Time> crash_after(ClientId client, Time from) const {
    const PlaceId process = reading_.info(client).process;
    for (const Event& event : history().events) {
      if (event.kind == EventKind::kCrashed && event.place == process && event.at >= from) return event.at;
    }
    return std::nullopt;
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
  void find_self_deadlocks() {
    for (const Hold& hold : reading_.holds) {
      std::optional<Time> from;
      Time to = hold.left;
      bool entered = false;
      for (const Event& event : history().events) {
        if (event.client != hold.client || !hold.inside_at(event.at)) continue;
        if (event.kind == EventKind::kAttempt && event.number > 1 && !from) from = event.at;
        const bool over = event.kind == EventKind::kReentered || event.kind == EventKind::kGaveUp;
        if (from && over) {
          to = event.at;
          entered = event.kind == EventKind::kReentered;
          break;
        }
      }
      const Tenure* tenure = reading_.tenure_of(hold);
      if (!from || tenure == nullptr) continue;
      const bool refused = was_refused(hold.client, *from, to);
      if (!refused) continue;
      StuckLock& stuck = found_.emplace_back();
      stuck.key = std::string(tenure->key);
      stuck.from = *from;
      if (!(hold.open && !entered)) stuck.to = std::min(to, std::max(tenure->to, *from));
      stuck.cause = Cause::kReentrancy;
      stuck.because = fmt::format("{} waits from {} on for the lock that it holds itself{}.",
                                  reading_.name(hold.client), instant_text(*from),
                                  stuck.to ? fmt::format(", until {}", instant_text(*stuck.to)) : "");
    }
  }

  bool was_refused(ClientId client, Time from, Time to) const {
    return std::any_of(history().events.begin(), history().events.end(), [&](const Event& event) {
      return event.client == client && event.kind == EventKind::kRefused && event.at >= from &&
             event.at <= to;
    });
  }

  const Reading& reading_;
  std::vector<StuckLock> found_;
};

}  // namespace

std::vector<StuckLock> find_stuck(const Reading& reading) { return StuckFinder(reading).find(); }

}  // namespace locklapse
