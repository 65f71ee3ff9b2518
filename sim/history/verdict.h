// What the oracles say of a history, as plain data. Every report is made from (History, Verdict).
//
// Times are true time. `because` is one plain sentence of evidence whose figures are all in the history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/event.h"
#include "sim/core/time.h"
#include "sim/history/cause.h"

namespace locklapse {

enum class Outcome : std::uint8_t { kSafe, kViolated, kUnknown, kNotExercised };
std::string_view outcome_name(Outcome outcome);

// Two holders of one resource at one instant: from `from` until the first of the two left.
struct Overlap {
  std::string resource;
  ClientId first = kNoClient;     // was inside already
  ClientId second = kNoClient;    // came in
  Time from, to;
  Cause cause = Cause::kTtlOverrun;
  std::vector<Cause> contributing;
  std::string because;
};

// A DEL, PEXPIRE or SET that hit a key another acquisition owned.
struct UnownedMutation {
  ClientId client = kNoClient;
  std::string command;            // the command line
  std::string key;
  ClientId owner = kNoClient;     // whose acquisition the key stood for
  std::string owner_token;
  Time at;
  Cause cause = Cause::kUnownedDelete;   // kUnownedDelete, kUnownedExtend or kUnownedWrite
};

// The key is there and nobody holds.
struct StuckLock {
  std::string key;
  Time from;
  std::optional<Time> to;         // empty: for ever
  Cause cause = Cause::kStuckUntilTtl;
  std::vector<Cause> contributing;
  std::string because;
};

enum class DamageKind : std::uint8_t { kLostUpdate, kOversell, kDuplicateProcessing, kStaleWrite };
std::string_view damage_name(DamageKind kind);

struct Damage {
  DamageKind kind = DamageKind::kLostUpdate;
  ClientId client = kNoClient;
  Time at;
  std::string detail;
  std::optional<Cause> cause;     // set where the damage has a cause of its own, without any overlap
};

// A holder that lost its lock while inside.
struct Told {
  ClientId client = kNoClient;
  Time lost_at;
  std::optional<Time> told_at;    // empty: never
};

struct ClientSummary {
  ClientId client = kNoClient;
  std::uint32_t attempts = 0;
  std::uint32_t refused = 0;
  std::optional<Time> acquired_at;    // the first time
  Duration waited{};                  // from the first try to the acquisition or to giving up, all rounds
  Duration held{};                    // inside critical sections, all rounds
  std::optional<Time> released_at;    // the last release that was answered
  std::string release_reply;          // the reply as a person reads it; empty if none
  std::string token;                  // of the last acquisition, or else of the last try
  std::int64_t ttl_ms = 0;
};

struct Counters {
  std::uint32_t acquisitions = 0;
  std::uint32_t refused = 0;
  std::uint32_t failed_releases = 0;     // answered, but nothing of ours was there
  std::uint32_t holds_over_ttl = 0;      // sections longer than the TTL they were taken with
  std::uint32_t redis_commands = 0;      // executed on any node
  std::int64_t redis_commands_per_s_max = 0;   // in the busiest second
  Duration waited_total{};
};

// Findings of one kind beyond this are counted and left out: a run that breaks at every turn breaks alike.
inline constexpr std::size_t kFindingsMax = 10'000;

struct Verdict {
  Outcome outcome = Outcome::kSafe;
  std::string outcome_reason;          // one sentence: why unknown or not exercised; empty otherwise
  std::vector<Overlap> overlaps;
  std::vector<UnownedMutation> unowned;
  std::vector<StuckLock> stuck;
  std::vector<Damage> damage;
  std::vector<Told> told;
  std::vector<ClientSummary> clients;
  Counters counters;
  std::uint64_t left_out = 0;          // findings beyond kFindingsMax of their kind
};

}  // namespace locklapse
