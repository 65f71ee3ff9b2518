#include "tests/conformance/unordered.h"

#include <algorithm>

#include "sim/live/reply_size.h"
#include "sim/redis/ascii.h"

namespace locklapse::conformance {

namespace {

bool is_array(std::string_view reply) {
  return !reply.empty() && (reply[0] == '*' || reply[0] == '%' || reply[0] == '~');
}

std::string_view take(std::string_view& rest) {
  const std::string_view first = rest.substr(0, live::reply_size(rest));
  rest.remove_prefix(first.size());
  return first;
}

// `depth` levels down from here, arrays are sorted by `step` elements at a time.
std::string sorted(std::string_view reply, int depth, int step) {
  if (!is_array(reply)) return std::string(reply);
  std::string_view rest = reply.substr(reply.find('\n') + 1);
  std::string out(reply.substr(0, reply.size() - rest.size()));
  std::vector<std::string> parts;
  while (!rest.empty()) {
    std::string part;
    for (int i = 0; i < step && !rest.empty(); ++i) {
      part += depth > 0 ? sorted(take(rest), depth - 1, step) : std::string(take(rest));
    }
    parts.push_back(std::move(part));
  }
  if (depth == 0) std::sort(parts.begin(), parts.end());
  for (const std::string& part : parts) out += part;
  return out;
}

}  // namespace

std::string comparable(const std::vector<std::string>& command, std::string_view reply) {
  const auto is = [&](std::string_view name) { return redis::is_word(command[0], name); };
  if (is("hgetall")) return sorted(reply, 0, 2);
  if (is("keys") || is("hkeys") || is("hvals")) return sorted(reply, 0, 1);
  if (is("scan") || is("exec")) return sorted(reply, 1, 1);
  return std::string(reply);
}

}  // namespace locklapse::conformance
