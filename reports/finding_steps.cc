#include "reports/finding_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/wording.h"

namespace locklapse::reports {
namespace {

class Findings {
 public:
  Findings(const History& history, const Verdict& verdict, std::span<const std::string> names)
      : history_(history), verdict_(verdict), names_(names) {}

  // In order of time; those of one instant in the order of the verdict.
  std::vector<Step> steps() {
    for (std::size_t i = 0; i < verdict_.overlaps.size(); ++i) {
      const Overlap& o = verdict_.overlaps[i];
      add(o.from, kNoClient, static_cast<int>(i),
          fmt::format("OVERLAP {}: {} and {} are both inside: {}", i + 1, name_of(o.first),
                      name_of(o.second), cause_name(o.cause)));
    }
    for (const StuckLock& s : verdict_.stuck) {
      add(s.from, kNoClient, -1,
          fmt::format("STUCK: {} is taken but nobody holds it: {}", short_name(s.key),
                      cause_name(s.cause)));
    }
    for (std::size_t i = 0; i < verdict_.damage.size(); ++i) add_damage(i);
    std::stable_sort(steps_.begin(), steps_.end(),
                     [](const Step& a, const Step& b) { return a.at < b.at; });
    return std::move(steps_);
  }

 private:
  void add(Time at, ClientId client, int overlap, std::string words) {
    Step step;
    step.at = at;
    step.client = client;
    step.weight = Weight::kFinding;
    step.overlap = overlap;
    step.words = std::move(words);
    steps_.push_back(std::move(step));
  }

  // One write may do several kinds of damage.
  void add_damage(std::size_t index) {
    const Damage& d = verdict_.damage[index];
    const auto same = [&](const Damage& o) { return o.at == d.at && o.client == d.client; };
    if (index > 0 && same(verdict_.damage[index - 1])) return;
    std::string words = fmt::format("DAMAGE by {}: {}", name_of(d.client), damage_name(d.kind));
    for (std::size_t i = index + 1; i < verdict_.damage.size() && same(verdict_.damage[i]); ++i) {
      words += fmt::format(", {}", damage_name(verdict_.damage[i].kind));
    }
    add(d.at, d.client, -1, std::move(words));
  }

  std::string name_of(ClientId client) const {
    return client < names_.size() ? names_[client] : client_label(history_, client);
  }

  const History& history_;
  const Verdict& verdict_;
  std::span<const std::string> names_;
  std::vector<Step> steps_;
};

}  // namespace

void add_finding_steps(std::vector<Step>& steps, const History& history, const Verdict& verdict,
                       std::span<const std::string> names) {
  std::vector<Step> findings = Findings(history, verdict, names).steps();
  std::vector<Step> merged;
  merged.reserve(steps.size() + findings.size());
  std::size_t next = 0;
  for (Step& finding : findings) {
    while (next < steps.size() && steps[next].at <= finding.at) {
      merged.push_back(std::move(steps[next++]));
    }
    if (!merged.empty()) finding.event = merged.back().event;
    merged.push_back(std::move(finding));
  }
  while (next < steps.size()) merged.push_back(std::move(steps[next++]));
  steps = std::move(merged);
}

}  // namespace locklapse::reports
