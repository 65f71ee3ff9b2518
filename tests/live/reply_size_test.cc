#include "sim/live/reply_size.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "sim/live/error.h"

namespace locklapse::live {
namespace {

TEST(ReplySize, EndsWhereTheFirstReplyDoes) {
  for (const std::string_view reply :
       {"+OK\r\n", ":-1\r\n", "-ERR no\r\n", "$-1\r\n", "*-1\r\n", "$0\r\n\r\n", "$3\r\na\r\n\r\n", "*0\r\n",
        "*2\r\n*1\r\n:1\r\n$1\r\nx\r\n", "_\r\n", "%1\r\n+a\r\n:1\r\n", ",1.5\r\n", "#t\r\n", "~1\r\n:1\r\n",
        ">2\r\n+message\r\n$1\r\nx\r\n", "=5\r\ntxt:x\r\n", "|1\r\n+a\r\n+b\r\n:7\r\n"}) {
    const std::string followed = std::string(reply) + "+next\r\n";
    EXPECT_EQ(reply_size(followed), reply.size()) << reply;
    for (std::size_t cut = 0; cut < reply.size(); ++cut) {
      EXPECT_EQ(reply_size(reply.substr(0, cut)), 0u) << reply << " cut at " << cut;
    }
  }
}

TEST(ReplySize, RefusesWhatIsNoReply) { EXPECT_THROW(reply_size("hello\r\n"), Error); }

}  // namespace
}  // namespace locklapse::live
