#include "tests/conformance/duel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "tests/conformance/generator.h"
#include "tests/conformance/shrink.h"
#include "tests/live/needs_redis.h"

namespace locklapse::conformance {
namespace {

class DuelTest : public live::NeedsRedis {
 protected:
  static Sequence read(const std::string& text) {
    std::istringstream in(text);
    return read_sequence(in);
  }
};

TEST_F(DuelTest, AgreesOnWhatBothKnow) {
  Duel duel;
  EXPECT_FALSE(duel.play(read("@0 SET k v NX PX 10\nclock +10999us\n@1 PTTL k\nclock +1us\n@1 GET k\n"
                              "@2 SUBSCRIBE ch\n@1 PUBLISH ch m\n@3 BLPOP q 1\n@3 GET k\nclock +1001000us\n"
                              "@0 QUIT\nclose 0\n@0 PING\n")));
}

// No model will ever draw this picture.
TEST_F(DuelTest, FindsAReplyThatDiffers) {
  Duel duel;
  const auto difference = duel.play(read("@0 SET k v\n@1 LOLWUT VERSION 5 1 1 1\n@0 GET k\n"));
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->step, 1u);
  EXPECT_EQ(difference->connection, 1);
  ASSERT_EQ(difference->model.size(), 1u);
  EXPECT_EQ(difference->model[0].substr(0, 20), "-ERR unknown command");
}

TEST_F(DuelTest, CutsADifferenceDownToItsStep) {
  Duel duel;
  Generator generator(3);
  Sequence sequence = generator.sequence(100);
  const Sequence odd = read("@4 LOLWUT VERSION 5 1 1 1\n");
  sequence.insert(sequence.begin() + 50, odd[0]);
  const Sequence least = shrink(sequence, [&](const Sequence& shorter) { return duel.play(shorter).has_value(); });
  ASSERT_EQ(least.size(), 1u);
  EXPECT_EQ(written(least[0]), "@0 LOLWUT");
}

TEST_F(DuelTest, StartsEverySequenceFromAnEmptyServer) {
  Duel duel;
  EXPECT_FALSE(duel.play(read("@0 SET k v\n@0 SCRIPT LOAD \"return 1\"\n@0 SELECT 3\n@0 SET k v\n")));
  EXPECT_FALSE(duel.play(read("@0 DBSIZE\n@0 GET k\n@0 EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0\n")));
}

TEST(Generator, DrawsTheSameForTheSameSeed) {
  Generator one(5);
  Generator two(5);
  Generator other(6);
  const Sequence drawn = one.sequence(300);
  EXPECT_EQ(drawn, two.sequence(300));
  EXPECT_NE(drawn, other.sequence(300));
}

// Differences that were found once: what has been mended stays mended.
TEST_F(DuelTest, AgreesOnEveryKeptCase) {
  Duel resp2;
  Duel resp3(3);
  std::vector<std::filesystem::path> cases;
  for (const auto& entry : std::filesystem::directory_iterator(LOCKLAPSE_SOURCE_DIR "/tests/conformance/cases")) {
    cases.push_back(entry.path());
  }
  std::sort(cases.begin(), cases.end());
  ASSERT_FALSE(cases.empty());
  for (const auto& path : cases) {
    std::ifstream file(path);
    const Sequence sequence = read_sequence(file);
    ASSERT_FALSE(sequence.empty()) << path;
    for (Duel* duel : {&resp2, &resp3}) {
      const auto difference = duel->play(sequence);
      EXPECT_FALSE(difference) << path << ", step " << difference->step << ": "
                               << written(sequence[difference->step]);
    }
  }
}

}  // namespace
}  // namespace locklapse::conformance
