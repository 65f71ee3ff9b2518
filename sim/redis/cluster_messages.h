// What cluster nodes send one another over the bus.
//
// A node numbers the connections it opens, one to every other node. What it says of its own accord
// goes over its own connection; a PONG comes back over the one on which the PING came. Packets on a
// connection arrive in order or not at all, and those of a connection that has been closed since
// are dropped.
//
// Everything here is plain: a packet may be copied byte for byte.
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <type_traits>
#include <variant>
#include <vector>

#include "sim/redis/cluster_slots.h"
#include "sim/redis/node_id.h"

namespace locklapse::redis::cluster {

// Opens a connection. The other end's host answers Connected, though the process be paused, or
// LinkDown; what is sent before that is delivered after it.
struct Connect {};
struct Close {};
struct Connected {};
// The connection is gone: refused, reset, closed by the other end.
struct LinkDown {};

enum class MessageKind : std::uint8_t {
  kPing,
  kPong,
  kFail,         // `about` is down, a majority says so
  kVoteRequest,  // FAILOVER_AUTH_REQUEST
  kVote,         // FAILOVER_AUTH_ACK
  kUpdate,       // `about` owns `about_slots` by `about_epoch`: you are behind
};

// What a node says of others along with a PING or PONG.
struct Gossip {
  struct Heard {
    NodeId node;
    std::int64_t pong_s;  // when the sender last had a pong of it, in seconds of the sender's clock
  };
  static constexpr int kHeardMax = 6;

  NodeSet failing;  // PFAIL or FAIL
  std::array<Heard, kHeardMax> alive{};
  int alive_count = 0;
};

struct Message {
  MessageKind kind;
  // Of the sender.
  NodeId master = kNoNode;  // whom it replicates; kNoNode for a master
  bool no_failover = false;
  std::uint64_t current_epoch = 0;
  // A replica states its master's.
  std::uint64_t config_epoch = 0;
  RangeSet slots;
  std::int64_t offset = 0;

  Gossip gossip;
  NodeId about = kNoNode;
  std::uint64_t about_epoch = 0;
  RangeSet about_slots;
};

using Body = std::variant<Connect, Close, Connected, LinkDown, Message>;

struct Packet {
  NodeId peer;  // to whom, in an outbox; from whom, when received
  // Whose connection it is: the receiver's (a PONG, Connected, LinkDown) or the sender's.
  bool on_receivers_link = false;
  std::uint32_t connection = 0;
  Body body;
};
static_assert(std::is_trivially_copyable_v<Packet>);

using Outbox = std::pmr::vector<Packet>;

}  // namespace locklapse::redis::cluster
