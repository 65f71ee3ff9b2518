#include "reports/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "reports/finding_steps.h"
#include "reports/lanes.h"
#include "reports/repeats.h"
#include "reports/wording.h"

namespace locklapse::reports {
namespace {

Mark mark_of(const Event& e) {
  switch (e.kind) {
    case EventKind::kAttempt:
      return Mark::kTry;
    case EventKind::kRefused:
      return Mark::kRefused;
    case EventKind::kUnknown:
      return Mark::kUnanswered;
    case EventKind::kEntered:
      return Mark::kEnter;
    case EventKind::kGaveUp:
      return Mark::kGaveUp;
    case EventKind::kTold:
      return Mark::kTold;
    case EventKind::kLeft:
      return Mark::kLeave;
    case EventKind::kCrashed:
      return Mark::kCrash;
    case EventKind::kReleased:
      return e.number > 0 ? Mark::kReleased : Mark::kReleaseRefused;
    default:
      return Mark::kNone;
  }
}

Weight weight_of(const Event& e) {
  switch (e.kind) {
    case EventKind::kEntered:
    case EventKind::kTold:
    case EventKind::kLeft:
    case EventKind::kKeyWritten:
    case EventKind::kKeyRemoved:
    case EventKind::kTtlEnded:
    case EventKind::kRenewalEnded:
    case EventKind::kUnknown:
    case EventKind::kGaveUp:
    case EventKind::kWriteRefused:
    case EventKind::kRedirected:
    case EventKind::kFailoverStep:
      return Weight::kTurn;
    case EventKind::kResent:
    case EventKind::kExecuted:
    case EventKind::kDropped:
    case EventKind::kDelayed:
    case EventKind::kDuplicated:
    case EventKind::kKeyEvicted:
    case EventKind::kKeyLost:
    case EventKind::kKeyRestored:
    case EventKind::kOperator:
      return Weight::kFault;
    default:
      return e.kind >= EventKind::kPaused ? Weight::kFault : Weight::kDetail;
  }
}

bool is_answer_or_try(EventKind kind) {
  return kind == EventKind::kAttempt || kind == EventKind::kRefused ||
         kind == EventKind::kUnknown || kind == EventKind::kEntered || kind == EventKind::kGaveUp;
}

class Builder {
 public:
  Builder(const History& history, const Verdict& verdict, std::span<const std::string> names)
      : history_(history),
        names_(names),
        verdict_(verdict),
        lanes_(history),
        repeats_(find_repeats(history)),
        refused_(history.cast.clients.size()) {
    for (const UnownedMutation& each : verdict.unowned) unowned_.emplace(each.at, &each);
  }

  Timeline build() {
    for (std::size_t i = 0; i < history_.events.size(); ++i) {
      const Event& event = history_.events[i];
      if (is_key_event(event.kind)) {
        add_key_step(i, event);
      } else {
        lanes_.advance(i);
        add_step(i, event);
      }
    }
    join_crowds();
    add_finding_steps(steps_, history_, verdict_, names_);
    return {std::move(steps_), std::move(repeats_.folded)};
  }

 private:
  static Step new_step(std::size_t event, Time at, ClientId client, Weight weight,
                       std::string words) {
    Step step;
    step.event = event;
    step.at = at;
    step.client = client;
    step.weight = weight;
    step.words = std::move(words);
    return step;
  }

  std::string name_of(ClientId client) const {
    return client < names_.size() ? names_[client] : client_label(history_, client);
  }

  // "C tries" and, right after it, "C is refused 5 times" are one step at the time of the try.
  bool joined_try(const Step& refused) {
    if (steps_.empty()) return false;
    Step& last = steps_.back();
    if (last.mark != Mark::kTry || last.client != refused.client) return false;
    last.mark = Mark::kRefused;
    last.event = refused.event;
    last.words += " and" + refused.words.substr(name_of(refused.client).size());
    last.command.clear();
    return true;
  }

  // A crowd that does the same thing at about the same time takes one step.
  void join_crowds() {
    if (steps_.empty()) return;
    const Duration near = (steps_.back().at - steps_.front().at) / 100;
    std::vector<Step> joined;
    for (Step& step : steps_) {
      const bool crowded =
          step.weight <= Weight::kTurn && step.client < names_.size() &&
          (step.mark == Mark::kTry || step.mark == Mark::kRefused || step.mark == Mark::kGaveUp);
      if (crowded && !joined.empty() && joined.back().mark == step.mark &&
          step.at - joined.back().at <= near && predicate(joined.back()) == predicate(step)) {
        joined.back().others.push_back(step.client);
        joined.back().event = step.event;
        joined.back().command.clear();  // each sends its own
      } else {
        joined.push_back(std::move(step));
      }
    }
    for (Step& step : joined) {
      if (!step.others.empty()) step.words = crowd_words(step);
    }
    steps_ = std::move(joined);
  }

