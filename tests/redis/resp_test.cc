#include "sim/redis/resp.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace locklapse::redis {
namespace {

// What a reader makes of `bytes` cut into pieces of `piece` bytes: each command in brackets, then
// how it ended.
std::string commands_in(std::string_view bytes, std::size_t piece, bool authenticated = true) {
  CommandReader reader;
  reader.set_authenticated(authenticated);
  std::string found;
  ReadStatus status = ReadStatus::kMore;
  for (std::size_t at = 0; at < bytes.size() && status != ReadStatus::kBroken; at += piece) {
    reader.feed(bytes.substr(at, piece));
    while ((status = reader.next()) == ReadStatus::kComplete) {
      found += "[";
      for (const std::string_view word : reader.argv()) found.append(word).append("|");
      found += "]";
    }
  }
  if (status == ReadStatus::kBroken) found.append("!").append(reader.error());
  return found;
}

std::string commands_in(std::string_view bytes) {
  const std::string whole = commands_in(bytes, bytes.size());
  for (const std::size_t piece : {1u, 2u, 3u, 7u}) EXPECT_EQ(commands_in(bytes, piece), whole);
  return whole;
}

TEST(ACommandReader, ReadsArraysOfBulkStrings) {
  EXPECT_EQ(commands_in("*2\r\n$4\r\nECHO\r\n$5\r\na\r\nbc\r\n*1\r\n$4\r\nPING\r\n"),
            "[ECHO|a\r\nbc|][PING|]");
  EXPECT_EQ(commands_in("*2\r\n$4\r\nECHO\r\n$0\r\n\r\n"), "[ECHO||]");
  EXPECT_EQ(commands_in("*2\r\n$4\r\nECHO\r\n$5\r\nabc"), "");
}

TEST(ACommandReader, ReadsInlineCommandsAndTheirQuotes) {
  EXPECT_EQ(commands_in("PING\r\nset  k\tv\n"), "[PING|][set|k|v|]");
  EXPECT_EQ(commands_in("ECHO \"a\\x41\\n\\\"\" '' 'it\\'s \\n'\r\n"),
            "[ECHO|aA\n\"||it's \\n|]");
  EXPECT_EQ(commands_in("ECHO a\"b c\" \"\\x4\"\r\n"), "[ECHO|ab c|x4|]");
  EXPECT_EQ(commands_in("ECHO \"a\"b\r\n"),
            "!ERR Protocol error: unbalanced quotes in request");
  EXPECT_EQ(commands_in("ECHO \"a\r\n"), "!ERR Protocol error: unbalanced quotes in request");
}

TEST(ACommandReader, PassesOverEmptyCommands) {
  EXPECT_EQ(commands_in("\r\n  \r\n*0\r\n*-1\r\nPING\r\n"), "[PING|]");
}

TEST(ACommandReader, DoesNotLookAtTheLineEndBehindABulkString) {
  EXPECT_EQ(commands_in("*1\r\n$4\r\nPINGxxPING\r\n"), "[PING|][PING|]");
  EXPECT_EQ(commands_in("*1\rx$4\rxPINGxx"), "[PING|]");
}

TEST(ACommandReader, RefusesWhatIsNoProtocolWithTheServersWords) {
  EXPECT_EQ(commands_in("*abc\r\n"), "!ERR Protocol error: invalid multibulk length");
  EXPECT_EQ(commands_in("*99999999999\r\n"), "!ERR Protocol error: invalid multibulk length");
  EXPECT_EQ(commands_in("*1\r\nx1\r\nPING\r\n"), "!ERR Protocol error: expected '$', got 'x'");
  EXPECT_EQ(commands_in("*1\r\n\r\n"), "!ERR Protocol error: expected '$', got ' '");
  EXPECT_EQ(commands_in("*1\r\n$-1\r\n"), "!ERR Protocol error: invalid bulk length");
  EXPECT_EQ(commands_in("*1\r\n$999999999999\r\n"), "!ERR Protocol error: invalid bulk length");
  const std::string digits(70'000, '1');
  EXPECT_EQ(commands_in(std::string("*").append(digits), 1000),
            "!ERR Protocol error: too big mbulk count string");
  EXPECT_EQ(commands_in(std::string("*1\r\n$").append(digits), 1000),
            "!ERR Protocol error: too big bulk count string");
  EXPECT_EQ(commands_in(digits, 1000), "!ERR Protocol error: too big inline request");
}

TEST(ACommandReader, TakesLessFromAClientThatItDoesNotKnow) {
  EXPECT_EQ(commands_in("*11\r\n", 9, false),
            "!ERR Protocol error: unauthenticated multibulk length");
  EXPECT_EQ(commands_in("*1\r\n$16385\r\n", 99, false),
            "!ERR Protocol error: unauthenticated bulk length");
  EXPECT_EQ(commands_in("*2\r\n$4\r\nAUTH\r\n$1\r\nx\r\n", 99, false), "[AUTH|x|]");
}

// Counts what is in use.
class MeteredMemory final : public std::pmr::memory_resource {
 public:
  std::size_t most = 0;

 private:
  std::size_t used_ = 0;
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    used_ += bytes;
    most = std::max(most, used_);
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    used_ -= bytes;
    std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

TEST(Readers, DoNotAllocateWhatIsOnlyAnnounced) {
  MeteredMemory memory;
  CommandReader commands({}, &memory);
  commands.feed("*2000000000\r\n$536870912\r\nabc");
  EXPECT_EQ(commands.next(), ReadStatus::kMore);
  ReplyReader replies(&memory);
  replies.feed("*2000000000\r\n%1000000000\r\n$536870912\r\nabc");
  EXPECT_EQ(replies.next(), ReadStatus::kMore);
  EXPECT_LT(memory.most, 4096u);
}

TEST(ACommandReader, ForgetsWhatItHasRead) {
  MeteredMemory memory;
  CommandReader reader({}, &memory);
  std::string bytes;
  const std::string_view argv[] = {"SET", "key", "value"};
  for (int i = 0; i < 100; ++i) append_command(argv, bytes);
  for (int i = 0; i < 1000; ++i) {
    reader.feed(bytes);
    int found = 0;
    while (reader.next() == ReadStatus::kComplete) ++found;
    ASSERT_EQ(found, 100);
  }
  EXPECT_LT(memory.most, 64u * 1024);
}

// What a reader makes of `bytes`: each reply described, then how it ended.
std::string replies_in(std::string_view bytes, std::size_t piece) {
  ReplyReader reader;
  std::string found;
  std::string raw;
  ReadStatus status = ReadStatus::kMore;
  for (std::size_t at = 0; at < bytes.size() && status != ReadStatus::kBroken; at += piece) {
    reader.feed(bytes.substr(at, piece));
    while ((status = reader.next()) == ReadStatus::kComplete) {
      std::pmr::string text;
      describe(reader.reply(), text);
      found.append(text).append(";");
      raw.append(reader.bytes());
    }
  }
  if (status == ReadStatus::kBroken) {
    found.append("!").append(reader.error());
  } else {
    EXPECT_EQ(bytes.substr(0, raw.size()), raw);
  }
  return found;
}

std::string replies_in(std::string_view bytes) {
  const std::string whole = replies_in(bytes, bytes.size());
  if (whole.find('!') == std::string::npos) {
    for (const std::size_t piece : {1u, 2u, 5u}) EXPECT_EQ(replies_in(bytes, piece), whole);
  }
  return whole;
}

TEST(AReplyReader, ReadsResp2) {
  EXPECT_EQ(replies_in("+OK\r\n-ERR no\r\n:-42\r\n$5\r\na\r\nbc\r\n$-1\r\n*-1\r\n*0\r\n"),
            "OK;(error) ERR no;(integer) -42;\"a\\r\\nbc\";(nil);(nil);[];");
  EXPECT_EQ(replies_in("*2\r\n*1\r\n:1\r\n$0\r\n\r\n*1\r\n"), "[[(integer) 1], \"\"];");
}

TEST(AReplyReader, ReadsResp3) {
  EXPECT_EQ(replies_in("_\r\n#t\r\n#f\r\n,1.5\r\n,-inf\r\n(123\r\n=6\r\ntxt:ab\r\n!3\r\nE x\r\n"),
            "(nil);(true);(false);(double) 1.5;(double) -inf;123;\"ab\";(error) E x;");
  EXPECT_EQ(replies_in("%1\r\n+a\r\n~1\r\n:1\r\n>2\r\n+message\r\n+x\r\n"),
            "[a, [(integer) 1]];[message, x];");
}

TEST(AReplyReader, LeavesAttributesOut) {
  EXPECT_EQ(replies_in("|1\r\n+ttl\r\n:5\r\n+v\r\n*2\r\n|1\r\n+a\r\n*1\r\n:1\r\n:7\r\n|0\r\n:8\r\n"),
            "v;[(integer) 7, (integer) 8];");
}

TEST(AReplyReader, GivesBackWhatTheEncodersMade) {
  const std::string_view samples[] = {
      "+OK\r\n", "_\r\n", "#t\r\n", ",1.5\r\n", "(12\r\n", "=7\r\nmkd:abc\r\n", ":1\r\n",
      "%2\r\n+a\r\n,inf\r\n+b\r\n~1\r\n_\r\n", ">1\r\n*2\r\n-E\r\n$1\r\nx\r\n"};
  for (const std::string_view sample : samples) {
    Reply reply;
    ASSERT_TRUE(parse_reply(sample, reply)) << sample;
    std::pmr::string bytes;
    encode_resp3(reply, bytes);
    EXPECT_EQ(std::string_view(bytes), sample);
  }
}

TEST(AReplyReader, RefusesWhatIsNoReply) {
  for (const std::string_view bytes :
       {"hello\r\n", ":x\r\n", "$-2\r\n", "$1\r\nabc", "#x\r\n", "*1.5\r\n", "=3\r\nabc\r\n",
        "+a\rb", "%-1\r\n", ",\r\n", "$99999999999\r\n"}) {
    EXPECT_TRUE(replies_in(bytes).starts_with('!')) << bytes;
  }
}

TEST(AReplyReader, BoundsHowDeeplyRepliesNest) {
  std::string deep;
  for (std::size_t i = 0; i < kReplyDepthMax; ++i) deep += "*1\r\n";
  EXPECT_EQ(replies_in(std::string(deep).append("+x\r\n")).substr(0, 3), "[[[");
  EXPECT_EQ(replies_in(std::string(deep).append("*1\r\n+x\r\n")), "!nested too deeply");
}

TEST(Encoders, FallBackToResp2) {
  Reply map = Reply::aggregate(Reply::Type::kMap);
  map.append(Reply::bulk("a"));
  map.append(Reply::floating("1.5"));
  map.append(Reply::boolean(true));
  map.append(Reply::verbatim("txt", "v"));
  std::pmr::string two;
  encode_resp2(map, two);
  EXPECT_EQ(std::string_view(two), "*4\r\n$1\r\na\r\n$3\r\n1.5\r\n:1\r\n$1\r\nv\r\n");
  std::pmr::string three;
  encode_resp3(map, three);
  EXPECT_EQ(std::string_view(three), "%2\r\n$1\r\na\r\n,1.5\r\n#t\r\n=5\r\ntxt:v\r\n");
}

}  // namespace
}  // namespace locklapse::redis
