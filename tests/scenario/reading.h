// What the tests of the reader share: a fixed vocabulary and short ways to read text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/read.h"

namespace locklapse::scenario {

inline const Vocabulary& test_vocabulary() {
  static const Vocabulary names{
      {"setnx-expire", "set-del", "set-get-del", "set-lua", "watchdog", "watchdog-unowned",
       "reentrant", "fenced", "set-own", "set-xx", "list-token"},
      {"none", "atomic-update", "version", "idempotent", "fence", "fence-on-write"}};
  return names;
}

inline Result read_text(std::string_view text, const std::vector<std::string>& sets = {}) {
  return read_scenario_text(text, "dir/test.yaml", test_vocabulary(), sets);
}

// The scenario, or a failed test and an empty one.
inline Scenario must_read(std::string_view text, const std::vector<std::string>& sets = {}) {
  Result result = read_text(text, sets);
  for (const std::string& error : result.errors) ADD_FAILURE() << error;
  return result.ok() ? std::move(*result.scenario) : Scenario{};
}

// The only error; several or none in the form they have.
inline std::string error_of(std::string_view text, const std::vector<std::string>& sets = {}) {
  std::string out;
  for (const std::string& error : read_text(text, sets).errors)
    out += (out.empty() ? "" : "\n") + error;
  return out;
}

}  // namespace locklapse::scenario
