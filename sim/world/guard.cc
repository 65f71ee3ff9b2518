#include "sim/world/guard.h"

namespace locklapse {

namespace {

bool set_guard(Guard& guard, std::string_view name) {
  bool* flag = nullptr;
  if (name == "atomic-update") flag = &guard.atomic_update;
  if (name == "version") flag = &guard.version;
  if (name == "idempotent") flag = &guard.idempotent;
  if (name == "fence") flag = &guard.fence;
  if (name == "fence-on-write") flag = &guard.fence_on_write;
  if (flag == nullptr || *flag) return false;
  *flag = true;
  return true;
}

}  // namespace

const std::vector<GuardInfo>& all_guards() {
  static const std::vector<GuardInfo> guards = {
      {"none", "writes what the client computed from what it read, whatever happened since"},
      {"atomic-update", "one statement: quantity = quantity - n where quantity >= n"},
      {"version", "refuses a write whose read version is no longer the current one"},
      {"idempotent", "applies an order id once, refuses it the second time"},
      {"fence", "learns fence numbers from reads and writes, refuses any older number"},
      {"fence-on-write", "learns fence numbers from writes only: a stale write can still come first"},
  };
  return guards;
}

std::optional<Guard> parse_guard(std::string_view text) {
  Guard guard;
  if (text == "none") return guard;
  while (true) {
    const std::size_t plus = text.find('+');
    if (!set_guard(guard, text.substr(0, plus))) return std::nullopt;
    if (plus == std::string_view::npos) return guard;
    text.remove_prefix(plus + 1);
  }
}

}  // namespace locklapse
