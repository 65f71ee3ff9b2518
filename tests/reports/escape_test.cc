#include "reports/escape.h"

#include <gtest/gtest.h>

namespace locklapse::reports {
namespace {

TEST(Escape, PrintableTextIsLeftAlone) {
  EXPECT_EQ(printable("lock:order:123"), "lock:order:123");
  EXPECT_EQ(printable("客户端 é"), "客户端 é");
}

TEST(Escape, NothingPrintableCanSteerATerminal) {
  EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\u009b"), "\\u{9b}") << "the one-character CSI";
  EXPECT_EQ(printable("\x9b"), "\\x9b") << "as a lone byte";
}

TEST(Escape, InvisibleCharactersBecomeVisible) {
  EXPECT_EQ(printable("a\u202eb"), "a\\u{202e}b");
  EXPECT_EQ(printable("a\u2066b"), "a\\u{2066}b");
  EXPECT_EQ(printable("a\u200bb"), "a\\u{200b}b");
  EXPECT_EQ(printable("a\u2028b"), "a\\u{2028}b");
  EXPECT_EQ(printable("\ufeff"), "\\u{feff}");
}

TEST(Escape, InvalidUtf8IsShownByteByByte) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
}

TEST(Escape, WithoutUnicodeTheResultIsAscii) {
  EXPECT_EQ(printable("é客", false), "\\u{e9}\\u{5ba2}");
}

TEST(Escape, XmlHasNoMarkupAndNoIllegalCharacter) {
  EXPECT_EQ(xml_text("<a href=\"x\">&'"), "&#60;a href=&#34;x&#34;&#62;&#38;&#39;");
  EXPECT_EQ(xml_text("a\nb\x01\u202e\xff"), "a&#10;b\\x01\\u{202e}\\xff");
  EXPECT_EQ(xml_text("]]>"), "]]&#62;");
  EXPECT_EQ(xml_text("\xef\xbf\xbf"), "\\u{ffff}");
}

TEST(Escape, MermaidTextIsNeverSyntax) {
  EXPECT_EQ(mermaid_text("a;b#c%%d"), "a#59;b#35;c#37;#37;d");
  EXPECT_EQ(mermaid_text("<b>\"x\""), "#60;b#62;#34;x#34;");
  EXPECT_EQ(mermaid_text("one\ntwo"), "one#92;ntwo");
  EXPECT_EQ(mermaid_text("SET lock:1 NX"), "SET lock:1 NX") << "readable where it can be";
}

TEST(Escape, MermaidNeverSeesTheWordEnd) {
  EXPECT_EQ(mermaid_text("end"), "#101;nd");
  EXPECT_EQ(mermaid_text("END of an End"), "#69;ND of an #69;nd");
  EXPECT_EQ(mermaid_text("sends endless"), "sends endless");
}

TEST(Escape, MarkdownNamesStandInCodeSpans) {
  EXPECT_EQ(markdown_code("@everyone #1 <b>"), "`@everyone #1 <b>`");
  EXPECT_EQ(markdown_code("a|b"), "`a\\|b`");
  EXPECT_EQ(markdown_code("a|b", false), "`a|b`");
  EXPECT_EQ(markdown_code("a`b"), "``a`b``");
  EXPECT_EQ(markdown_code("`"), "`` ` ``");
  EXPECT_EQ(markdown_code("a\nb"), "`a\\nb`");
  EXPECT_EQ(markdown_code(""), "");
}

TEST(Escape, GrepWordsHoldNoSpace) {
  EXPECT_EQ(grep_word("a b\nc é"), "a_b\\nc_\\u{e9}");
  EXPECT_EQ(grep_word(""), "-");
}

}  // namespace
}  // namespace locklapse::reports
