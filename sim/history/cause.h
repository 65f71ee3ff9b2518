// Why an overlap or a stuck lock came about: the fixed list, its names and one line on each.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace locklapse {

enum class Cause : std::uint8_t {
  kTtlOverrun, kUnownedDelete, kUnownedExtend, kUnownedWrite, kKeyMismatch, kFailoverLoss, kRestartLoss,
  kClockJump, kClockSkew, kNoValidityCheck, kSilentReacquire, kLostReply, kDuplicateCommand, kRenewalDied,
  kRenewalOutlivesOwner, kReentrancy, kTokenCollision, kWrongOwnerRelease, kEviction, kThirdPartyDelete,
  kFailOpen, kLostWakeup, kStuckNoTtl, kStuckUntilTtl, kLateNotify, kDelayedWrite, kReleasedTooEarly,
  kReleaseRefused, kQuorumMismatch,
};
inline constexpr int kCauses = static_cast<int>(Cause::kQuorumMismatch) + 1;

std::string_view cause_name(Cause cause);         // "ttl-overrun"
std::string_view cause_meaning(Cause cause);      // one plain sentence
std::optional<Cause> find_cause(std::string_view name);

}  // namespace locklapse
