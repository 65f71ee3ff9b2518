// Which commands there are, with the arity and the rules that are checked before a command runs.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/redis/dialect.h"
#include "sim/redis/reply.h"

namespace locklapse::redis {

struct Call;

enum CommandFlags : std::uint16_t {
  kReadOnly = 0,
  kWrites = 1 << 0,
  kNotInScript = 1 << 1,
  kImmediate = 1 << 2,        // never queued by MULTI
  kWhileSubscribed = 1 << 3,  // allowed on a connection in RESP2 pub/sub mode
  kContainer = 1 << 4,        // its second word names the command proper
  kReplicates = 1 << 5,       // no write, yet refused in read-only scripts
  kWhileStale = 1 << 6,       // allowed on a replica without its master (replica-serve-stale-data no)
  kWhileLoading = 1 << 7,
  kAlways = kWhileStale | kWhileLoading,
  kTakesMemory = 1 << 8,        // refused for want of memory
  kUnauthenticated = 1 << 9,    // allowed to a client that has not authenticated itself
  kNotInMulti = 1 << 10,        // refused, and spoils the transaction
  kWhileBusy = 1 << 11,         // allowed while a script runs too long
  kHiddenFromMonitors = 1 << 12,
  kProtected = 1 << 13,         // needs enable-debug-command
  kScript = 1 << 14,            // runs one
  kConnects = kUnauthenticated | kWhileBusy | kAlways,
};

struct CommandSpec {
  std::string_view name;  // lower case; "script|load" for a subcommand
  std::int8_t arity;      // counts the name; negative: at least
  std::uint16_t flags;
  Reply (*run)(Call& call);
  DialectSet dialects = kAllDialects;

  bool accepts(std::size_t argc) const {
    return arity >= 0 ? argc == static_cast<std::size_t>(arity)
                      : argc >= static_cast<std::size_t>(-arity);
  }
};

// The command that `name` means, in any case, or null where the dialect has none.
const CommandSpec* find_command(std::string_view name, Dialect dialect);
// REQUIRES: container is one.
const CommandSpec* find_subcommand(const CommandSpec& container, std::string_view name,
                                   Dialect dialect);

}  // namespace locklapse::redis
