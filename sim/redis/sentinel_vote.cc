// Whether the master is down, by this sentinel's opinion and by that of the others; votes.
#include <algorithm>
#include <array>

#include "sim/redis/sentinel.h"
#include "sim/redis/sentinel_times.h"

namespace locklapse::redis {

using namespace sentinel;  // NOLINT: the vocabulary of this class

void Sentinel::check_subjectively_down(Instance& instance, const Now& now) {
  const Link& link = instance.link;
  std::int64_t silent_ms = 0;
  if (link.ping_waits_since_ms != 0) {
    silent_ms = now.ms - link.ping_waits_since_ms;
  } else if (link.broken) {
    silent_ms = now.ms - link.available_ms;
  }
  const bool calls_itself_replica =
      &instance == &master_ && instance.role == Role::kReplica &&
      now.ms - instance.role_since_ms > config_.down_after_ms + 2 * kInfoPeriodMs;
  const bool down = silent_ms > config_.down_after_ms || calls_itself_replica;
  if (down == instance.down) return;
  instance.down = down;
  if (down) {
    instance.down_since_ms = now.ms;
  } else {
    instance.script_kill_sent = false;
  }
  tell(down ? SentinelEventKind::kSubjectivelyDown : SentinelEventKind::kSubjectivelyUp, now.at,
       instance.peer);
}

void Sentinel::check_objectively_down(const Now& now) {
  int agree = 0;
  if (master_.down) {
    agree = 1 + static_cast<int>(
                    std::count_if(sentinels_.begin(), sentinels_.end(),
                                  [](const Instance& other) { return other.says_master_down; }));
  }
  const bool down = master_.down && agree >= config_.quorum;
  if (down == objectively_down_) return;
  objectively_down_ = down;
  tell(down ? SentinelEventKind::kObjectivelyDown : SentinelEventKind::kObjectivelyUp, now.at,
       master_.peer);
}

void Sentinel::ask_others(bool at_once, const Now& now) {
  for (Instance& other : sentinels_) {
    const std::int64_t age_ms = now.ms - other.said_ms;
    if (age_ms > kAskPeriodMs * 5) {
      other.says_master_down = false;
      other.vote = kNoSentinel;
    }
    if (!master_.down || other.link.broken) continue;
    if (!at_once && age_ms < kAskPeriodMs) continue;
    const SentinelId candidate = state_ == FailoverState::kNone ? kNoSentinel : config_.id;
    send(other, IsMasterDown{master_.peer.node(), current_epoch_, candidate}, now);
  }
}

MasterDownReply Sentinel::judge_master(const IsMasterDown& question, const Now& now) {
  MasterDownReply reply;
  if (question.master != master_.peer.node()) return reply;
  reply.down = !tilt_ && master_.down;
  if (question.candidate == kNoSentinel) return reply;
  vote(question.epoch, question.candidate, now);
  reply.leader = vote_;
  reply.epoch = vote_epoch_;
  return reply;
}

void Sentinel::on_master_down_reply(Instance& other, const MasterDownReply& reply, const Now& now) {
  other.said_ms = now.ms;
  other.says_master_down = reply.down;
  if (reply.leader == kNoSentinel) return;
  other.vote = reply.leader;
  other.vote_epoch = reply.epoch;
}

void Sentinel::enter_epoch(std::uint64_t epoch, const Now& now) {
  if (epoch <= current_epoch_) return;
  current_epoch_ = epoch;
  tell(SentinelEventKind::kNewEpoch, now.at, master_.peer);
}

void Sentinel::vote(std::uint64_t epoch, SentinelId candidate, const Now& now) {
  enter_epoch(epoch, now);
  if (vote_epoch_ >= epoch || current_epoch_ > epoch) return;
  vote_ = candidate;
  vote_epoch_ = current_epoch_;
  tell(SentinelEventKind::kVote, now.at, master_.peer);
  // Whoever has voted for another leaves it the time to act.
  if (candidate != config_.id) {
    failover_start_ms_ = now.ms + jitter_(JitterKind::kDesync, kDesyncMs);
  }
}

SentinelId Sentinel::elected(const Now& now) {
  std::array<int, kIdsMax> votes{};
  SentinelId winner = kNoSentinel;
  int most = 0;
  const auto count = [&](SentinelId candidate) {
    const int reached = ++votes[static_cast<std::uint16_t>(candidate)];
    if (reached <= most) return;
    most = reached;
    winner = candidate;
  };
  for (const Instance& other : sentinels_) {
    if (other.vote != kNoSentinel && other.vote_epoch == current_epoch_) count(other.vote);
  }
  // Its own vote, if it is still free, goes with the others', or to itself.
  vote(failover_epoch_, winner == kNoSentinel ? config_.id : winner, now);
  if (vote_ != kNoSentinel && vote_epoch_ == failover_epoch_) count(vote_);

  const int voters = static_cast<int>(sentinels_.size()) + 1;
  const int needed = std::max(voters / 2 + 1, config_.quorum);
  return most >= needed ? winner : kNoSentinel;
}

}  // namespace locklapse::redis
