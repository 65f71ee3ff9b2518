#include "sim/scenario/duration.h"

#include <gtest/gtest.h>

#include "sim/scenario/scenario.h"

namespace locklapse::scenario {
namespace {

struct Case {
  const char* text;
  std::int64_t ns;
};

TEST(Duration, IsANumberWithAUnit) {
  const Case cases[] = {{"0s", 0},
                        {"7ns", 7},
                        {"7us", 7'000},
                        {"250ms", 250'000'000},
                        {"30s", 30'000'000'000},
                        {"+30s", 30'000'000'000},
                        {"-30s", -30'000'000'000},
                        {"-0s", 0},
                        {"5min", 300'000'000'000},
                        {"2h", 7'200'000'000'000},
                        {"1.5s", 1'500'000'000},
                        {"0.000000001s", 1},
                        {"1.50000000000000000000s", 1'500'000'000},
                        {"1.0ns", 1},
                        {"0.1min", 6'000'000'000},
                        {"0000000000000000000000000000001s", 1'000'000'000},
                        {"8784h", kDurationMax.ns},
                        {"31622400.000000000s", kDurationMax.ns}};
  for (const Case& c : cases) {
    const ParsedDuration parsed = parse_duration(c.text);
    ASSERT_TRUE(parsed.value) << c.text << ": " << parsed.error;
    EXPECT_EQ(parsed.value->ns, c.ns) << c.text;
    EXPECT_TRUE(parsed.error.empty());
  }
}

TEST(Duration, AnythingElseIsRefused) {
  for (const char* text : {"",
                           "s",
                           "-",
                           "+",
                           ".",
                           "30",
                           "30.",
                           ".5s",
                           "1.s",
                           "1..5s",
                           "1,5s",
                           "30 s",
                           " 30s",
                           "30s ",
                           "1e3s",
                           "0x1s",
                           "--1s",
                           "+-1s",
                           "1m",
                           "1d",
                           "30S",
                           "1m30s",
                           "1.5ns",
                           "0.0000000001s",
                           "8784.1h",
                           "8785h",
                           "99999999999999999999999999ns",
                           "31622400.000000001s",
                           "inf",
                           "nan",
                           "infs",
                           "1.5.5s",
                           "\x31\x00s"}) {
    const ParsedDuration parsed = parse_duration(text);
    EXPECT_FALSE(parsed.value) << text;
    EXPECT_FALSE(parsed.error.empty()) << text;
  }
}

TEST(Duration, ErrorsSayWhatWasMeant) {
  EXPECT_EQ(parse_duration("30").error,
            "'30' has no unit; allowed: ns us ms s min h; did you mean '30s'?");
  EXPECT_EQ(parse_duration("-1.5").error,
            "'-1.5' has no unit; allowed: ns us ms s min h; did you mean '-1.5s'?");
  EXPECT_EQ(parse_duration("5hours").error,
            "'5hours' has an unknown unit 'hours'; allowed: ns us ms s min h; did you mean '5h'?");
}

TEST(Duration, IsSpelledExactly) {
  const Case cases[] = {{"0 s", 0},
                        {"1 ns", 1},
                        {"999 ns", 999},
                        {"1.001 us", 1'001},
                        {"250 ms", 250'000'000},
                        {"35 s", 35'000'000'000},
                        {"600 s", 600'000'000'000},
                        {"1.5 s", 1'500'000'000},
                        {"30.000000001 s", 30'000'000'001},
                        {"-2 s", -2'000'000'000},
                        {"-9223372036.854775808 s", INT64_MIN}};
  for (const Case& c : cases) EXPECT_EQ(spell_duration({c.ns}), c.text);
}

}  // namespace
}  // namespace locklapse::scenario
