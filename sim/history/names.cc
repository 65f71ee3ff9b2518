// The words that reports and JSON use for what a history and a verdict are made of.
//
// Each function is a switch without a default, so the compiler names an enumerator that was
// forgotten.
#include "sim/history/history.h"
#include "sim/history/verdict.h"

// clang-format off
namespace locklapse {

std::string_view event_name(EventKind kind) {
  switch (kind) {
    case EventKind::kAttempt: return "attempt";
    case EventKind::kRefused: return "refused";
    case EventKind::kUnknown: return "unknown";
    case EventKind::kGaveUp: return "gave-up";
    case EventKind::kEntered: return "entered";
    case EventKind::kReentered: return "reentered";
    case EventKind::kTold: return "told";
    case EventKind::kLeft: return "left";
    case EventKind::kReleasing: return "releasing";
    case EventKind::kReleased: return "released";
    case EventKind::kFinished: return "finished";
    case EventKind::kRenewing: return "renewing";
    case EventKind::kRenewed: return "renewed";
    case EventKind::kRenewalEnded: return "renewal-ended";
    case EventKind::kSent: return "sent";
    case EventKind::kResent: return "resent";
    case EventKind::kExecuted: return "executed";
    case EventKind::kReplied: return "replied";
    case EventKind::kTimedOut: return "timed-out";
    case EventKind::kRedirected: return "redirected";
    case EventKind::kDropped: return "dropped";
    case EventKind::kDelayed: return "delayed";
    case EventKind::kDuplicated: return "duplicated";
    case EventKind::kKeyWritten: return "key-written";
    case EventKind::kKeyDeadline: return "key-deadline";
    case EventKind::kKeyRemoved: return "key-removed";
    case EventKind::kKeyExpired: return "key-expired";
    case EventKind::kKeyEvicted: return "key-evicted";
    case EventKind::kKeyLost: return "key-lost";
    case EventKind::kKeyRestored: return "key-restored";
    case EventKind::kTtlEnded: return "ttl-ended";
    case EventKind::kRead: return "read";
    case EventKind::kWritten: return "written";
    case EventKind::kWriteRefused: return "write-refused";
    case EventKind::kWorking: return "working";
    case EventKind::kWorked: return "worked";
    case EventKind::kCalling: return "calling";
    case EventKind::kCalled: return "called";
    case EventKind::kPaused: return "paused";
    case EventKind::kResumed: return "resumed";
    case EventKind::kStalled: return "stalled";
    case EventKind::kUnstalled: return "unstalled";
    case EventKind::kCrashed: return "crashed";
    case EventKind::kRestarted: return "restarted";
    case EventKind::kSlowed: return "slowed";
    case EventKind::kClockStepped: return "clock-stepped";
    case EventKind::kClockDrifted: return "clock-drifted";
    case EventKind::kPartitioned: return "partitioned";
    case EventKind::kHealed: return "healed";
    case EventKind::kOperator: return "operator";
    case EventKind::kNodeStopped: return "node-stopped";
    case EventKind::kNodeStarted: return "node-started";
    case EventKind::kNodePaused: return "node-paused";
    case EventKind::kNodeResumed: return "node-resumed";
    case EventKind::kPromoted: return "promoted";
    case EventKind::kDemoted: return "demoted";
    case EventKind::kSynced: return "synced";
    case EventKind::kFailoverStep: return "failover-step";
    case EventKind::kFaultFired: return "fault-fired";
  }
  return "";
}

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::kNone: return "none";
    case Phase::kAcquire: return "acquire";
    case Phase::kRenew: return "renew";
    case Phase::kRelease: return "release";
    case Phase::kWait: return "wait";
    case Phase::kRead: return "read";
    case Phase::kWrite: return "write";
    case Phase::kOperator: return "operator";
  }
  return "";
}

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSafe: return "safe";
    case Outcome::kViolated: return "violated";
    case Outcome::kUnknown: return "unknown";
    case Outcome::kNotExercised: return "not-exercised";
  }
  return "";
}

std::string_view damage_name(DamageKind kind) {
  switch (kind) {
    case DamageKind::kLostUpdate: return "lost-update";
    case DamageKind::kOversell: return "oversell";
    case DamageKind::kDuplicateProcessing: return "duplicate-processing";
    case DamageKind::kStaleWrite: return "stale-write";
  }
  return "";
}

}  // namespace locklapse
// clang-format on