  std::string predicate(const Step& step) const {
    return step.words.substr(std::min(name_of(step.client).size(), step.words.size()));
  }

  std::string crowd_words(const Step& step) const {
    std::string words = fmt::format("{} clients, each{}: {}", step.others.size() + 1,
                                    predicate(step), name_of(step.client));
    for (std::size_t i = 0; i < step.others.size() && i < 5; ++i) {
      words += ", " + name_of(step.others[i]);
    }
    if (step.others.size() > 5) words += fmt::format(" and {} more", step.others.size() - 5);
    return words;
  }

  void add_step(std::size_t index, const Event& e) {
    if (is_answer_or_try(e.kind) && waiting_again(e)) return;
    if (repeats_.folded[index] || e.kind == EventKind::kReleasing) {
      if (e.kind == EventKind::kReleasing) add_releasing(index, e);
      return;
    }
    Step step = new_step(index, e.at, e.client, weight_of(e), event_words(history_, e, names_));
    step.mark = mark_of(e);
    if (step.words.empty()) return;
    if (e.kind == EventKind::kCrashed) step.process = e.place;
    const auto run = repeats_.runs.find(index);
    if (run != repeats_.runs.end()) step.words += repeat_words(run->second);
    if (step.mark == Mark::kRefused && joined_try(step)) return;
    if (e.kind == EventKind::kAttempt) step.command = command_at(index, e, Phase::kAcquire);
    steps_.push_back(std::move(step));
  }

  // A try after a refusal says nothing new: the refusals are counted, the success is shown.
  bool waiting_again(const Event& e) {
    if (e.client >= refused_.size()) return false;
    if (e.kind != EventKind::kAttempt) refused_[e.client] = e.kind == EventKind::kRefused;
    return e.kind == EventKind::kAttempt && refused_[e.client];
  }

  void add_releasing(std::size_t index, const Event& e) {
    const std::string command = command_at(index, e, Phase::kRelease);
    if (!steps_.empty() && steps_.back().mark == Mark::kLeave && steps_.back().client == e.client &&
        steps_.back().at == e.at) {
      steps_.back().words += " and releases";
      steps_.back().command = command;
      steps_.back().event = index;
      return;
    }
    steps_.push_back(
        new_step(index, e.at, e.client, Weight::kDetail, event_words(history_, e, names_)));
    steps_.back().command = command;
  }

  void add_key_step(std::size_t index, const Event& e) {
    const std::size_t lane = lanes_.lane_of(e);
    if (lane == lanes_.keys().size()) return;
    const KeyLane before = lanes_.keys()[lane];
    lanes_.advance(index);
    const KeyLane& after = lanes_.keys()[lane];
    if (repeats_.folded[index] || (e.kind == EventKind::kKeyExpired && !before.owned)) return;
    const bool unowned = is_unowned(e);
    const bool renewal = e.phase == Phase::kRenew && before.token == after.token;
    if (renewal && !unowned) return;
    Step step = new_step(index, e.at, kNoClient, weight_of(e), {});
    step.unowned = unowned;
    step.key_lane = static_cast<int>(lane);
    if (unowned) step.weight = Weight::kFinding;
    step.words = key_words(e, before, after, unowned);
    if (merged_with_last(e, step)) return;
    last_key_ = index;
    nodes_ = 1;
    steps_.push_back(std::move(step));
  }

  // The same change by the same client at the same instant on another node joins the step before.
  bool merged_with_last(const Event& e, const Step& step) {
    if (steps_.empty() || steps_.back().key_lane < 0 || steps_.back().event != last_key_)
      return false;
    const Event& last = history_.events[last_key_];
    if (last.at != e.at || last.kind != e.kind || last.client != e.client ||
        last.detail != e.detail || last.place == e.place || steps_.back().unowned != step.unowned) {
      return false;
    }
    if (nodes_++ == 1) words_alone_ = steps_.back().words;
    steps_.back().words = fmt::format("{} (and on {} more)", words_alone_, nodes_ - 1);
    steps_.back().event = last_key_ = static_cast<std::size_t>(&e - history_.events.data());
    return true;
  }

