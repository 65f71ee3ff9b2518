#include "sim/scenario/expect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "sim/history/time_text.h"

namespace locklapse::scenario {

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string text_of(const Pairs& pairs) {
  if (pairs.empty()) return "none";
  std::string text;
  for (const auto& [a, b] : pairs) text += fmt::format("{}{}-{}", text.empty() ? "" : ", ", a, b);
  return text;
}

std::string text_of(const std::set<std::string_view>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string text_of(Duration duration) { return duration_text(duration); }
std::string text_of(std::int64_t number) { return fmt::format("{}", number); }

template <typename T>
std::string range_text(const std::optional<T>& at_least, const std::optional<T>& at_most) {
  if (at_least && at_most && *at_least == *at_most) return text_of(*at_least);
  if (at_least && at_most) return fmt::format("{} to {}", text_of(*at_least), text_of(*at_most));
  return at_least ? fmt::format("at least {}", text_of(*at_least))
                  : fmt::format("at most {}", text_of(*at_most));
}

class Comparison {
 public:
  Comparison(const History& history, const Verdict& verdict) : history_(history), verdict_(verdict) {}

  std::vector<std::string> run(const Expectation& expected) {
    if (expected.outcome) {
      differ("outcome", outcome_name(*expected.outcome), outcome_name(verdict_.outcome));
    }
    if (expected.overlaps) differ("overlaps", text_of(*expected.overlaps), text_of(overlaps()));
    if (expected.causes) differ("causes", text_of(names(*expected.causes)), text_of(causes()));
    if (expected.unowned) differ("unowned", text_of(*expected.unowned), text_of(unowned()));
    if (expected.stuck) differ("stuck", stuck_text(*expected.stuck), stuck_text(stuck()));
    if (expected.damage) compare_damage(*expected.damage);
    for (const auto& [client, release] : expected.releases) {
      differ("releases." + client, release, release_of(client));
    }
    for (const auto& [client, range] : expected.waited) {
      within("waited." + client, summary(client).waited, range.at_least, range.at_most);
    }
    for (const auto& [client, range] : expected.held) {
      within("held." + client, summary(client).held, range.at_least, range.at_most);
    }
    for (const auto& [client, lateness] : expected.told) compare_told(client, lateness);
    if (expected.commands) {
      within("commands", std::int64_t{verdict_.counters.redis_commands}, expected.commands->at_least,
             expected.commands->at_most);
    }
    if (expected.commands_per_second) {
      within("commands-per-second", verdict_.counters.redis_commands_per_s_max,
             expected.commands_per_second->at_least, expected.commands_per_second->at_most);
    }
    return std::move(mismatches_);
  }

 private:
  void differ(std::string_view what, std::string_view expected, std::string_view found) {
    if (expected != found) {
      mismatches_.push_back(fmt::format("{}: expected {}, got {}", what, expected, found));
    }
  }

  template <typename T>
  void within(std::string_view what, const T& found, const std::optional<T>& at_least,
              const std::optional<T>& at_most) {
    if ((at_least && found < *at_least) || (at_most && found > *at_most)) {
      mismatches_.push_back(
          fmt::format("{}: expected {}, got {}", what, range_text(at_least, at_most), text_of(found)));
    }
  }

  std::string name(ClientId client) const { return std::string(history_.client_name(client)); }

  ClientId find(std::string_view client) const {
    const auto& clients = history_.cast.clients;
    const auto found = std::find_if(clients.begin(), clients.end(),
                                    [&](const ClientInfo& info) { return info.name == client; });
    return static_cast<ClientId>(found - clients.begin());
  }
  const ClientSummary& summary(std::string_view client) const { return verdict_.clients[find(client)]; }

  Pairs overlaps() const {
    Pairs pairs;
    for (const Overlap& overlap : verdict_.overlaps) {
      pairs.emplace_back(name(overlap.first), name(overlap.second));
    }
    return pairs;
  }

  Pairs unowned() const {
    Pairs pairs;
    for (const UnownedMutation& mutation : verdict_.unowned) {
      pairs.emplace_back(name(mutation.client), name(mutation.owner));
    }
    return pairs;
  }

  static std::set<std::string_view> names(const std::vector<Cause>& causes) {
    std::set<std::string_view> result;
    for (const Cause cause : causes) result.insert(cause_name(cause));
    return result;
  }

  std::set<std::string_view> causes() const {
    std::set<std::string_view> result;
    const auto add = [&result](const auto& finding) {
      result.insert(cause_name(finding.cause));
      for (const Cause cause : finding.contributing) result.insert(cause_name(cause));
    };
    for (const Overlap& overlap : verdict_.overlaps) add(overlap);
    for (const StuckLock& stuck : verdict_.stuck) add(stuck);
    for (const UnownedMutation& mutation : verdict_.unowned) result.insert(cause_name(mutation.cause));
    for (const Damage& damage : verdict_.damage) {
      if (damage.cause) result.insert(cause_name(*damage.cause));
    }
    return result;
  }

  static std::string_view stuck_text(StuckKind kind) {
    return kind == StuckKind::kNone ? "none" : kind == StuckKind::kForever ? "for-ever" : "until-ttl";
  }
  StuckKind stuck() const {
    StuckKind worst = StuckKind::kNone;
    for (const StuckLock& found : verdict_.stuck) {
      worst = std::max(worst, found.to ? StuckKind::kUntilTtl : StuckKind::kForever);
    }
    return worst;
  }

  void compare_damage(const std::vector<DamageKind>& expected) {
    std::set<std::string_view> wanted, found;
    for (const DamageKind kind : expected) wanted.insert(damage_name(kind));
    for (const Damage& damage : verdict_.damage) found.insert(damage_name(damage.kind));
    differ("damage", text_of(wanted), text_of(found));
  }

  // How the client's last release went.
  std::string_view release_of(std::string_view client) const {
    const ClientId id = find(client);
    std::string_view result = "none";
    for (const Event& event : history_.events) {
      if (event.client != id || event.kind != EventKind::kReleased) continue;
      result = event.number == 1 ? "released" : event.number == 0 ? "refused" : "unknown";
    }
    return result;
  }

  void compare_told(const std::string& client, const std::optional<DurationRange>& lateness) {
    const ClientId id = find(client);
    const auto told = std::find_if(verdict_.told.begin(), verdict_.told.end(),
                                   [id](const Told& t) { return t.client == id; });
    const std::string what = "told." + client;
    if (told == verdict_.told.end()) {
      mismatches_.push_back(what + ": it never lost its lock while inside");
    } else if (!told->told_at || !lateness) {
      differ(what, lateness ? "told" : "never", told->told_at ? "told" : "never");
    } else {
      within(what, *told->told_at - told->lost_at, lateness->at_least, lateness->at_most);
    }
  }

  const History& history_;
  const Verdict& verdict_;
  std::vector<std::string> mismatches_;
};

// What is set in `special` comes in place of the same field in `general`.
Expectation overlay(Expectation general, const Expectation& special) {
  const auto take = [](auto& field, const auto& other) {
    if (other) field = other;
  };
  take(general.outcome, special.outcome);
  take(general.overlaps, special.overlaps);
  take(general.causes, special.causes);
  take(general.unowned, special.unowned);
  take(general.stuck, special.stuck);
  take(general.damage, special.damage);
  take(general.commands, special.commands);
  take(general.commands_per_second, special.commands_per_second);
  for (const auto& [client, value] : special.releases) general.releases[client] = value;
  for (const auto& [client, value] : special.waited) general.waited[client] = value;
  for (const auto& [client, value] : special.held) general.held[client] = value;
  for (const auto& [client, value] : special.told) general.told[client] = value;
  return general;
}

}  // namespace

const Expectation* find_expectation(const Scenario& scenario, std::string_view strategy) {
  const auto found = scenario.expect.find(std::string(strategy));
  return found == scenario.expect.end() ? nullptr : &found->second;
}

std::vector<std::string> compare(const Expectation& expectation, std::string_view guard,
                                 std::string_view own_guard, const History& history, const Verdict& verdict) {
  const auto special = expectation.guards.find(std::string(guard));
  if (special != expectation.guards.end()) {
    return Comparison(history, verdict).run(overlay(expectation, special->second));
  }
  Expectation expected = expectation;
  if (guard != own_guard) {
    expected.outcome.reset();
    expected.causes.reset();
    expected.damage.reset();
  }
  return Comparison(history, verdict).run(expected);
}

}  // namespace locklapse::scenario
