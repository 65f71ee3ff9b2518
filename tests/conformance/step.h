// What a conformance run does, step by step, and how it is written down.
//
//   # a comment
//   @0 SET lock "token\x00" NX PX 100     connection 0 sends a command
//   clock +100999us                       the clock moves, here and below also backwards
//   close 0                               connection 0 is closed; its next command opens a new one
//
// Words are separated by blanks; "..." holds one together, with \" \\ \n \r \t and \xHH inside.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace locklapse::conformance {

inline constexpr int kConnections = 5;

struct Step {
  enum class Kind : std::uint8_t { kCommand, kClock, kClose };

  Kind kind = Kind::kCommand;
  int connection = 0;
  std::int64_t clock_us = 0;
  std::vector<std::string> words;

  bool operator==(const Step&) const = default;
};

using Sequence = std::vector<Step>;

// One line without its end.
std::string written(const Step& step);
// A word as it stands in such a line.
std::string quoted_word(std::string_view word);

// Reads what written() wrote. Throws std::runtime_error that names the line.
Sequence read_sequence(std::istream& in);

}  // namespace locklapse::conformance
