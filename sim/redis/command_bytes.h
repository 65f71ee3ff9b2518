// A command as it stands in a replication stream or an append-only file: a RESP array of bulks.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/backend.h"

namespace locklapse::redis {

void encode_command(Argv argv, std::pmr::string& out);

// Takes the first command off `bytes`; its words are views into it. REQUIRES: encode_command() wrote it.
void take_command(std::string_view& bytes, std::pmr::vector<std::string_view>& words);

}  // namespace locklapse::redis
