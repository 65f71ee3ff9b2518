// What a history is made of: who takes part, and the events in the order they happened.
//
// The vocabulary stands in core because every layer below speaks it: the world and the locks write it
// down (journal.h), sim/history judges it, reports/ draw it. A history may come from anywhere, so an
// event explains itself and nothing outside the history is needed to read it.
//
// Invariant: events are in ascending order of `at`; events of one instant stand in the order in which
// they took place.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/core/time.h"

namespace locklapse {

using ClientId = std::uint16_t;
inline constexpr ClientId kNoClient = 0xffff;
using PlaceId = std::uint16_t;  // the index of a node, host, process or resource, as the kind says
inline constexpr PlaceId kNoPlace = 0xffff;

// What a client was doing when it sent a command.
enum class Phase : std::uint8_t { kNone, kAcquire, kRenew, kRelease, kWait, kRead, kWrite, kOperator };

enum class EventKind : std::uint8_t {
  // A client and its lock. `attempt` counts the client's tries from 1.
  kAttempt,        // begins a try. text: token; detail: key; number: depth, 2 or more inside its own lock
  kRefused,        // the lock said no
  kUnknown,        // no answer: the lock may or may not have been taken
  kGaveUp,         // stops trying. number: tries made
  kEntered,        // is inside its critical section. text: token; number: fence number (0 none);
                   // extra: 1 when it goes on without a lock (fail open)
  kReentered,      // took a lock it already holds. number: nesting depth now
  kTold,           // learns that it lost the lock. text: how
  kLeft,           // ends its critical section. text: "done", "stopped", "failed", "crashed"
  kReleasing,      // sets out to release
  kReleased,       // the release was answered. text: the reply; number: 1 released, 0 refused, -1 unknown
  kFinished,       // ends its life
  kRenewing,       // a renewal loop starts. number: period in ns
  kRenewed,        // a renewal succeeded. number: the TTL given, ms
  kRenewalEnded,   // text: "stopped", "lost", "failed", "crashed"
  // Commands. `command` joins the events of one command; `place`: the node or resource it goes to.
  kSent,           // text: the command line; detail: its name in lower case; extra: 1 for a resource
  kResent,         // the client library sends it again. number: sendings so far
  kExecuted,       // text: the reply; number: which sending, from 1
  kReplied,        // the reply reached the client. text: the reply
  kTimedOut,       // the client stops waiting. text: why, unless for the time: "connection refused",
                   // "connection reset"
  kRedirected,     // the client library turns to another node. text: the reply that told it, or "discovery";
                   // place: the node it turns to
  kDropped,        // a message was lost. text: "request" or "reply"
  kDelayed,        // a message is late. text: "request" or "reply"; number: by how much, ns
  kDuplicated,     // a message will arrive twice. text: "request" or "reply"
  // Keys. `place`: node; client, attempt and command: by whom (kNoClient: an operator or the server). What
  // reaches a replica has the client and the attempt of the master's command, and 0 for `command`.
  kKeyWritten,     // text: key; detail: owner after; number: deadline (node's wall clock, ms; -1 none);
                   // extra: hold count
  kKeyDeadline,    // only the TTL changed. As above
  kKeyRemoved,     // by a command. text: key; detail: owner before
  kKeyExpired,     // physically removed after its TTL. text: key; detail: owner before
  kKeyEvicted,     // removed by the server for want of memory. text: key; detail: owner before
  kKeyLost,        // gone with the node's memory: it restarted without it, or took over its master's data.
                   // text: key; detail: owner before
  kKeyRestored,    // there again after a restart or a resync. As kKeyWritten
  kTtlEnded,       // the TTL ran out at this instant. text: key; detail: owner; number: deadline
  // The guarded resource. `place`: resource.
  kRead,           // number: quantity read; extra: version read
  kWritten,        // accepted; raises the version by one. number: quantity after; extra: the version the
                   // writer had read, -1 when it computed from the current one; text: order id
  kWriteRefused,   // text: order id; detail: why
  // Work.
  kWorking,        // the client's work starts. number: planned length, ns
  kWorked,         // it ends
  kCalling,        // a try of a slow downstream call starts. number: which, from 1; extra: its length, ns
  kCalled,         // it ends. number: which; extra: 1 succeeded, 0 failed
  // Faults. `number`: length in ns unless said; `text`: the reason given ("gc").
  kPaused, kResumed,        // place: process
  kStalled, kUnstalled,     // client
  kCrashed, kRestarted,     // place: process
  kSlowed,                  // client. number: by how much
  kClockStepped,            // place: host. number: by how much, ns
  kClockDrifted,            // place: host. number: ppm
  kPartitioned, kHealed,    // client; or kNoClient: text names who is cut off from all others, "A, n1", and
                            // detail what is lost: "" both ways, "to" them or "from" them
  kOperator,                // someone outside runs a command. text: the command line; place: node
  // Nodes. `place`: node.
  kNodeStopped,             // text: why; detail: "shutdown", "crash" (of the process) or "power"
  kNodeStarted,
  kNodePaused, kNodeResumed,   // number: length in ns; text: why
  kPromoted,                // is a master from now on. text: by whom ("operator", "s1")
  kDemoted,                 // follows another. number: the node it follows, by index; text: by whom
  kSynced,                  // took over its master's data, or went on. text: "full" or "partial"; number: master
  kFailoverStep,            // what a sentinel or a cluster node concluded. text: "+sdown"; detail: who;
                            // place: the node it is about
  kFaultFired,              // number: the fault's index in the scenario
};
inline constexpr int kEventKinds = static_cast<int>(EventKind::kFaultFired) + 1;

struct Event {
  Time at;
  EventKind kind;
  Phase phase = Phase::kNone;
  ClientId client = kNoClient;
  PlaceId place = kNoPlace;
  std::uint32_t attempt = 0;
  std::uint32_t command = 0;
  std::string_view text = {};
  std::string_view detail = {};
  std::int64_t number = 0;
  std::int64_t extra = 0;

  bool operator==(const Event&) const = default;
};

// Who takes part, as far as a reader of events needs to know.
struct ClientInfo {
  std::string_view name;
  PlaceId process = 0;
  PlaceId host = 0;
  PlaceId resource = kNoPlace;   // the resource it is out for; kNoPlace: "the" resource, unnamed
  int db = 0;
  std::string_view key;
  std::string_view lock_name;    // the key as events name it: with "dbN/" before it unless N is 0
  std::string_view thread;       // the identity a reentrant lock knows it by
  std::int64_t ttl_ms = 0;       // 0: none
  bool renews = false;
  int quorum = 1;                // on how many nodes its key must stand for it to have the lock
};

}  // namespace locklapse
