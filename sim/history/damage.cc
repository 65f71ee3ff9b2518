// Harm at the guarded resource, from its accepted writes alone.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/history/oracles.h"
#include "sim/history/time_text.h"

namespace locklapse {

namespace {

struct Write {
  const Event* event;
  std::int64_t version_before;   // how many writes the resource had accepted before this one
};

class DamageFinder {
 public:
  explicit DamageFinder(const Reading& reading) : reading_(reading) {}

  std::vector<Damage> find() {
    for (const Event& event : reading_.history.events) {
      if (event.kind != EventKind::kWritten) continue;
      const auto before = std::count_if(writes_.begin(), writes_.end(), [&](const Write& write) {
        return write.event->place == event.place;
      });
      const Write write{&event, before};
      check_lost_update(write);
      check_oversell(write);
      check_duplicate(write);
      check_stale(write);
      writes_.push_back(write);
    }
    return std::move(found_);
  }

 private:
  std::string who(const Event& event) const { return reading_.name(event.client); }

  void add(DamageKind kind, const Event& event, std::string detail) {
    found_.push_back({kind, event.client, event.at, std::move(detail), own_cause(event)});
  }

  // The last write to the same resource before this one, or null.
  const Write* previous(const Write& write) const {
    for (auto other = writes_.rbegin(); other != writes_.rend(); ++other) {
      if (other->event->place == write.event->place) return &*other;
    }
    return nullptr;
  }

  void check_lost_update(const Write& write) {
    const Event& event = *write.event;
    const Write* overwritten = previous(write);
    if (event.extra < 0 || event.extra >= write.version_before || overwritten == nullptr) return;
    add(DamageKind::kLostUpdate, event,
        fmt::format("{}'s write rests on version {} and overwrote {}'s of {}", who(event), event.extra,
                    who(*overwritten->event), instant_text(overwritten->event->at)));
  }

  void check_oversell(const Write& write) {
    const Cast& cast = reading_.history.cast;
    const std::int64_t sold = (write.version_before + 1) * cast.take;
    if (sold <= cast.stock) return;
    add(DamageKind::kOversell, *write.event,
        fmt::format("{} units were sold of {}", sold, cast.stock));
  }

  void check_duplicate(const Write& write) {
    const Event& event = *write.event;
    for (const Write& other : writes_) {
      if (other.event->place != event.place || other.event->text != event.text) continue;
      add(DamageKind::kDuplicateProcessing, event,
          fmt::format("order {} was applied by {} at {} and again by {}", event.text, who(*other.event),
                      instant_text(other.event->at), who(event)));
      return;
    }
  }

  // Accepted although the writer's lock was gone and someone else had taken it since.
  void check_stale(const Write& write) {
    const Event& event = *write.event;
    const Hold* hold = find_hold(reading_.holds, event.client, event.attempt);
    const Tenure* own = hold == nullptr ? nullptr : reading_.tenure_of(*hold);
    if (own == nullptr || own->end == TenureEnd::kOpen || own->to >= event.at) return;
    for (const Tenure& next : reading_.tenures) {
      if (next.key != own->key || next.client == own->client || next.from < own->to ||
          next.from > event.at) {
        continue;
      }
      add(DamageKind::kStaleWrite, event,
          fmt::format("{}'s write came after its lock had ended at {} and {} had taken it at {}", who(event),
                      instant_text(own->to), reading_.name(next.client), instant_text(next.from)));
      return;
    }
  }

  // Damage that needs no overlap: the write was late by itself, or came after the release.
  std::optional<Cause> own_cause(const Event& event) const {
    if (reading_.facts(event).delayed) return Cause::kDelayedWrite;
    const Hold* hold = find_hold(reading_.holds, event.client, event.attempt);
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
  std::vector<Write> writes_;
  std::vector<Damage> found_;
};

}  // namespace

std::vector<Damage> find_damage(const Reading& reading) { return DamageFinder(reading).find(); }

}  // namespace locklapse
