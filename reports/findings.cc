#include "reports/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/wording.h"
#include "sim/history/time_text.h"

namespace locklapse::reports {
namespace {

std::string also(const std::vector<Cause>& contributing) {
  return contributing.empty() ? "" : " (also " + join(contributing, ", ") + ")";
}

std::string stretch(Time from, Time to) {
  return fmt::format("{} to {} ({})", instant_text(from), instant_text(to),
                     duration_text(to - from));
}

std::string owner_of(const History& h, const UnownedMutation& u) {
  if (u.owner != kNoClient) return client_label(h, u.owner);
  return u.owner_token.empty() ? "someone" : short_name(u.owner_token);
}

bool same_hit(const UnownedMutation& a, const UnownedMutation& b) {
  return a.client == b.client && a.owner_token == b.owner_token && a.command == b.command &&
         a.cause == b.cause;
}

std::string unowned_sentence(const History& h, const UnownedMutation& first,
                             const UnownedMutation& last, std::size_t count) {
  const std::string when = count == 1 ? "at " + instant_text(first.at)
                                      : fmt::format("{} times from {} to {}", count,
                                                    instant_text(first.at), instant_text(last.at));
  return fmt::format("{} hit {}'s lock {}: {}: {}", client_label(h, first.client),
                     owner_of(h, first), when, cause_name(first.cause), short_text(first.command));
}

std::string stuck_sentence(const StuckLock& s) {
  const std::string when =
      s.to ? stretch(s.from, *s.to) : fmt::format("from {} for ever", instant_text(s.from));
  return fmt::format("{}: {}: {}{}", short_name(s.key), when, cause_name(s.cause),
                     also(s.contributing));
}

std::string damage_sentence(const History& h, const Damage& d) {
  std::string sentence = fmt::format("{} by {} at {}", damage_name(d.kind),
                                     client_label(h, d.client), instant_text(d.at));
  if (!d.detail.empty()) sentence += ": " + short_text(d.detail);
  if (d.cause) sentence += fmt::format(" ({})", cause_name(*d.cause));
  return sentence;
}

std::string told_sentence(const History& h, const Told& t) {
  const std::string lost =
      fmt::format("{} lost the lock at {}", client_label(h, t.client), instant_text(t.lost_at));
  if (!t.told_at) return lost + " and was never told";
  return fmt::format("{} and was told at {}, {} later", lost, instant_text(*t.told_at),
                     duration_text(*t.told_at - t.lost_at));
}

void add_count(std::string& text, std::size_t count, const char* one, const char* many) {
  if (count == 0) return;
  if (!text.empty()) text += ", ";
  text += fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::vector<Finding> findings_of(const RunReport& run) {
  const History& h = *run.history;
  const Verdict& v = *run.verdict;
  std::vector<Finding> list;
  for (const Overlap& o : v.overlaps) {
    std::string where = o.resource.empty() ? "" : " in " + short_name(o.resource);
    list.push_back(
        {FindingKind::kOverlap, "overlap",
         fmt::format("{} + {}{}: {}: {}{}", client_label(h, o.first), client_label(h, o.second),
                     where, stretch(o.from, o.to), cause_name(o.cause), also(o.contributing)),
         o.because});
  }
  for (std::size_t i = 0; i < v.unowned.size();) {
    std::size_t last = i;
    while (last + 1 < v.unowned.size() && same_hit(v.unowned[i], v.unowned[last + 1])) ++last;
    list.push_back({FindingKind::kUnowned, "un-owned",
                    unowned_sentence(h, v.unowned[i], v.unowned[last], last - i + 1), ""});
    i = last + 1;
  }
  for (const StuckLock& s : v.stuck) {
    list.push_back({FindingKind::kStuck, "stuck", stuck_sentence(s), s.because});
  }
  for (const Damage& d : v.damage) {
    list.push_back({FindingKind::kDamage, "damage", damage_sentence(h, d), ""});
  }
  for (const Told& t : v.told) {
    list.push_back({FindingKind::kTold, "told", told_sentence(h, t), ""});
  }
  return list;
}

std::string count_findings(const Verdict& v) {
  std::string text;
  add_count(text, v.overlaps.size(), "overlap", "overlaps");
  add_count(text, v.unowned.size(), "un-owned mutation", "un-owned mutations");
  const auto forever = static_cast<std::size_t>(
      std::count_if(v.stuck.begin(), v.stuck.end(), [](const auto& s) { return !s.to; }));
  add_count(text, forever, "lock stuck for ever", "locks stuck for ever");
  add_count(text, v.stuck.size() - forever, "lock stuck until its TTL",
            "locks stuck until their TTL");
  add_count(text, v.damage.size(), "case of damage", "cases of damage");
  return text.empty() ? "nothing found" : text;
}

std::vector<Cause> main_causes(const Verdict& v) {
  std::vector<Cause> causes;
  const auto add = [&](Cause cause) {
    if (std::find(causes.begin(), causes.end(), cause) == causes.end()) causes.push_back(cause);
  };
  for (const Overlap& o : v.overlaps) add(o.cause);
  for (const StuckLock& s : v.stuck) add(s.cause);
  for (const Damage& d : v.damage) {
    if (d.cause) add(*d.cause);
  }
  if (causes.empty()) {
    for (const UnownedMutation& u : v.unowned) add(u.cause);
  }
  return causes;
}

std::string causes_of(const Verdict& v, const char* separator) {
  return join(main_causes(v), separator);
}

std::string join(std::span<const Cause> causes, const char* separator) {
  std::string text;
  for (const Cause cause : causes) {
    if (!text.empty()) text += separator;
    text += cause_name(cause);
  }
  return text;
}

}  // namespace locklapse::reports
