// Golden files: expect_golden("name.txt", text) compares text with tests/golden/name.txt byte for
// byte.
//
// LOCKLAPSE_UPDATE_GOLDEN=1 in the environment writes the file instead; see README.md here.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace locklapse {

inline std::string golden_path(std::string_view name) {
  return std::string(LOCKLAPSE_SOURCE_DIR) + "/tests/golden/" + std::string(name);
}

inline std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

inline void expect_golden(std::string_view name, const std::string& text) {
  const std::string path = golden_path(name);
  const std::optional<std::string> golden = read_file(path);
  if (golden == text) return;
  const char* update = std::getenv("LOCKLAPSE_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    GTEST_SKIP() << "wrote " << path;
  }
  ASSERT_TRUE(golden.has_value()) << path << " is not there: see tests/golden/README.md";
  // GoogleTest shows a difference of long texts line by line.
  EXPECT_EQ(*golden, text) << path << ": see tests/golden/README.md";
}

}  // namespace locklapse
