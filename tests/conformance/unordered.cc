#include "tests/conformance/unordered.h"

#include <algorithm>

#include "sim/redis/ascii.h"
#include "sim/redis/resp.h"

namespace locklapse::conformance {

namespace {

std::string encoded(const redis::Reply& reply) {
  std::pmr::string bytes;
  redis::encode_resp3(reply, bytes);
  return std::string(bytes);
}

// The elements `depth` levels down from here sorted, `step` of them at a time.
std::string sorted(const redis::Reply& reply, int depth, std::size_t step) {
  const auto& elements = reply.elements();
  if (elements.empty()) return encoded(reply);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i % step == 0 || depth > 0) parts.emplace_back();
    parts.back() += depth > 0 ? sorted(elements[i], depth - 1, step) : encoded(elements[i]);
  }
  if (depth == 0) std::sort(parts.begin(), parts.end());
  std::string out(1, reply.type() == redis::Reply::Type::kArray ? '*' : '%');
  for (const std::string& part : parts) out += part;
  return out;
}

}  // namespace

std::string comparable(const std::vector<std::string>& command, std::string_view bytes) {
  redis::Reply reply;
  if (!redis::parse_reply(bytes, reply)) return std::string(bytes);
  const auto is = [&](std::string_view name) { return redis::is_word(command[0], name); };
  if (is("hgetall")) return sorted(reply, 0, 2);
  if (is("keys") || is("hkeys") || is("hvals") || is("smembers")) return sorted(reply, 0, 1);
  if (is("scan") || is("exec")) return sorted(reply, 1, 1);
  return std::string(bytes);
}

}  // namespace locklapse::conformance
