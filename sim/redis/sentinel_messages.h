// What a sentinel sends and receives: commands to Redis nodes and to other sentinels, their
// answers, and what becomes of its connections.
//
// A sentinel numbers the connections it opens. Every packet on one, in either direction, carries
// that number, and a connection delivers in order or not at all; answers that come in on a
// connection which has been closed since are dropped by the sentinel. To a node it opens two, for
// commands and for the hello channel; to a sentinel one.
//
// Everything here is plain: a packet may be copied byte for byte.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <type_traits>
#include <variant>
#include <vector>

#include "sim/redis/node_id.h"

namespace locklapse::redis::sentinel {

// Another process: a Redis node or a sentinel.
struct Peer {
  bool is_sentinel = false;
  std::uint16_t index = 0;

  bool operator==(const Peer&) const = default;
  NodeId node() const { return NodeId{index}; }
  SentinelId sentinel() const { return SentinelId{index}; }
};
constexpr Peer peer(NodeId node) { return {false, static_cast<std::uint16_t>(node)}; }
constexpr Peer peer(SentinelId sentinel) { return {true, static_cast<std::uint16_t>(sentinel)}; }

enum class Channel : std::uint8_t { kCommand, kPubSub };
enum class Role : std::uint8_t { kMaster, kReplica };

// --- from a sentinel

// Opens the connection; the pub/sub one also subscribes to the hello channel. Nothing answers: what
// follows is sent without waiting, and a refusal comes back as LinkDown.
struct Connect {};
struct Close {};
struct Ping {};
struct Info {};
// What a sentinel tells of itself and of the master it follows, every 2 s to every peer. A node
// hands it to each subscriber of its hello channel (and its replicas to theirs), the sender
// included.
struct Hello {
  SentinelId from = kNoSentinel;
  std::uint64_t current_epoch = 0;
  NodeId master = kNoNode;
  std::uint64_t config_epoch = 0;

  bool operator==(const Hello&) const = default;
};
struct Publish {
  Hello hello;
};
// MULTI; SLAVEOF; CONFIG REWRITE; CLIENT KILL TYPE normal; CLIENT KILL TYPE pubsub; EXEC. It cuts
// every client of the node off, every connection of other sentinels, and the sender's own to the
// hello channel; only the one it came on stays. Answered by Done.
struct SlaveOf {
  NodeId master = kNoNode;  // kNoNode: NO ONE
};
struct ScriptKill {};
// SENTINEL IS-MASTER-DOWN-BY-ADDR; with a candidate it also asks for a vote.
struct IsMasterDown {
  NodeId master = kNoNode;
  std::uint64_t epoch = 0;
  SentinelId candidate = kNoSentinel;
};

// --- to a sentinel

enum class PingReply : std::uint8_t { kPong, kLoading, kMasterDown, kBusy, kOtherError };
struct Pong {
  PingReply reply = PingReply::kPong;
};
// The part of INFO that a sentinel reads.
struct InfoReply {
  Role role = Role::kMaster;
  std::uint64_t run_id = 0;  // new at every start of the process; 0 is none
  NodeSet replicas;          // of a master: those connected to it
  NodeId master = kNoNode;   // of a replica
  bool master_link_up = false;
  std::int64_t master_link_down_s = 0;  // master_link_down_since_seconds; 0 while the link is up
  std::int64_t offset = 0;
  int priority = 100;
};
struct Published {
  bool accepted = true;
};
struct Done {};  // an answer nobody reads
struct MasterDownReply {
  bool down = false;
  SentinelId leader = kNoSentinel;  // whom it voted for, in `epoch`
  std::uint64_t epoch = 0;
};
// A message of the hello channel.
struct Heard {
  Hello hello;
};
// The connection is gone: refused, reset, closed by the other end.
struct LinkDown {};

using Body = std::variant<Connect, Close, Ping, Info, Publish, SlaveOf, ScriptKill, IsMasterDown,
                          Pong, InfoReply, Published, Done, MasterDownReply, Heard, LinkDown>;

struct Packet {
  Peer peer;  // to whom, in an outbox; from whom, when received
  Channel channel = Channel::kCommand;
  std::uint32_t connection = 0;
  Body body;
};
static_assert(std::is_trivially_copyable_v<Packet>);

using Outbox = std::pmr::vector<Packet>;

}  // namespace locklapse::redis::sentinel
