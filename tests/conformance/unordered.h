// Replies whose order a real server does not promise.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace locklapse::conformance {

// The reply to `command` with its elements in an order of ours where the server's own means nothing (KEYS, large
// hashes): equal for replies that say the same. Within EXEC every reply is treated so.
std::string comparable(const std::vector<std::string>& command, std::string_view reply);

}  // namespace locklapse::conformance
