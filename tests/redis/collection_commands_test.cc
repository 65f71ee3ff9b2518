#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

struct Row {
  const char* line;
  std::string reply;
};

class HashCommands : public ServerFixture {};
class ListCommands : public ServerFixture {};
class SortedSetCommands : public ServerFixture {};

TEST_F(HashCommands, AnswerAsRecorded) {
  const Row kRows[] = {
      {"HSET h f 1 g 2", ":2\r\n"},
      {"HSET h f 3 i 4", ":1\r\n"},
      {"HSET h f", "-ERR wrong number of arguments for 'hset' command\r\n"},
      {"HSET h f 1 g", "-ERR wrong number of arguments for 'hset' command\r\n"},
      {"HGET h f", bulk("3")},
      {"HGET h missing", std::string(kNil)},
      {"HMGET h f missing g", "*3\r\n$1\r\n3\r\n$-1\r\n$1\r\n2\r\n"},
      {"HEXISTS h f", ":1\r\n"},
      {"HEXISTS h x", ":0\r\n"},
      {"HLEN h", ":3\r\n"},
      {"HINCRBY h f 4", ":7\r\n"},
      {"HINCRBY h new -1", ":-1\r\n"},
      {"HINCRBY h f abc", std::string(kNotAnInteger)},
      {"HINCRBY h f 9223372036854775807", "-ERR increment or decrement would overflow\r\n"},
      {"HGETALL h",
       "*8\r\n$1\r\nf\r\n$1\r\n7\r\n$1\r\ng\r\n$1\r\n2\r\n$1\r\ni\r\n$1\r\n4\r\n$3\r\nnew\r\n"
       "$2\r\n-1\r\n"},
      {"HGETALL missing", "*0\r\n"},
      {"HDEL h f g nope", ":2\r\n"},
      {"HSETNX h i 9", ":0\r\n"},
      {"HSETNX h j 9", ":1\r\n"},
      {"HKEYS h", "*3\r\n$1\r\ni\r\n$3\r\nnew\r\n$1\r\nj\r\n"},
      {"HDEL h i new j", ":3\r\n"},
      {"EXISTS h", ":0\r\n"},
      {"HMSET h f x", "+OK\r\n"},
      {"HINCRBY h f 1", "-ERR hash value is not an integer\r\n"},
      {"GET h", std::string(kWrongType)},
      {"LPUSH h x", std::string(kWrongType)},
  };
  for (const Row& row : kRows) EXPECT_EQ(run(row.line), row.reply) << row.line;
}

TEST_F(HashCommands, KeepTheTtlOfAnExistingHash) {
  run("HSET h f 1");
  run("PEXPIRE h 500");
  run("HINCRBY h f 1");
  run("HSET h g 1");
  EXPECT_EQ(run("PTTL h"), ":500\r\n");
}

TEST_F(ListCommands, AnswerAsRecorded) {
  const Row kRows[] = {
      {"RPUSH l a b c", ":3\r\n"},
      {"LPUSH l z", ":4\r\n"},
      {"LLEN l", ":4\r\n"},
      {"LRANGE l 0 -1", "*4\r\n$1\r\nz\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n"},
      {"LRANGE l -2 100", "*2\r\n$1\r\nb\r\n$1\r\nc\r\n"},
      {"LRANGE l 5 9", "*0\r\n"},
      {"LRANGE l x 1", std::string(kNotAnInteger)},
      {"LINDEX l -1", bulk("c")},
      {"LPOP l", bulk("z")},
      {"RPOP l 2", "*2\r\n$1\r\nc\r\n$1\r\nb\r\n"},
      {"LPOP l 0", "*0\r\n"},
      {"LPOP l -1", "-ERR value is out of range, must be positive\r\n"},
      {"LPOP l x", "-ERR value is out of range, must be positive\r\n"},
      {"LPOP l 1 2", "-ERR wrong number of arguments for 'lpop' command\r\n"},
      {"LPOP l", bulk("a")},
      {"EXISTS l", ":0\r\n"},
      {"LPOP l", std::string(kNil)},
      {"LPOP l 2", "*-1\r\n"},
      {"RPUSH l a b a c a", ":5\r\n"},
      {"LREM l -2 a", ":2\r\n"},
      {"LRANGE l 0 -1", "*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n"},
      {"LREM l 0 a", ":1\r\n"},
      {"BLPOP l 0", "*2\r\n$1\r\nl\r\n$1\r\nb\r\n"},
  };
  for (const Row& row : kRows) EXPECT_EQ(run(row.line), row.reply) << row.line;
}

