// What a sentinel knows of one process that it watches: the master, a replica, another sentinel.
#pragma once

#include <cstdint>

#include "sim/redis/node_id.h"
#include "sim/redis/sentinel_messages.h"

namespace locklapse::redis::sentinel {

// Instants are readings of the sentinel's wall clock in ms; 0 is never.
struct Link {
  bool command_open = false;
  bool pubsub_open = false;
  // Set when either breaks, cleared when both are open again; nothing periodic is sent meanwhile.
  bool broken = true;
  std::uint32_t command = 0;  // their numbers
  std::uint32_t pubsub = 0;
  int unanswered = 0;  // commands
  std::int64_t command_since_ms = 0;
  std::int64_t pubsub_since_ms = 0;
  std::int64_t pubsub_heard_ms = 0;
  std::int64_t reconnected_ms = 0;
  // Since when a ping waits for an acceptable answer; 0 when none does. A new link counts as
  // waiting, so that a peer that can never be reached is found down too.
  std::int64_t ping_waits_since_ms = 0;
  std::int64_t pinged_ms = 0;
  std::int64_t available_ms = 0;  // the last acceptable answer
  std::int64_t answered_ms = 0;   // the last answer of any kind
};

enum class Reconfiguration : std::uint8_t { kNone, kSent, kInProgress, kDone };

struct Instance {
  Peer peer;
  Link link;
  bool down = false;  // SDOWN
  bool script_kill_sent = false;
  std::int64_t down_since_ms = 0;  // stays when it is up again
  std::int64_t published_ms = 0;

  // A node, by its last INFO.
  Role role = Role::kReplica;
  std::int64_t role_since_ms = 0;
  std::int64_t info_ms = 0;
  std::uint64_t run_id = 0;
  NodeId follows = kNoNode;
  std::int64_t follows_since_ms = 0;
  bool master_link_up = false;
  std::int64_t master_link_down_ms = 0;
  std::int64_t offset = 0;
  int priority = 100;

  // A replica, in a failover.
  bool promoted = false;
  Reconfiguration reconfiguration = Reconfiguration::kNone;
  std::int64_t reconfiguration_sent_ms = 0;

  // A sentinel, by its last answer.
  bool says_master_down = false;
  SentinelId vote = kNoSentinel;
  std::uint64_t vote_epoch = 0;
  std::int64_t said_ms = 0;
};

}  // namespace locklapse::redis::sentinel
