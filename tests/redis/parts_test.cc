// The small parts: numbers, patterns, SHA-1, the order of keys, replies in words.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "sim/redis/command_table.h"
#include "sim/redis/glob.h"
#include "sim/redis/keyspace.h"
#include "sim/redis/number.h"
#include "sim/redis/reply.h"
#include "sim/redis/sha1.h"

namespace locklapse::redis {
namespace {

TEST(Numbers, ReadStrictIntegers) {
  const struct {
    std::string_view text;
    bool ok;
    std::int64_t value;
  } kRows[] = {{"0", true, 0},
               {"-1", true, -1},
               {"9223372036854775807", true, INT64_MAX},
               {"-9223372036854775808", true, INT64_MIN},
               {"9223372036854775808", false, 0},
               {"-9223372036854775809", false, 0},
               {"18446744073709551616", false, 0},
               {"99999999999999999999", false, 0},
               {"", false, 0},
               {"-", false, 0},
               {"-0", false, 0},
               {"01", false, 0},
               {"+1", false, 0},
               {" 1", false, 0},
               {"1 ", false, 0},
               {"1.0", false, 0},
               {"0x1", false, 0}};
  for (const auto& row : kRows) {
    std::int64_t value = 0;
    EXPECT_EQ(parse_int64(row.text, value), row.ok) << row.text;
    if (row.ok) {
      EXPECT_EQ(value, row.value) << row.text;
    }
  }
}

TEST(Numbers, ReadFloatsAsStrtodButWhole) {
  double value = 0;
  for (const std::string_view text :
       {"1", "-1.5", "1e3", ".5", "5.", "inf", "-inf", "0x10", "+3"}) {
    EXPECT_TRUE(parse_double(text, value)) << text;
  }
  for (const std::string_view text : {"", " 1", "1 ", "nan", "1e999", "abc", "1x"}) {
    EXPECT_FALSE(parse_double(text, value)) << text;
  }
  EXPECT_FALSE(parse_double(std::string_view("1\0", 2), value));
  EXPECT_FALSE(parse_double(std::string(6000, '1'), value));
}

TEST(Numbers, PrintScoresWithSeventeenDigits) {
  EXPECT_EQ(double_text(0.1).view(), "0.10000000000000001");
  EXPECT_EQ(double_text(3).view(), "3");
  EXPECT_EQ(double_text(1e21).view(), "1e+21");
  EXPECT_EQ(double_text(-1.0 / 0.0).view(), "-inf");
}

TEST(Glob, MatchesAsRedisDoes) {
  const struct {
    std::string_view pattern;
    std::string_view text;
    bool matches;
  } kRows[] = {
      {"*", "abc", true},       {"*", "", false},         {"", "", true},
      {"a?c", "abc", true},     {"a?c", "ac", false},     {"[abc]x", "bx", true},
      {"[^abc]x", "bx", false}, {"[a-c]x", "bx", true},   {"[c-a]x", "bx", true},
      {"[abc", "b", true},      {"[", "[", false},        {"\\*", "*", true},
      {"\\*", "a", false},      {"\\", "\\", true},       {"a*b*c", "aXbYc", true},
      {"a*b*c", "aXbY", false}, {"**", "a", true},        {"a**", "a", true},
      {"*a", "ba", true},       {"*a", "bab", false},     {"[\\]]", "]", true},
      {"[a-]", "-", false},     {"h*llo", "hello", true}, {"[]a]", "a", false},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(glob_match(row.pattern, row.text), row.matches) << row.pattern << " " << row.text;
  }
}

TEST(Glob, TakesNoLongerForManyStars) {
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "a*";
  pattern += 'b';
  EXPECT_FALSE(glob_match(pattern, std::string(20'000, 'a')));
}

TEST(Sha1, NamesKnownTexts) {
  EXPECT_EQ(sha1_hex("").view(), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(sha1_hex("abc").view(), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha1_hex("return 1").view(), "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
  EXPECT_EQ(sha1_hex(std::string(55, 'a')).view(), "c1c8bbdc22796e28c0e15163d20899b65621d65a");
  EXPECT_EQ(sha1_hex(std::string(56, 'a')).view(), "c2db330f6083854c99d4b5bfb6e8f29f201be699");
  EXPECT_EQ(sha1_hex(std::string(1'000'000, 'a')).view(),
            "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(CommandTable, FindsNamesInAnyCaseAndNothingElse) {
  EXPECT_EQ(find_command("zRemRangeByScore", Dialect::kRedis70)->name, "zremrangebyscore");
  EXPECT_EQ(find_command("GET", Dialect::kRedis70)->name, "get");
  for (const std::string_view name : {"", "get ", "ge", "zremrangebyscore_", "nosuch"}) {
    EXPECT_EQ(find_command(name, Dialect::kRedis70), nullptr) << name;
  }
}

TEST(Keys, KeepDeadlinesInOrderThroughAnyChange) {
  Keyspace keys(*std::pmr::new_delete_resource());
  std::uint64_t state = 1;
  const auto random = [&state](std::uint64_t n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % n;
  };
  for (int step = 0; step < 20'000; ++step) {
    const std::string name(1, static_cast<char>('a' + random(26)));
    const int db = static_cast<int>(random(2));
    Keyspace::Key* key = keys.find(db, name);
    switch (random(4)) {
      case 0:
        if (key != nullptr) keys.take(*key);
        break;
      case 1:
        if (Keyspace::Key* next = keys.next_untold()) keys.mark_told(*next);
        break;
      default:
        if (key == nullptr) key = &keys.insert(db, name);
        keys.set_deadline(*key,
                          random(5) == 0 ? kNoDeadline : static_cast<std::int64_t>(random(100)));
    }
    const Keyspace::Key* first = nullptr;
    const Keyspace::Key* first_untold = nullptr;
    const auto earlier = [](const Keyspace::Key& a, const Keyspace::Key* b) {
      return b == nullptr || std::tuple(a.second.deadline_ms, a.second.db, a.first.name) <
                                 std::tuple(b->second.deadline_ms, b->second.db, b->first.name);
    };
    for (const int any_db : {0, 1}) {
      for (const Keyspace::Key& any : keys.database(any_db)) {
        if (any.second.deadline_ms == kNoDeadline) continue;
        if (earlier(any, first)) first = &any;
        if (!any.second.told && earlier(any, first_untold)) first_untold = &any;
      }
    }
    ASSERT_EQ(keys.next_deadline(), first) << step;
    ASSERT_EQ(keys.next_untold(), first_untold) << step;
  }
}

TEST(Keys, HashAlikeOnEveryMachine) {
  EXPECT_EQ(key_hash(""), key_hash(""));
  EXPECT_EQ(key_hash("lock:order:123") >> 63, 0u);
  EXPECT_NE(key_hash("lock:order:123"), key_hash("lock:order:124"));
}

TEST(Replies, ReadAsAPersonWritesThem) {
  Reply reply = Reply::array();
  reply.append(Reply::simple("OK"));
  reply.append(Reply::integer(1));
  reply.append(Reply::bulk("a\"b\n\x01"));
  reply.append(Reply::null_bulk());
  reply.append(Reply::error("ERR no"));
  std::pmr::string text;
  describe(reply, text);
  EXPECT_EQ(text, "[OK, (integer) 1, \"a\\\"b\\n\\x01\", (nil), (error) ERR no]");
}

}  // namespace
}  // namespace locklapse::redis
