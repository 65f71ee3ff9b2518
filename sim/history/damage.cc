// Harm at the guarded resource, from its accepted writes alone.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "sim/history/oracles.h"
#include "sim/history/time_text.h"

namespace locklapse {

namespace {

class DamageFinder {
 public:
  explicit DamageFinder(const Reading& reading) : reading_(reading) {
    for (const Tenure& tenure : reading.tenures) by_key_[tenure.key].push_back(&tenure);
  }

  std::vector<Damage> find() {
    for (const Event& event : reading_.history.events) {
      if (event.kind != EventKind::kWritten) continue;
      Written& written = written_[event.place];
      check_lost_update(event, written);
      check_oversell(event, written);
      check_duplicate(event, written);
      check_stale(event);
      ++written.version;
      written.last = &event;
    }
    return std::move(found_);
  }

 private:
  // What one resource has accepted so far.
  struct Written {
    std::int64_t version = 0;                            // how many writes
    const Event* last = nullptr;
    std::map<std::string_view, const Event*> orders;     // the first write of each
  };

  std::string who(const Event& event) const { return reading_.name(event.client); }

  void add(DamageKind kind, const Event& event, std::string detail) {
    found_.push_back({kind, event.client, event.at, std::move(detail), own_cause(event)});
  }

  void check_lost_update(const Event& event, const Written& written) {
    if (event.extra < 0 || event.extra >= written.version) return;
    add(DamageKind::kLostUpdate, event,
        fmt::format("{}'s write rests on version {} and overwrote {}'s of {}", who(event), event.extra,
                    who(*written.last), instant_text(written.last->at)));
  }

  void check_oversell(const Event& event, const Written& written) {
    const Cast& cast = reading_.history.cast;
    const std::int64_t sold = (written.version + 1) * cast.take;
    if (sold <= cast.stock) return;
    add(DamageKind::kOversell, event, fmt::format("{} units were sold of {}", sold, cast.stock));
  }

  void check_duplicate(const Event& event, Written& written) {
    const auto [order, first_time] = written.orders.emplace(event.text, &event);
    if (first_time) return;
    add(DamageKind::kDuplicateProcessing, event,
        fmt::format("order {} was applied by {} at {} and again by {}", event.text, who(*order->second),
                    instant_text(order->second->at), who(event)));
  }

  // Accepted although the writer's lock was gone and someone else had taken it since.
  void check_stale(const Event& event) {
    const Hold* hold = reading_.hold_of(event.client, event.attempt);
    const Tenure* own = hold == nullptr ? nullptr : reading_.tenure_of(*hold);
    if (own == nullptr || own->end == TenureEnd::kOpen || own->to >= event.at) return;
    const std::vector<const Tenure*>& same_key = by_key_[own->key];
    auto next = std::lower_bound(same_key.begin(), same_key.end(), own->to,
                                 [](const Tenure* tenure, Time at) { return tenure->from < at; });
    while (next != same_key.end() && (*next)->client == own->client) ++next;
    if (next == same_key.end() || (*next)->from > event.at) return;
    add(DamageKind::kStaleWrite, event,
        fmt::format("{}'s write came after its lock had ended at {} and {} had taken it at {}", who(event),
                    instant_text(own->to), reading_.name((*next)->client), instant_text((*next)->from)));
  }

  // Damage that needs no overlap: the write was late by itself, or came after the release.
  std::optional<Cause> own_cause(const Event& event) const {
    if (reading_.facts(event).delayed) return Cause::kDelayedWrite;
    const Hold* hold = reading_.hold_of(event.client, event.attempt);
    if (hold == nullptr) return std::nullopt;
    const Event* sent = reading_.sent(event);
    const bool after_release = sent != nullptr && !hold->open && sent->at >= hold->left &&
                               hold->how_left == std::string_view("done");
    if (after_release) return Cause::kReleasedTooEarly;
    // The same write once more: nothing but its resending did the harm.
    if (reading_.facts(event).runs > 1) return Cause::kDuplicateCommand;
    return std::nullopt;
  }

  const Reading& reading_;
  std::map<std::string_view, std::vector<const Tenure*>> by_key_;   // in order of beginning
  std::map<PlaceId, Written> written_;                              // by resource
  std::vector<Damage> found_;
};

}  // namespace

std::vector<Damage> find_damage(const Reading& reading) { return DamageFinder(reading).find(); }

}  // namespace locklapse
