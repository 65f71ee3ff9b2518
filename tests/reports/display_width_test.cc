#include "reports/display_width.h"

#include <gtest/gtest.h>

namespace locklapse::reports {
namespace {

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("é"), 1);
  EXPECT_EQ(display_width("e\u0301"), 1) << "a combining accent takes no column";
  EXPECT_EQ(display_width("客户端"), 6);
  EXPECT_EQ(display_width("🔒"), 2);
  EXPECT_EQ(display_width("┃░"), 2);
}

TEST(DisplayWidth, DecodesOnlyTheShortestFormOfRealCodePoints) {
  EXPECT_TRUE(decode_utf8("\xf0\x9f\x94\x92").valid);
  EXPECT_EQ(decode_utf8("\xf0\x9f\x94\x92").value, U'🔒');
  for (const char* bad : {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff",
                          "\x80", "\xe2\x82", "\xf0\x9f\x94"}) {
    const CodePoint point = decode_utf8(bad);
    EXPECT_FALSE(point.valid) << testing::PrintToString(bad);
    EXPECT_EQ(point.bytes, 1);
  }
}

TEST(DisplayWidth, FitCutsAtColumnsAndNeverInsideACharacter) {
  EXPECT_EQ(fit("short", 10, "…"), "short");
  EXPECT_EQ(fit("checkout-worker", 8, "…"), "checkou…");
  EXPECT_EQ(fit("客户端", 4, "…"), "客…");
  EXPECT_EQ(fit("客户端", 1, "..."), "");
  EXPECT_EQ(fit("abc", 0, "…"), "");
}

TEST(DisplayWidth, PadFillsUpToColumns) {
  EXPECT_EQ(pad("客", 4), "客  ");
  EXPECT_EQ(pad_left("7", 3), "  7");
  EXPECT_EQ(pad("long", 2), "long");
}

TEST(DisplayWidth, WrapBreaksAtSpacesAndInsideWordsThatAreTooLong) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
  EXPECT_EQ(wrap("", 10), (std::vector<std::string>{""}));
  EXPECT_EQ(wrap("客户端", 1), (std::vector<std::string>{"客", "户", "端"})) << "it must end";
}

}  // namespace
}  // namespace locklapse::reports