TEST_F(SortedSetCommands, AnswerAsRecorded) {
  const Row kRows[] = {
      {"ZADD z 1 a 2 b", ":2\r\n"},
      {"ZADD z CH 1 a 3 b 4 c", ":2\r\n"},
      {"ZADD z NX 9 a 5 d", ":1\r\n"},
      {"ZADD z XX 9 q", ":0\r\n"},
      {"ZADD z GT CH 2 b", ":0\r\n"},
      {"ZADD z LT CH 2 b", ":1\r\n"},
      {"ZADD z INCR 1.5 a", bulk("2.5")},
      {"ZADD z NX INCR 1 a", std::string(kNil)},
      {"ZADD z XX NX 1 a", "-ERR XX and NX options at the same time are not compatible\r\n"},
      {"ZADD z GT LT 1 a",
       "-ERR GT, LT, and/or NX options at the same time are not compatible\r\n"},
      {"ZADD z INCR 1 a 2 b", "-ERR INCR option supports a single increment-element pair\r\n"},
      {"ZADD z abc a", "-ERR value is not a valid float\r\n"},
      {"ZADD z 1 a 2", std::string(kSyntaxError)},
      {"ZADD z nan a", "-ERR value is not a valid float\r\n"},
      {"ZADD t 1700000000123 now", ":1\r\n"},
      {"ZSCORE t now", bulk("1700000000123")},
      {"ZADD t 0.1 x", ":1\r\n"},
      {"ZSCORE t x", bulk("0.10000000000000001")},
      {"ZADD t inf top", ":1\r\n"},
      {"ZADD t INCR -inf top", "-ERR resulting score is not a number (NaN)\r\n"},
      {"ZSCORE t top", bulk("inf")},
      {"ZSCORE t missing", std::string(kNil)},
      {"ZRANK z b", ":0\r\n"},
      {"ZRANK z missing", std::string(kNil)},
      {"ZCARD z", ":4\r\n"},
      {"ZCOUNT z 2 4", ":3\r\n"},
      {"ZCOUNT z (2 +inf", ":3\r\n"},
      {"ZCOUNT z x 1", "-ERR min or max is not a float\r\n"},
      {"ZRANGE z 0 -1 WITHSCORES",
       "*8\r\n$1\r\nb\r\n$1\r\n2\r\n$1\r\na\r\n$3\r\n2.5\r\n$1\r\nc\r\n$1\r\n4\r\n"
       "$1\r\nd\r\n$1\r\n5\r\n"},
      {"ZRANGE z 0 0 REV", "*1\r\n$1\r\nd\r\n"},
      {"ZRANGE z 5 (2 BYSCORE REV LIMIT 1 2", "*2\r\n$1\r\nc\r\n$1\r\na\r\n"},
      {"ZRANGE z 0 1 LIMIT 0 1",
       "-ERR syntax error, LIMIT is only supported in combination with either BYSCORE or "
       "BYLEX\r\n"},
      {"ZRANGE z - + BYLEX WITHSCORES",
       "-ERR syntax error, WITHSCORES not supported in combination with BYLEX\r\n"},
      {"ZRANGE z [a (c BYLEX", "*2\r\n$1\r\nb\r\n$1\r\na\r\n"},
      {"ZRANGE z a c BYLEX", "-ERR min or max not valid string range item\r\n"},
      {"ZRANGEBYSCORE z -inf (4", "*2\r\n$1\r\nb\r\n$1\r\na\r\n"},
      {"ZREMRANGEBYSCORE z (2 4", ":2\r\n"},
      {"ZREM z b nope", ":1\r\n"},
      {"ZINCRBY z 1 d", bulk("6")},
      {"ZREM z d", ":1\r\n"},
      {"EXISTS z", ":0\r\n"},
      {"ZRANGE z 0 -1", "*0\r\n"},
  };
  for (const Row& row : kRows) EXPECT_EQ(run(row.line), row.reply) << row.line;
}

}  // namespace
}  // namespace locklapse::redis
