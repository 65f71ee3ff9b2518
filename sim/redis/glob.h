// The patterns of KEYS, SCAN MATCH and PSUBSCRIBE: * ? [abc] [^a-z] and \ to take the next byte as
// it is.
//
// Contract: the cost is bounded by pattern length times text length, whatever the pattern; answers
// are those of Redis, its oddities included (an empty text matches only an empty pattern).
#pragma once

#include <string_view>

namespace locklapse::redis {

bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace locklapse::redis
