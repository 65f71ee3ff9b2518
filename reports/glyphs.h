// The signs a terminal picture is drawn with, in Unicode and in plain ASCII.
#pragma once

#include <string_view>

namespace locklapse::reports {

// clang-format off
struct Glyphs {
  std::string_view vertical, horizontal, cross, fold, ellipsis, gutter;
  // A client's lane.
  std::string_view attempt, refused, unanswered, enter, inside, shared, paused, shared_paused,
      stalled, told, leave, waiting, trying, releasing, released, gave_up, crashed, crash;
  // A key's lane.
  std::string_view key_new, key_still, key_set, key_end, key_hit, key_free;
  // Findings and the matrix.
  std::string_view good, bad, unowned, forever, until_ttl, damage, dash;
};

inline constexpr Glyphs kUnicodeGlyphs = {
    .vertical = "│", .horizontal = "─", .cross = "┼", .fold = "⋮", .ellipsis = "…", .gutter = "▌",
    .attempt = "○", .refused = "×", .unanswered = "?", .enter = "┳", .inside = "┃", .shared = "█",
    .paused = "░", .shared_paused = "▓", .stalled = "▒", .told = "!", .leave = "┻", .waiting = "┆",
    .trying = "┆", .releasing = "╷", .released = "✓", .gave_up = "□", .crashed = " ", .crash = "✗",
    .key_new = "┌", .key_still = "│", .key_set = "├", .key_end = "└", .key_hit = "✂", .key_free = "·",
    .good = "✓", .bad = "✗", .unowned = "✂", .forever = "∞", .until_ttl = "◔", .damage = "$",
    .dash = "–"};

inline constexpr Glyphs kAsciiGlyphs = {
    .vertical = "|", .horizontal = "-", .cross = "+", .fold = ":", .ellipsis = "~", .gutter = "!",
    .attempt = "o", .refused = "x", .unanswered = "?", .enter = "+", .inside = "#", .shared = "@",
    .paused = "=", .shared_paused = "%", .stalled = "z", .told = "!", .leave = "+", .waiting = ".",
    .trying = ".", .releasing = ",", .released = "v", .gave_up = "_", .crashed = " ", .crash = "X",
    .key_new = "+", .key_still = "|", .key_set = "+", .key_end = "+", .key_hit = "%", .key_free = ".",
    .good = "ok", .bad = "x", .unowned = "u", .forever = "S", .until_ttl = "s", .damage = "$",
    .dash = "-"};
// clang-format on

inline const Glyphs& glyphs(bool unicode) { return unicode ? kUnicodeGlyphs : kAsciiGlyphs; }

}  // namespace locklapse::reports
