// Which words of a command are keys: what routes it in a cluster.
#pragma once

#include <memory_resource>
#include <string_view>
#include <vector>

#include "sim/redis/backend.h"

namespace locklapse::redis {

// Appends the keys of a command, in the order in which it names them. None for a command without
// keys, for one that is not known, and where the words cannot be right (EVAL with a bad number of
// keys).
void append_keys(Argv argv, std::pmr::vector<std::string_view>& keys);

}  // namespace locklapse::redis
