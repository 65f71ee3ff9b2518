// How the guarded resource defends itself. Guards combine: "fence+idempotent".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace locklapse {

struct Guard {
  bool atomic_update = false;   // quantity = quantity - n where quantity >= n, in one statement
  bool version = false;         // a write must name the version it has read
  bool idempotent = false;      // an order id takes effect once
  bool fence = false;           // learns the fence number from reads and writes, refuses older ones
  bool fence_on_write = false;  // looks at the number of writes only
};

struct GuardInfo {
  std::string_view name;
  std::string_view meaning;
};

// The single guards, "none" first.
const std::vector<GuardInfo>& all_guards();
// "none", one guard, or several joined by '+'; empty for anything else.
std::optional<Guard> parse_guard(std::string_view text);

}  // namespace locklapse
