// A sentinel's connections, and the commands that it sends on them again and again.
#include <algorithm>

#include "sim/redis/sentinel.h"
#include "sim/redis/sentinel_times.h"

namespace locklapse::redis {

using namespace sentinel;  // NOLINT: the vocabulary of this class

void Sentinel::send(Instance& instance, const Body& body, const Now& now) {
  now.outbox.push_back({instance.peer, Channel::kCommand, instance.link.command, body});
  ++instance.link.unanswered;
}

void Sentinel::open(Instance& instance, Channel channel, const Now& now) {
  Link& link = instance.link;
  const std::uint32_t number = ++connections_;
  if (channel == Channel::kCommand) {
    link.command_open = true;
    link.command = number;
    link.command_since_ms = now.ms;
    link.unanswered = 0;
  } else {
    link.pubsub_open = true;
    link.pubsub = number;
    link.pubsub_since_ms = now.ms;
  }
  now.outbox.push_back({instance.peer, channel, number, Connect{}});
}

void Sentinel::close(Instance& instance, Channel channel, const Now& now) {
  Link& link = instance.link;
  const bool command = channel == Channel::kCommand;
  if (command ? !link.command_open : !link.pubsub_open) return;
  const std::uint32_t number = command ? link.command : link.pubsub;
  now.outbox.push_back({instance.peer, channel, number, Close{}});
  on_link_down(instance, channel);
}

void Sentinel::on_link_down(Instance& instance, Channel channel) {
  Link& link = instance.link;
  (channel == Channel::kCommand ? link.command_open : link.pubsub_open) = false;
  link.broken = true;
}

// Opening takes it for granted that the peer is there. A refusal comes later, and then the ping
// that was sent along has been waiting since now: this is what starts the time to SDOWN after a
// crash.
void Sentinel::reconnect(Instance& instance, const Now& now) {
  Link& link = instance.link;
  if (!link.broken || now.ms - link.reconnected_ms < kPingPeriodMs) return;
  link.reconnected_ms = now.ms;
  if (!link.command_open) {
    open(instance, Channel::kCommand, now);
    send_ping(instance, now);
  }
  if (!instance.peer.is_sentinel && !link.pubsub_open) open(instance, Channel::kPubSub, now);
  link.broken = false;
}

void Sentinel::send_ping(Instance& instance, const Now& now) {
  send(instance, Ping{}, now);
  Link& link = instance.link;
  link.pinged_ms = now.ms;
  if (link.ping_waits_since_ms == 0) link.ping_waits_since_ms = now.ms;
}

void Sentinel::send_periodic(Instance& instance, const Now& now) {
  const Link& link = instance.link;
  if (link.broken || link.unanswered >= kUnansweredMax) return;
  const bool replica = !instance.peer.is_sentinel && &instance != &master_;
  const bool trouble = replica && (objectively_down_ || state_ != FailoverState::kNone ||
                                   instance.master_link_down_ms != 0);
  const std::int64_t info_period_ms = trouble ? kInfoPeriodInTroubleMs : kInfoPeriodMs;
  if (!instance.peer.is_sentinel &&
      (instance.info_ms == 0 || now.ms - instance.info_ms > info_period_ms)) {
    send(instance, Info{}, now);
  }
  const std::int64_t ping_period_ms = std::min(kPingPeriodMs, config_.down_after_ms);
  if (now.ms - link.answered_ms > ping_period_ms && now.ms - link.pinged_ms > ping_period_ms / 2) {
    send_ping(instance, now);
  }
  if (now.ms - instance.published_ms > kPublishPeriodMs) {
    send(instance, Publish{{config_.id, current_epoch_, master_address(), config_epoch_}}, now);
  }
}

void Sentinel::renew_stale_links(Instance& instance, const Now& now) {
  const Link& link = instance.link;
  const std::int64_t half_ms = config_.down_after_ms / 2;
  if (link.command_open && now.ms - link.command_since_ms > kStaleLinkAgeMs &&
      link.ping_waits_since_ms != 0 && now.ms - link.ping_waits_since_ms > half_ms &&
      now.ms - link.answered_ms > half_ms) {
    close(instance, Channel::kCommand, now);
  }
  if (link.pubsub_open && now.ms - link.pubsub_since_ms > kStaleLinkAgeMs &&
      now.ms - link.pubsub_heard_ms > kPublishPeriodMs * 3) {
    close(instance, Channel::kPubSub, now);
  }
}

void Sentinel::on_pong(Instance& instance, PingReply reply, const Now& now) {
  Link& link = instance.link;
  link.answered_ms = now.ms;
  switch (reply) {
    case PingReply::kPong:
    case PingReply::kLoading:
    case PingReply::kMasterDown:
      link.available_ms = now.ms;
      link.ping_waits_since_ms = 0;
      return;
    case PingReply::kBusy:
      if (instance.down && !instance.script_kill_sent) {
        send(instance, ScriptKill{}, now);
        instance.script_kill_sent = true;
      }
      return;
    case PingReply::kOtherError:
      return;
  }
}

void Sentinel::serve(const Packet& packet, const Now& now) {
  if (std::holds_alternative<Ping>(packet.body)) {
    answer(packet, Pong{}, now);
  } else if (const auto* published = std::get_if<Publish>(&packet.body)) {
    on_hello(published->hello, now);
    answer(packet, Published{}, now);
  } else if (const auto* question = std::get_if<IsMasterDown>(&packet.body)) {
    answer(packet, judge_master(*question, now), now);
  }
}

void Sentinel::answer(const Packet& request, const Body& body, const Now& now) const {
  now.outbox.push_back({request.peer, request.channel, request.connection, body});
}

}  // namespace locklapse::redis
