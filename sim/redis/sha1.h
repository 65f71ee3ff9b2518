// SHA-1, the name by which EVALSHA knows a script.
#pragma once

#include <array>
#include <string_view>

namespace locklapse::redis {

// 40 lower-case hex digits.
struct Sha1Hex {
  std::array<char, 40> digits;
  std::string_view view() const { return {digits.data(), digits.size()}; }
};

Sha1Hex sha1_hex(std::string_view bytes);

}  // namespace locklapse::redis
