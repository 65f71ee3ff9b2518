#include <algorithm>

#include "sim/history/oracles.h"

namespace locklapse {

namespace {

// Waiting lasts from the first try for a lock to its acquisition or to giving up.
class Waiting {
 public:
  void on(const Event& event) {
    const bool begins = event.kind == EventKind::kAttempt && event.number <= 1;
    const bool ends = event.kind == EventKind::kEntered || event.kind == EventKind::kGaveUp;
    if (begins && !since_) since_ = event.at;
    if (ends) finish(event.at);
  }
  void finish(Time at) {
    if (since_) total_ = total_ + (at - *since_);
    since_.reset();
  }
  Duration total() const { return total_; }

 private:
  std::optional<Time> since_;
  Duration total_{};
};

}  // namespace

std::vector<ClientSummary> summarise_clients(const Reading& reading) {
  std::vector<ClientSummary> summaries(reading.history.cast.clients.size());
  std::vector<Waiting> waiting(summaries.size());
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    summaries[i].client = static_cast<ClientId>(i);
    summaries[i].ttl_ms = reading.history.cast.clients[i].ttl_ms;
  }
  for (const Event& event : reading.history.events) {
    if (event.client == kNoClient) continue;
    ClientSummary& summary = summaries[event.client];
    waiting[event.client].on(event);
    if (event.kind == EventKind::kAttempt) {
      ++summary.attempts;
      if (!summary.acquired_at) summary.token = std::string(event.text);
    }
    if (event.kind == EventKind::kRefused) ++summary.refused;
    if (event.kind == EventKind::kEntered && event.extra == 0) {
      if (!summary.acquired_at) summary.acquired_at = event.at;
      summary.token = std::string(event.text);
    }
    if (event.kind == EventKind::kReleased) {
      summary.released_at = event.at;
      summary.release_reply = std::string(event.text);
    }
  }
  for (const Hold& hold : reading.holds) {
    summaries[hold.client].held = summaries[hold.client].held + (hold.left - hold.entered);
  }
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    waiting[i].finish(reading.history.end);
    summaries[i].waited = waiting[i].total();
  }
  return summaries;
}

Counters count(const Reading& reading, const std::vector<ClientSummary>& clients) {
  Counters counters;
  // Commands of the last second, as a sliding window: the busiest second need not start on a full one.
  std::vector<Time> executed;
  std::size_t window_begin = 0;
  for (const Event& event : reading.history.events) {
    if (event.kind == EventKind::kRefused) ++counters.refused;
    if (event.kind == EventKind::kReleased && event.number == 0) ++counters.failed_releases;
    const bool on_redis = event.kind == EventKind::kExecuted && event.phase != Phase::kRead &&
                          event.phase != Phase::kWrite;
    if (!on_redis) continue;
    ++counters.redis_commands;
    executed.push_back(event.at);
    while (event.at - executed[window_begin] >= seconds(1)) ++window_begin;
    counters.redis_commands_per_s_max = std::max(
        counters.redis_commands_per_s_max, static_cast<std::int64_t>(executed.size() - window_begin));
  }
  for (const Hold& hold : reading.holds) {
    if (hold.locked) ++counters.acquisitions;
    const std::int64_t ttl_ms = reading.info(hold.client).ttl_ms;
    if (ttl_ms > 0 && hold.left - hold.entered > milliseconds(ttl_ms)) ++counters.holds_over_ttl;
  }
  for (const ClientSummary& summary : clients) {
    counters.waited_total = counters.waited_total + summary.waited;
  }
  return counters;
}

}  // namespace locklapse
