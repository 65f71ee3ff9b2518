#include "reports/paint.h"

namespace locklapse::reports {
namespace {

std::string_view sequence(Paint how) {
  switch (how) {
    case Paint::kPlain:
      return "";
    case Paint::kDim:
      return "\x1b[2m";
    case Paint::kBold:
      return "\x1b[1m";
    case Paint::kInside:
      return "\x1b[1;38;5;33m";
    case Paint::kPaused:
      return "\x1b[38;5;178m";
    case Paint::kOverlap:
      return "\x1b[1;38;5;231;48;5;166m";
    case Paint::kBad:
      return "\x1b[1;38;5;166m";
    case Paint::kUnowned:
      return "\x1b[1;38;5;175m";
    case Paint::kGood:
      return "\x1b[1;38;5;36m";
  }
  return "";
}

}  // namespace

std::string paint(std::string_view text, Paint how, bool colour) {
  if (!colour || how == Paint::kPlain || text.empty()) return std::string(text);
  std::string painted(sequence(how));
  painted += text;
  painted += "\x1b[0m";
  return painted;
}

}  // namespace locklapse::reports
