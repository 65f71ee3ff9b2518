// Colour for terminals: SGR sequences around text that is already escaped and padded.
//
// Colours are from the palette of Okabe and Ito (nearest of the 256), which people with any common
// colour blindness tell apart; each has a sign beside it, so nothing depends on colour alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace locklapse::reports {

enum class Paint : std::uint8_t {
  kPlain,
  kDim,
  kBold,
  kInside,   // blue: holds, alone
  kPaused,   // yellow
  kOverlap,  // white on vermilion
  kBad,      // vermilion, bold
  kUnowned,  // reddish purple, bold
  kGood,     // bluish green, bold
};

std::string paint(std::string_view text, Paint how, bool colour);

}  // namespace locklapse::reports
