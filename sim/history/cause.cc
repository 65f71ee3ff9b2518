#include "sim/history/cause.h"

namespace locklapse {
namespace {

struct Named {
  Cause cause;
  std::string_view name;
  std::string_view meaning;
};

// In the order of the enumeration: the lookup below is by index.
constexpr Named kNamed[] = {
    {Cause::kTtlOverrun, "ttl-overrun",
     "The holder stayed inside longer than the TTL it had, so Redis gave the lock away."},
    {Cause::kUnownedDelete, "unowned-delete",
     "A client deleted a key that stood for another client's acquisition."},
    {Cause::kUnownedExtend, "unowned-extend",
     "A client set the TTL of a key that stood for another client's acquisition."},
    {Cause::kUnownedWrite, "unowned-write",
     "A client overwrote a key that stood for another client's acquisition."},
    {Cause::kKeyMismatch, "key-mismatch",
     "The clients guard one resource with different keys or databases, so they never excluded each "
     "other."},
    {Cause::kFailoverLoss, "failover-loss",
     "The primary failed before the lock had reached the replica that took over."},
    {Cause::kRestartLoss, "restart-loss",
     "A Redis node restarted without the lock it had granted."},
    {Cause::kClockJump, "clock-jump",
     "A clock was stepped, so a deadline came too early or too late."},
    {Cause::kClockSkew, "clock-skew",
     "Clocks disagreed or ran at different rates, so a deadline meant different instants."},
    {Cause::kNoValidityCheck, "no-validity-check",
     "The client believed an acquire whose TTL had already passed when the reply arrived."},
    {Cause::kSilentReacquire, "silent-reacquire",
     "A renewal created the lost key anew instead of reporting the loss."},
    {Cause::kLostReply, "lost-reply",
     "The command was executed but its reply never arrived, so the client did not know."},
    {Cause::kDuplicateCommand, "duplicate-command",
     "A command was executed twice although it was meant once."},
    {Cause::kRenewalDied, "renewal-died",
     "The renewal stopped while its owner was still inside, and the owner was not stopped."},
    {Cause::kRenewalOutlivesOwner, "renewal-outlives-owner",
     "A renewal went on after its owner had released or died, and kept the lock alive."},
    {Cause::kReentrancy, "reentrancy",
     "Nested acquisitions of one lock were counted, renewed or released wrongly."},
    {Cause::kTokenCollision, "token-collision",
     "Two acquisitions used the same token, so Redis could not tell them apart."},
    {Cause::kWrongOwnerRelease, "wrong-owner-release",
     "A thread or process other than the holder released the lock with the holder's identity."},
    {Cause::kEviction, "eviction", "Redis evicted the key to free memory before its TTL ended."},
    {Cause::kThirdPartyDelete, "third-party-delete",
     "Someone outside the protocol removed the key, for example an operator."},
    {Cause::kFailOpen, "fail-open",
     "A client went on without the lock because it could not get it."},
    {Cause::kLostWakeup, "lost-wakeup",
     "A waiter was not woken when the lock became free and waited on."},
    {Cause::kStuckNoTtl, "stuck-no-ttl",
     "The key has no TTL and nobody is left to delete it: the lock is stuck for ever."},
    {Cause::kStuckUntilTtl, "stuck-until-ttl",
     "The holder is gone but the key remains until its TTL ends."},
    {Cause::kLateNotify, "late-notify",
     "The holder was told of the loss only after another client had entered."},
    {Cause::kDelayedWrite, "delayed-write",
     "A write sent under the lock arrived after the lock had passed on."},
    {Cause::kReleasedTooEarly, "released-too-early",
     "The lock was released before the work it guards was visible or done."},
    {Cause::kReleaseRefused, "release-refused",
     "The release was answered but did not free the key, which still stood for this acquisition."},
    {Cause::kQuorumMismatch, "quorum-mismatch",
     "The clients counted their majorities over different nodes, or of different sizes, so two of them "
     "need not meet."},
};

constexpr bool in_order() {
  for (int i = 0; i < kCauses; ++i) {
    if (static_cast<int>(kNamed[i].cause) != i) return false;
  }
  return true;
}
static_assert(sizeof(kNamed) / sizeof(kNamed[0]) == kCauses && in_order());

}  // namespace

std::string_view cause_name(Cause cause) { return kNamed[static_cast<int>(cause)].name; }

std::string_view cause_meaning(Cause cause) { return kNamed[static_cast<int>(cause)].meaning; }

std::optional<Cause> find_cause(std::string_view name) {
  for (const Named& each : kNamed) {
    if (each.name == name) return each.cause;
  }
  return std::nullopt;
}

}  // namespace locklapse
