// Why a second holder could enter: the first's claim on the key is followed to its end, and whoever or
// whatever ended it is the cause. Each cause is claimed only where its arithmetic holds.
#include <fmt/format.h>

#include <algorithm>

#include "sim/history/oracles.h"
#include "sim/history/time_text.h"

namespace locklapse {

namespace {

class Explanation {
 public:
  Explanation(const Reading& reading, const Hold& first, const Hold& second, Overlap& overlap)
      : reading_(reading), first_(first), second_(second), overlap_(overlap), a_(reading.name(first.client)),
        b_(reading.name(second.client)) {}

  void find() {
    if (!first_.locked) return say(Cause::kFailOpen, "{} went on at {} without having the lock.", a_,
                                   instant_text(first_.entered));
    if (!second_.locked) return say(Cause::kFailOpen, "{} went on at {} without having the lock.", b_,
                                    instant_text(second_.entered));
    const std::string_view key_a = reading_.info(first_.client).lock_name;
    const std::string_view key_b = reading_.info(second_.client).lock_name;
    if (key_a != key_b) {
      return say(Cause::kKeyMismatch, "{} locks '{}', {} locks '{}': two keys for one resource.", a_, key_a,
                 b_, key_b);
    }
    const Tenure* tenure = reading_.tenure_of(first_);
    if (tenure == nullptr) {
      return say(Cause::kNoValidityCheck, "{} was told yes, but no key of its ever stood in Redis.", a_);
    }
    if (tenure->to > second_.entered) return explain_second();
    explain_end(*tenure);
    add_unowned_extension();
  }

  // The end of this holder's claim on the key, which let the other be inside beside it.
  void explain_end(const Tenure& tenure) {
    switch (tenure.end) {
      case TenureEnd::kTtl: return explain_ttl(tenure);
      case TenureEnd::kRemoved: return explain_removal(tenure);
      case TenureEnd::kOverwritten: {
        const Event& event = reading_.event(tenure.ended_by);
        say(Cause::kUnownedWrite, "{}'s {} at {} overwrote {}'s key.", reading_.name(event.client),
            reading_.command_line(event), instant_text(event.at), a_);
        return add_outlived(event.client, event.attempt);
      }
      case TenureEnd::kJoined: {
        const bool counted = reading_.event(tenure.ended_by).extra > 0;
        return say(counted ? Cause::kReentrancy : Cause::kTokenCollision,
                   "{} and {} both go by '{}': at {} Redis took {} for the owner{}.", a_, b_, tenure.token,
                   instant_text(tenure.to), b_, counted ? " entering again" : "");
      }
      case TenureEnd::kOpen: return;   // explain_second() has dealt with it
    }
  }

 private:
  template <typename... Values>
  void say(Cause cause, fmt::format_string<Values...> format, Values&&... values) {
    overlap_.cause = cause;
    overlap_.because = fmt::format(format, std::forward<Values>(values)...);
  }
  void contribute(Cause cause) {
    auto& list = overlap_.contributing;
    if (cause == overlap_.cause || std::find(list.begin(), list.end(), cause) != list.end()) return;
    list.push_back(cause);
  }

  // The first was there by right: the second came in on an answer that no longer held.
  void explain_second() {
    const Tenure* tenure = reading_.tenure_of(second_);
    if (tenure == nullptr || tenure->to > second_.entered) {
      return say(Cause::kNoValidityCheck, "{}'s key was still there when {} entered at {}.", a_, b_,
                 instant_text(second_.entered));
    }
    Explanation(reading_, second_, first_, overlap_).explain_end(*tenure);
  }

  // TTL ended. In order: before it entered; by the clock; by its own shorter re-entry; for want of
  // renewals; or simply too soon.
  void explain_ttl(const Tenure& tenure) {
    const Duration lived = tenure.to - tenure.deadline_set;
    const Event& set = reading_.event(tenure.deadline_event);
    const PlaceId node = set.place;
    const Duration steps = reading_.clock_steps(node, tenure.deadline_set, tenure.to);
    if (tenure.to <= first_.entered) {
      return say(Cause::kNoValidityCheck, "{}'s TTL ended at {}, {} entered only at {}.", a_,
                 instant_text(tenure.to), a_, instant_text(first_.entered));
    }
    // Without the step the key would have lived on, beyond the second's entry.
    if (steps > Duration{} && second_.entered < tenure.to + steps) {
      return say(Cause::kClockJump,
                 "The server's clock was stepped by {}: {}'s TTL ended at {} after {} of true time.",
                 duration_text(steps), a_, instant_text(tenure.to), duration_text(lived));
    }
    if (reading_.clock_drifted(node, tenure.to) && drift_cost(tenure, lived) > Duration{}) {
      return say(Cause::kClockSkew, "The server's clock runs fast: {}'s TTL ended at {} after {} of true time.",
                 a_, instant_text(tenure.to), duration_text(lived));
    }
    if (shortened_by_reentry(tenure)) {
      say(Cause::kReentrancy, "{} re-entered at {} with a shorter TTL: the key ended at {}, {} worked until {}.",
          a_, instant_text(tenure.deadline_set), instant_text(tenure.to), a_, until());
      return contribute(Cause::kTtlOverrun);
    }
    if (const std::string why = renewal_died(tenure); !why.empty()) {
      say(Cause::kRenewalDied, "{}; {}'s TTL ended at {}, {} worked until {}.", why, a_,
          instant_text(tenure.to), a_, until());
      return contribute(Cause::kTtlOverrun);
    }
    say(Cause::kTtlOverrun, "{}'s TTL ended at {}, {} worked until {}.", a_, instant_text(tenure.to), a_,
        until());
  }

