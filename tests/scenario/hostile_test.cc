// Files made to hurt: each is refused in the blink of an eye and with bounded memory.
#include <gtest/gtest.h>

#include "sim/scenario/yaml.h"
#include "tests/scenario/reading.h"

namespace locklapse::scenario {
namespace {

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string out;
  while (out.size() + piece.size() <= bytes) out += piece;
  return out;
}

class Hostile : public testing::TestWithParam<const char*> {};

TEST_P(Hostile, AWholeFileOfItIsRefused) {
  const Result result = read_text(repeated(GetParam(), kFileBytesMax));
  EXPECT_FALSE(result.ok());
  EXPECT_GE(result.errors.size(), 1u);
  EXPECT_LE(result.errors.size(), kErrorsMax);
}

INSTANTIATE_TEST_SUITE_P(Pieces, Hostile,
                         testing::Values("[", "{", "- ", "? ", "{a: ", "[? ",
                                         "[\"a\": ", "a: ", "!", "&a ", "*a ", ":", "---\n",
                                         "%TAG ! x\n", "a:\n ", "'", "\"", "|\n", "[a,", "- - a\n",
                                         "k: {\n", "\n", "#\n", " ", "\\", "a: b\n", ">", "@",
                                         "- &a [*a]\n", "\"\\", "a\n"));

TEST(Hostile, OneByteTooMany) {
  EXPECT_EQ(error_of(std::string(kFileBytesMax + 1, ' ')),
            "dir/test.yaml: 1048577 bytes; allowed: up to 1048576");
}

TEST(Hostile, AMapOfManyKeysHasAtMostTwentyErrors) {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += "k" + std::to_string(i) + ": 1\n";
  const Result result = read_text(text);
  EXPECT_EQ(result.errors.size(), kErrorsMax);
  EXPECT_EQ(result.errors_left_out, 40'000u + 1 - kErrorsMax);  // and one: there are no clients
}

TEST(Hostile, TooManyClients) {
  std::string text = "clients:\n";
  for (std::size_t i = 0; i <= kClientsMax; ++i) text += "  c" + std::to_string(i) + ": {}\n";
  EXPECT_EQ(error_of(text), "dir/test.yaml:2:3: clients: 257 of them; allowed: 1 to 256");
}

TEST(Hostile, TooManyFaults) {
  std::string text = "clients: {A: {}}\nfaults:\n";
  for (std::size_t i = 0; i <= kFaultsMax; ++i) text += "  - {at: 1s, crash: A}\n";
  EXPECT_EQ(error_of(text), "dir/test.yaml:3:3: faults: 257 of them; allowed: up to 256");
}

TEST(Hostile, LongWordsAreCutInErrors) {
  const std::string error = error_of("clients: {A: {}}\n" + std::string(900, 'x') + ": 1\n");
  EXPECT_LT(error.size(), 400u) << error;
  EXPECT_NE(error.find("xxx...'"), std::string::npos) << error;
}

}  // namespace
}  // namespace locklapse::scenario
