// How plain-text reports may look. The caller decides: nothing here looks at a terminal or a
// variable.
#pragma once

namespace locklapse::reports {

inline constexpr int kTextWidthMin = 60;  // narrower is drawn as if it were this wide
inline constexpr int kTextWidthMax = 400;

struct TextStyle {
  bool colour = false;  // SGR sequences; colours are told apart by colour-blind readers too
  bool unicode = true;  // false: pure ASCII, names included
  int width = 100;      // columns
};

}  // namespace locklapse::reports
