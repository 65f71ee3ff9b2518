// malformed/NAME.yaml must be refused with exactly the lines of malformed/NAME.expected.
//
// A case per file, so that a new kind of mistake is two files and no code.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/scenario/reading.h"

namespace locklapse::scenario {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(LOCKLAPSE_SOURCE_DIR) / "tests/scenario/malformed";

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".yaml") out.push_back(entry.path().stem().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

class Malformed : public testing::TestWithParam<std::string> {};

TEST_P(Malformed, IsRefusedInTheseWords) {
  const std::string file = GetParam() + ".yaml";
  const Result result = read_scenario_text(content(kFolder / file), file, test_vocabulary());
  EXPECT_FALSE(result.ok());
  std::string lines;
  for (const std::string& error : result.errors) lines += error + "\n";
  if (result.errors_left_out > 0) lines += std::to_string(result.errors_left_out) + " more\n";
  EXPECT_EQ(lines, content(kFolder / (GetParam() + ".expected")));
}

std::string test_name(const testing::TestParamInfo<std::string>& file) {
  std::string name = file.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, Malformed, testing::ValuesIn(names()), test_name);

TEST(MalformedFiles, AreManyKinds) { EXPECT_GE(names().size(), 40u); }

}  // namespace
}  // namespace locklapse::scenario