  std::string key_words(const Event& e, const KeyLane& before, const KeyLane& after, bool unowned) {
    const std::string node = node_label(history_, e.place);
    const std::string there = history_.cast.nodes.size() > 1 ? " on " + node : "";
    const std::string who = name_of(e.client);
    const std::string owner = owner_label(before);
    switch (e.kind) {
      case EventKind::kKeyWritten:
        if (unowned)
          return fmt::format("{} overwrites {}'s lock{} (un-owned){}", who, owner, there, times(e));
        if (before.owned && before.token == after.token && e.extra > 0) {
          return fmt::format("{}: {} holds the lock {} now", node, owner, times_held(e.extra));
        }
        return fmt::format("{}: {} owns the lock{}", node, owner_label(after),
                           ttl_words(history_, e));
      case EventKind::kKeyDeadline:
        if (unowned)
          return fmt::format("{} sets the TTL of {}'s lock{} (un-owned){}", who, owner, there,
                             times(e));
        return fmt::format("{}: the TTL of {}'s lock is set{}", node, owner,
                           ttl_words(history_, e));
      case EventKind::kKeyRemoved:
        if (unowned)
          return fmt::format("{} deletes {}'s lock{} (un-owned){}", who, owner, there, times(e));
        if (e.client == kNoClient) return fmt::format("{}: {}'s lock is gone", node, owner);
        return fmt::format("{}: {}'s lock is deleted", node, owner);
      case EventKind::kKeyRestored:
        return fmt::format("{}: {}'s lock is there again", node, owner_label(after));
      default:
        return fmt::format("{}: {}'s lock {}{}", node, owner, how_it_ends(e.kind), still_inside(before));
    }
  }

  static const char* how_it_ends(EventKind kind) {
    if (kind == EventKind::kKeyEvicted) return "is evicted for want of memory";
    return kind == EventKind::kKeyLost ? "is lost with its memory" : "expires";
  }

  std::string still_inside(const KeyLane& lane) const {
    return is_inside(lane.owner) ? fmt::format(", {} is still inside", owner_label(lane)) : "";
  }

  // A reentrant lock counts how often its owner has taken it.
  static std::string times_held(std::int64_t count) {
    return count == 1 ? "once" : count == 2 ? "twice" : fmt::format("{} times", count);
  }

  // Un-owned renewals are folded like others: the first one says how many there are.
  std::string times(const Event& e) const {
    const UnownedMutation* first = find_unowned(e);
    if (first == nullptr || e.phase != Phase::kRenew) return "";
    const auto count = std::count_if(
        verdict_.unowned.begin(), verdict_.unowned.end(), [&](const UnownedMutation& each) {
          return each.client == first->client && each.owner_token == first->owner_token &&
                 each.command == first->command;
        });
    return count > 1 ? fmt::format(", {} times", count) : "";
  }

  bool is_inside(ClientId client) const {
    return client < lanes_.clients().size() && lanes_.clients()[client].doing == Doing::kInside;
  }

  std::string owner_label(const KeyLane& lane) const {
    if (lane.owner != kNoClient) return name_of(lane.owner);
    return lane.token.empty() ? "nobody" : short_name(lane.token);
  }

  bool is_unowned(const Event& e) const {
    if (e.kind == EventKind::kTtlEnded || e.kind == EventKind::kKeyExpired) return false;
    return find_unowned(e) != nullptr;
  }

  const UnownedMutation* find_unowned(const Event& e) const {
    const auto [begin, end] = unowned_.equal_range(e.at);
    for (auto each = begin; each != end; ++each) {
      if (each->second->client == e.client && each->second->key == e.text) return each->second;
    }
    return nullptr;
  }

  // The command line that the client sends in this phase at the same instant.
  std::string command_at(std::size_t index, const Event& e, Phase phase) const {
    for (std::size_t i = index + 1; i < history_.events.size(); ++i) {
      const Event& next = history_.events[i];
      if (next.at != e.at) break;
      if (next.kind == EventKind::kSent && next.client == e.client && next.phase == phase) {
        return short_text(next.text);
      }
    }
    return {};
  }

  const History& history_;
  std::span<const std::string> names_;
  const Verdict& verdict_;
  Lanes lanes_;
  Repeats repeats_;
  std::vector<Step> steps_;
  std::multimap<Time, const UnownedMutation*> unowned_;  // by when
  std::vector<bool> refused_;                            // its latest try was
  std::size_t last_key_ = 0;
  std::size_t nodes_ = 0;
  std::string words_alone_;
};

}  // namespace

Timeline make_timeline(const History& history, const Verdict& verdict,
                       std::span<const std::string> names) {
  return Builder(history, verdict, names).build();
}

std::size_t thin_out(std::vector<Step>& steps, std::size_t most) {
  const std::size_t before = steps.size();
  for (const Weight lightest : {Weight::kTurn, Weight::kFault, Weight::kFinding}) {
    if (steps.size() <= most) break;
    // A step stays if it is heavy enough or stands right beside a finding.
    std::vector<bool> keep(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].weight >= lightest) keep[i] = true;
      if (steps[i].weight != Weight::kFinding) continue;
      for (std::size_t k = i < 3 ? 0 : i - 3; k < std::min(i + 3, steps.size()); ++k)
        keep[k] = true;
    }
    std::size_t i = 0;
    std::erase_if(steps, [&](const Step&) { return !keep[i++]; });
  }
  if (steps.size() > most) steps.resize(most);
  return before - steps.size();
}

}  // namespace locklapse::reports
