#include "sim/redis/cluster_session.h"

#include <fmt/format.h>

#include <iterator>

#include "sim/redis/ascii.h"
#include "sim/redis/command_keys.h"
#include "sim/redis/number.h"

namespace locklapse::redis {

using cluster::Routing;
using cluster::Verdict;

void append_redirection(const Routing& routing, std::span<const std::string_view> addresses,
                        std::pmr::string& error) {
  switch (routing.verdict) {
    case Verdict::kServe:
      return;
    case Verdict::kMoved:
    case Verdict::kAsk:
      fmt::format_to(std::back_inserter(error), "{} {} {}",
                     routing.verdict == Verdict::kMoved ? "MOVED" : "ASK", routing.slot,
                     addresses[static_cast<std::size_t>(routing.to)]);
      return;
    case Verdict::kTryAgain:
      error.append("TRYAGAIN Multiple keys request during rehashing of slot");
      return;
    case Verdict::kCrossSlot:
      error.append("CROSSSLOT Keys in request don't hash to the same slot");
      return;
    case Verdict::kNotServed:
      error.append("CLUSTERDOWN Hash slot not served");
      return;
    case Verdict::kDown:
      error.append("CLUSTERDOWN The cluster is down");
      return;
    case Verdict::kDownForWrites:
      error.append("CLUSTERDOWN The cluster is down and only accepts read commands");
      return;
  }
}

Admission ClusterSession::admit(const ClusterNode& node, Argv argv, bool writes,
                                std::span<const std::string_view> addresses,
                                std::pmr::string& error) {
  if (argv.empty()) return Admission::kPass;
  const std::string_view name = argv[0];
  // ASKING counts for the command after it alone.
  const bool asking = asking_;
  asking_ = false;
  const bool alone = argv.size() == 1;
  if (!in_multi_ && alone) {
    if (is_word(name, "asking")) {
      asking_ = true;
      return Admission::kAnswered;
    }
    if (is_word(name, "readonly") || is_word(name, "readwrite")) {
      read_only_ = is_word(name, "readonly");
      return Admission::kAnswered;
    }
  }
  std::int64_t db = 0;
  if (is_word(name, "select") && argv.size() == 2 && !in_multi_ && parse_int64(argv[1], db) &&
      db != 0) {
    error.append("ERR SELECT is not allowed in cluster mode");
    return Admission::kRefused;
  }

  const bool exec = alone && in_multi_ && is_word(name, "exec");
  std::pmr::vector<std::string_view> keys(queued_keys_.get_allocator().resource());
  if (exec) {
    keys.assign(queued_keys_.begin(), queued_keys_.end());
  } else {
    append_keys(argv, keys);
  }
  const Routing routing = node.route(
      keys, {.writes = exec ? queue_writes_ : writes, .read_only = read_only_, .asking = asking});
  const bool refused = routing.verdict != Verdict::kServe;
  if (refused) append_redirection(routing, addresses, error);

  if (exec || (alone && is_word(name, "discard"))) {
    in_multi_ = queue_writes_ = false;
    queued_keys_.clear();
    return refused ? Admission::kDiscard : Admission::kPass;
  }
  if (refused) return Admission::kRefused;
  if (in_multi_ && !is_word(name, "watch")) {
    queued_keys_.insert(queued_keys_.end(), keys.begin(), keys.end());
    queue_writes_ = queue_writes_ || writes;
  }
  if (alone && is_word(name, "multi")) in_multi_ = true;
  return Admission::kPass;
}

}  // namespace locklapse::redis
