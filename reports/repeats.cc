#include "reports/repeats.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/history/time_text.h"

namespace locklapse::reports {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// What is known of one client while walking through the history.
struct Client {
  std::size_t refusals = kNone;  // first event of the current run
  std::size_t renewals = kNone;
  std::vector<std::size_t> attempt;  // events of the attempt in progress
  std::vector<std::size_t> renewal;  // events since the last renewal
};

void extend(std::map<std::size_t, Repeat>& runs, std::size_t& first, std::size_t event, Time at) {
  if (first == kNone) {
    first = event;
    runs[event] = {1, at, at, {}, {}};
    return;
  }
  Repeat& run = runs[first];
  const Duration gap = at - run.last;
  run.shortest = run.count == 1 ? gap : std::min(run.shortest, gap);
  run.longest = std::max(run.longest, gap);
  run.last = at;
  ++run.count;
}

void fold(Repeats& repeats, const std::vector<std::size_t>& events) {
  for (const std::size_t event : events) repeats.folded[event] = true;
}

void take(Repeats& repeats, Client& client, std::size_t index, const Event& e) {
  if (e.phase == Phase::kRenew) client.renewal.push_back(index);
  if (e.phase == Phase::kAcquire || e.phase == Phase::kWait) client.attempt.push_back(index);
  switch (e.kind) {
    case EventKind::kAttempt:
      client.attempt = {index};
      break;
    case EventKind::kRefused:
      client.attempt.push_back(index);
      if (client.refusals != kNone) fold(repeats, client.attempt);
      extend(repeats.runs, client.refusals, index, e.at);
      client.attempt.clear();
      break;
    case EventKind::kUnknown:
    case EventKind::kEntered:
    case EventKind::kGaveUp:
      client.refusals = kNone;
      break;
    case EventKind::kRenewed:
      client.renewal.push_back(index);
      if (client.renewals != kNone) fold(repeats, client.renewal);
      extend(repeats.runs, client.renewals, index, e.at);
      client.renewal.clear();
      break;
    case EventKind::kRenewing:
    case EventKind::kRenewalEnded:
    case EventKind::kLeft:
      client.renewals = kNone;
      client.renewal.clear();
      break;
    default:
      break;
  }
}

}  // namespace

Repeats find_repeats(const History& history) {
  Repeats repeats;
  repeats.folded.resize(history.events.size());
  std::vector<Client> clients(history.cast.clients.size());
  for (std::size_t i = 0; i < history.events.size(); ++i) {
    const Event& e = history.events[i];
    if (e.client < clients.size()) take(repeats, clients[e.client], i, e);
  }
  return repeats;
}

std::string repeat_words(const Repeat& repeat) {
  if (repeat.count == 1) return "";
  const std::string every =
      repeat.shortest == repeat.longest
          ? duration_text(repeat.shortest)
          : fmt::format("{} to {}", duration_text(repeat.shortest), duration_text(repeat.longest));
  return fmt::format(" {} times, every {}", repeat.count, every);
}

}  // namespace locklapse::reports
