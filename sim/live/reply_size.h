// Where a reply ends within what has been received.
#pragma once

#include <cstddef>
#include <string_view>

namespace locklapse::live {

// How many bytes the first reply (RESP2 or RESP3) of `bytes` has; 0 while it is not complete. Throws Error
// where it is no reply.
std::size_t reply_size(std::string_view bytes);

}  // namespace locklapse::live
