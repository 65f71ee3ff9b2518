// Bytes from a server as the reply that they stand for.
#pragma once

#include <string_view>

#include "sim/redis/reply.h"

namespace locklapse::live {

// REQUIRES: `bytes` is one complete RESP2 reply, as Connection::receive() gives it.
redis::Reply parse_reply(std::string_view bytes, redis::Reply::allocator_type memory = {});

}  // namespace locklapse::live