  std::string until() const { return first_.open ? "the end" : instant_text(first_.left); }

  // How much sooner than its TTL the key ended, beyond the millisecond that Redis rounds by.
  Duration drift_cost(const Tenure& tenure, Duration lived) const {
    const std::int64_t ttl_ms = ttl_given(tenure);
    if (ttl_ms <= 0) return {};
    return milliseconds(ttl_ms - 1) - lived;
  }

  // The TTL last given to the tenure, as its owner asked for it; 0 when unknown.
  std::int64_t ttl_given(const Tenure& tenure) const {
    return reading_.info(tenure.client == kNoClient ? first_.client : tenure.client).ttl_ms;
  }

  bool shortened_by_reentry(const Tenure& tenure) const {
    const Event& set = reading_.event(tenure.deadline_event);
    if (set.phase != Phase::kAcquire || set.attempt == tenure.attempt) return false;
    const Event& begun = reading_.event(tenure.begun_by);
    std::int64_t longest = begun.number;
    for (const Touch& touch : tenure.touches) {
      const Event& event = reading_.event(touch.event);
      if (touch.event < tenure.deadline_event) longest = std::max(longest, event.number);
    }
    return longest > tenure.deadline_ms;
  }

  // Why renewals stopped although the process ran; empty when they did not, or were never meant to be.
  std::string renewal_died(const Tenure& tenure) const {
    Duration period{};
    const Event* sent = nullptr;       // the last renewal command before the end
    const Event* ended = nullptr;
    for (const std::uint32_t index : reading_.events_of(first_.client, first_.attempt)) {
      const Event& event = reading_.event(index);
      if (event.at > tenure.to) break;
      if (event.kind == EventKind::kRenewing) period = nanoseconds(event.number);
      if (event.kind == EventKind::kSent && event.phase == Phase::kRenew) sent = &event;
      if (event.kind == EventKind::kRenewalEnded) ended = &event;
    }
    if (period == Duration{}) return {};
    if (ended != nullptr && ended->text == "failed") {
      return fmt::format("{}'s renewal ended at {} for want of one answer, and nobody heard of it", a_,
                         instant_text(ended->at));
    }
    const Time last = sent != nullptr ? sent->at : first_.entered;
    const Duration silent = tenure.to - last;
    const Duration paused = reading_.paused(first_.client, last, tenure.to);
    if (silent <= period + period / 2 || paused > Duration{}) return {};
    return fmt::format("{}'s renewals, due every {}, did not run for {} while its thread was at work", a_,
                       duration_text(period), duration_text(silent));
  }

  void explain_removal(const Tenure& tenure) {
    const Event& event = reading_.event(tenure.ended_by);
    if (event.client == kNoClient) {
      return say(Cause::kThirdPartyDelete, "An operator removed {}'s key at {}.", a_, instant_text(event.at));
    }
    const std::string who = reading_.name(event.client);
    const std::string command = reading_.command_line(event);
    if (event.client == first_.client && event.attempt == first_.attempt) {
      return say(Cause::kReleasedTooEarly, "{}'s own {} at {} removed its key while it was inside.", a_,
                 command, instant_text(event.at));
    }
    const bool compared = reading_.command_name(event) == "eval";
    if (compared) {
      say(Cause::kTokenCollision, "{}'s release at {} matched {}'s key: both go by '{}'.", who,
          instant_text(event.at), a_, tenure.token);
      contribute(Cause::kUnownedDelete);
    } else {
      say(Cause::kUnownedDelete, "{}'s {} at {} removed {}'s key.", who, command, instant_text(event.at), a_);
    }
    if (reading_.facts(event).runs > 1) contribute(Cause::kDuplicateCommand);
    add_outlived(event.client, event.attempt);
  }

  // Whoever hit the key had outlived its own: its overrun is what brought it there.
  void add_outlived(ClientId client, std::uint32_t attempt) {
    const Hold* hold = reading_.hold_of(client, attempt);
    const Tenure* own = reading_.tenure_of(client, attempt);
    if (hold != nullptr && own != nullptr && own->end == TenureEnd::kTtl && own->to < hold->left) {
      contribute(Cause::kTtlOverrun);
    }
  }

  // The first holder went on prolonging the second's key, believing it its own.
  void add_unowned_extension() {
    const Tenure* tenure = reading_.tenure_of(second_);
    if (tenure == nullptr) return;
    for (const Touch& touch : tenure->touches) {
      const Event& event = reading_.event(touch.event);
      if (touch.unowned && event.kind == EventKind::kKeyDeadline && event.client == first_.client) {
        contribute(Cause::kUnownedExtend);
      }
    }
  }

  const Reading& reading_;
  const Hold& first_;
  const Hold& second_;
  Overlap& overlap_;
  std::string a_, b_;
};

}  // namespace

void explain_overlap(const Reading& reading, const Hold& first, const Hold& second, Overlap& overlap) {
  Explanation(reading, first, second, overlap).find();
}

}  // namespace locklapse
