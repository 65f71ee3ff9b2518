// Runs the built program as a user would, in a folder of its own that goes away afterwards.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace locklapse::cli {

struct Ran {
  int status = -1;  // exit status; 128 + signal when it was killed
  std::string out;
  std::string err;
};

class ProgramTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // A shell command in the folder; "locklapse" is the program. The environment is bare but for PATH
  // and what the command itself sets.
  Ran shell(const std::string& command) const;

  // The same with stdout and stderr on a terminal of so many columns; both end up in `out`.
  Ran on_terminal(const std::string& command, int columns) const;

  void write(const std::string& name, std::string_view text) const;
  std::string read(const std::string& name) const;  // empty when there is none
  bool exists(const std::string& name) const;
  std::string folder_listing() const;  // names, sorted, one a line

 private:
  std::string folder_;
};

// Scenarios whose outcome under set-lua is known.
inline constexpr std::string_view kSafe =
    "clients: {A: {at: 0s, work: 5s}, B: {at: 10s, work: 5s}}\n";
inline constexpr std::string_view kViolated =
    "lock: {ttl: 10s}\nclients: {A: {at: 0s, work: 15s}, B: {at: 11s, work: 1s}}\n";
inline constexpr std::string_view kNotExercised =
    "clients: {A: {at: 0s, work: 5s}}\nfaults: [{after: A.renew.sent, crash: A}]\n";

}  // namespace locklapse::cli
