// What can be injected: each key of a fault that names a kind, what it means, and the keys it
// takes.
#pragma once

#include <span>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace locklapse::scenario {

// What the value of the kind's key is.
enum class FaultTarget : std::uint8_t {
  kProcess,  // a process, or a client for the process it runs in
  kClient,
  kMessage,
  kHost,     // a host, a process or client for the host it runs on, or redis
  kCommand,  // a command line
  kKey,      // a key
  kTrue,     // the word true
};

struct FaultKindInfo {
  std::string_view name;  // the key
  FaultKind kind;
  FaultTarget target;
  std::string_view needs;    // the key it cannot do without; empty: none
  std::string_view takes;    // keys it may have, separated by blanks, beside when and why
  std::string_view meaning;  // one plain line
};

std::span<const FaultKindInfo> fault_kinds();

}  // namespace locklapse::scenario
