// What the program's exit status says. Scripts and CI rely on these numbers.
#pragma once

namespace locklapse::cli {

enum class Status : int {
  kFine = 0,       // as expected, or safe where nothing was expected
  kViolated = 1,   // violated, or not as expected
  kUndecided = 2,  // unknown, or the run never exercised its point
  kUsage = 64,     // the command line
  kBadInput = 65,  // a scenario file
  kOurFault = 70,  // the program, or what it was to write to
};

// Of several runs: a violation outweighs what could not be decided.
constexpr Status worse(Status a, Status b) {
  if (a == Status::kViolated || b == Status::kViolated) return Status::kViolated;
  return a == Status::kUndecided ? a : b;
}

}  // namespace locklapse::cli
