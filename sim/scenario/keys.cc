#include "sim/scenario/keys.h"

#include <array>

namespace locklapse::scenario {
namespace {

struct Table {
  std::string_view name;
  std::span<const std::string_view> keys;
};

using Key = std::string_view;
constexpr Key kScenarioKeys[] = {"title",     "story",   "lock",           "redis",  "clients",
                                 "resource",  "network", "client-library", "faults", "horizon",
                                 "processes", "hosts",   "expect"};
constexpr Key kLockKeys[] = {"key",     "ttl",   "strategy",     "token",   "renew",
                             "on-loss", "retry", "at-least-for", "clean-up"};
constexpr Key kTokenKeys[] = {"constant"};
constexpr Key kRenewKeys[] = {"enabled",         "every",         "thread",
                              "stop-at-release", "stop-on-error", "ttl"};
constexpr Key kRetryKeys[] = {"every", "jitter", "limit", "give-up"};
constexpr Key kLibraryKeys[] = {"timeout", "retries", "backoff", "jitter"};
constexpr Key kRedisKeys[] = {"topology", "active-expire", "skew", "drift"};
constexpr Key kClientKeys[] = {"at",     "work",     "call",      "retry",   "process",
                               "thread", "rounds",   "think",     "key",     "db",
                               "token",  "ttl",      "resource",  "order",   "commit-after-release",
                               "nest",   "nest-ttl", "fail-open", "release", "library"};
constexpr Key kCallKeys[] = {"takes", "tries", "fails", "backoff"};
constexpr Key kResourceKeys[] = {"stock", "take", "guard"};
constexpr Key kNetworkKeys[] = {"latency"};
constexpr Key kLatencyKeys[] = {"min", "max"};
constexpr Key kProcessKeys[] = {"host"};
constexpr Key kHostKeys[] = {"skew", "drift"};
constexpr Key kFaultKeys[] = {"at",    "after",     "before",    "plus",    "pause",
                              "stall", "slow",      "crash",     "restart", "drop",
                              "delay", "duplicate", "partition", "clock",   "operator",
                              "del",   "flushall",  "for",       "by",      "restart-after",
                              "later", "step",      "drift",     "db",      "why"};
constexpr Key kExpectationKeys[] = {"outcome", "overlaps", "causes",   "unowned",
                                    "stuck",   "damage",   "releases", "waited",
                                    "held",    "told",     "commands", "commands-per-second",
                                    "guards"};
constexpr Key kRangeKeys[] = {"at-least", "at-most"};

constexpr std::array<Table, kSections> kTables{{
    {"scenario", kScenarioKeys},
    {"lock", kLockKeys},
    {"token", kTokenKeys},
    {"renew", kRenewKeys},
    {"retry", kRetryKeys},
    {"library", kLibraryKeys},
    {"redis", kRedisKeys},
    {"client", kClientKeys},
    {"call", kCallKeys},
    {"resource", kResourceKeys},
    {"network", kNetworkKeys},
    {"latency", kLatencyKeys},
    {"process", kProcessKeys},
    {"host", kHostKeys},
    {"fault", kFaultKeys},
    {"expectation", kExpectationKeys},
    // Under `guards` an expectation says the same things, except that it has no guards of its own.
    {"guard-expectation", std::span(kExpectationKeys).first(std::size(kExpectationKeys) - 1)},
    {"duration-range", kRangeKeys},
    {"count-range", kRangeKeys},
}};

}  // namespace

std::span<const std::string_view> keys_of(Section section) {
  return kTables[static_cast<std::size_t>(section)].keys;
}

std::string_view section_name(Section section) {
  return kTables[static_cast<std::size_t>(section)].name;
}

}  // namespace locklapse::scenario
