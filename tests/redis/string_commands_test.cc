#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class SetCommand : public ServerFixture {};
class StringCommands : public ServerFixture {};
class CounterCommands : public ServerFixture {};

TEST_F(SetCommand, AnswersOkAndDropsTheTtlAndTheOldType) {
  run("RPUSH k a");
  run("EXPIRE k 100");
  EXPECT_EQ(run("SET k v"), kOk);
  EXPECT_EQ(run("TYPE k"), "+string\r\n");
  EXPECT_EQ(run("TTL k"), ":-1\r\n");
}

TEST_F(SetCommand, WithNxOnAKeyOfAnyTypeAnswersNilNotWrongType) {
  run("HSET k f v");
  EXPECT_EQ(run("SET k v NX"), kNil);
  EXPECT_EQ(run("TYPE k"), "+hash\r\n");
  EXPECT_EQ(run("SET fresh v NX PX 1000"), kOk);
  EXPECT_EQ(run("PTTL fresh"), ":1000\r\n");
}

TEST_F(SetCommand, WithXxOnAMissingKeyAnswersNil) { EXPECT_EQ(run("SET k v XX"), kNil); }

TEST_F(SetCommand, KeepsTheTtlWithKeepttl) {
  run("SET k v PX 5000");
  EXPECT_EQ(run("SET k w KEEPTTL"), kOk);
  EXPECT_EQ(run("PTTL k"), ":5000\r\n");
}

TEST_F(SetCommand, WithGetAnswersTheOldValueWhetherItSetsOrNot) {
  EXPECT_EQ(run("SET k a GET"), kNil);
  EXPECT_EQ(run("SET k b GET"), bulk("a"));
  EXPECT_EQ(run("SET k c NX GET"), bulk("b"));
  EXPECT_EQ(run("GET k"), bulk("b"));
  EXPECT_EQ(run("SET fresh v NX GET"), kNil);
  EXPECT_EQ(run("GET fresh"), bulk("v"));
  EXPECT_EQ(run("SET missing v XX GET"), kNil);
  EXPECT_EQ(run("EXISTS missing"), ":0\r\n");
  run("LPUSH list a");
  EXPECT_EQ(run("SET list v GET"), kWrongType);
  EXPECT_EQ(run("TYPE list"), "+list\r\n");
}

TEST_F(SetCommand, RefusesOptionsThatExcludeEachOtherWithASyntaxError) {
  for (const char* line :
       {"SET k v NX XX", "SET k v XX NX", "SET k v EX 1 PX 1", "SET k v PX 1 KEEPTTL",
        "SET k v KEEPTTL PX 1", "SET k v PX", "SET k v EX 1 EXAT 1", "SET k v IFEQ v",
        "SET k v NXX", "SET k v PERSIST"}) {
    EXPECT_EQ(run(line), kSyntaxError) << line;
  }
}

TEST_F(SetCommand, LetsTheSameUnitBeGivenTwiceAndTakesTheLast) {
  EXPECT_EQ(run("SET k v PX 1 px 2000"), kOk);
  EXPECT_EQ(run("PTTL k"), ":2000\r\n");
}

TEST_F(SetCommand, RefusesExpireTimesThatAreNotPositiveOrOverflow) {
  for (const char* line : {"SET k v PX 0", "SET k v PX -1", "SET k v EX 0", "SET k v PXAT 0",
                           "SET k v EXAT -5", "SET k v PX 9223372036854775807",
                           "SET k v EX 9223372036854775807", "SET k v EX 9223372036854776"}) {
    EXPECT_EQ(run(line), "-ERR invalid expire time in 'set' command\r\n") << line;
  }
  for (const char* line : {"SET k v PX abc", "SET k v EX 1.5", "SET k v PX 9223372036854775808",
                           "SET k v PX ' 1'", "SET k v PX 01"}) {
    EXPECT_EQ(run(line), kNotAnInteger) << line;
  }
}

TEST_F(SetCommand, ChecksTheExpireTimeBeforeTheCondition) {
  run("SET k v");
  EXPECT_EQ(run("SET k w NX PX 0"), "-ERR invalid expire time in 'set' command\r\n");
}

TEST_F(SetCommand, TakesTheLargestDeadlineThereIs) {
  EXPECT_EQ(run("SET k v PXAT 9223372036854775807"), kOk);
  EXPECT_EQ(run("PEXPIRETIME k"), ":9223372036854775807\r\n");
}

TEST_F(SetCommand, StoresAKeyWithAPastDeadlineThatReadsAsMissing) {
  EXPECT_EQ(run("SET k v PXAT 1000"), kOk);
  EXPECT_EQ(run("DBSIZE"), ":1\r\n");
  EXPECT_EQ(run("GET k"), kNil);
  EXPECT_EQ(run("DBSIZE"), ":0\r\n");
}

TEST_F(SetCommand, NamesItsArityInTheError) {
  EXPECT_EQ(run("SET k"), "-ERR wrong number of arguments for 'set' command\r\n");
  EXPECT_EQ(run("sEt"), "-ERR wrong number of arguments for 'set' command\r\n");
}

TEST_F(SetCommand, RefusesAValueBeyondTheLimit) {
  EXPECT_EQ(run(me, {"SET", "k", std::string((16 << 20) + 1, 'x')}),
            "-ERR Protocol error: invalid bulk length\r\n");
}

TEST_F(StringCommands, SetnxAnswersOneOrZeroAndSetsNoTtl) {
  EXPECT_EQ(run("SETNX k v"), ":1\r\n");
  EXPECT_EQ(run("SETNX k w"), ":0\r\n");
  EXPECT_EQ(run("TTL k"), ":-1\r\n");
}

TEST_F(StringCommands, SetexAndPsetexNameThemselvesInErrors) {
  EXPECT_EQ(run("SETEX k 10 v"), kOk);
  EXPECT_EQ(run("PTTL k"), ":10000\r\n");
  EXPECT_EQ(run("PSETEX k 10 v"), kOk);
  EXPECT_EQ(run("SETEX k 0 v"), "-ERR invalid expire time in 'setex' command\r\n");
  EXPECT_EQ(run("PSETEX k -1 v"), "-ERR invalid expire time in 'psetex' command\r\n");
}

TEST_F(StringCommands, GetsetDropsTheTtl) {
  run("SET k a PX 1000");
  EXPECT_EQ(run("GETSET k b"), bulk("a"));
  EXPECT_EQ(run("TTL k"), ":-1\r\n");
  EXPECT_EQ(run("GETSET fresh b"), kNil);
}

TEST_F(StringCommands, GetdelAnswersTheValueAndRemovesIt) {
  run("SET k a");
  EXPECT_EQ(run("GETDEL k"), bulk("a"));
  EXPECT_EQ(run("GETDEL k"), kNil);
  run("LPUSH l a");
  EXPECT_EQ(run("GETDEL l"), kWrongType);
}

TEST_F(StringCommands, GetexChangesTheTtlOnly) {
  run("SET k a");
  EXPECT_EQ(run("GETEX k PX 500"), bulk("a"));
  EXPECT_EQ(run("PTTL k"), ":500\r\n");
  EXPECT_EQ(run("GETEX k"), bulk("a"));
  EXPECT_EQ(run("PTTL k"), ":500\r\n");
  EXPECT_EQ(run("GETEX k PERSIST"), bulk("a"));
  EXPECT_EQ(run("PTTL k"), ":-1\r\n");
  EXPECT_EQ(run("GETEX k EXAT 1"), bulk("a"));
  EXPECT_EQ(run("EXISTS k"), ":0\r\n");
  EXPECT_EQ(run("GETEX missing PX 0"), kNil);
  run("SET k a");
  EXPECT_EQ(run("GETEX k PX 0"), "-ERR invalid expire time in 'getex' command\r\n");
  EXPECT_EQ(run("GETEX k NX"), kSyntaxError);
}

TEST_F(StringCommands, AppendGrowsAStringUpToTheLimit) {
  EXPECT_EQ(run("APPEND k ab"), ":2\r\n");
  EXPECT_EQ(run("APPEND k cd"), ":4\r\n");
  EXPECT_EQ(run("STRLEN k"), ":4\r\n");
  EXPECT_EQ(run("STRLEN missing"), ":0\r\n");
  const std::string half(9 << 20, 'x');
  run(me, {"SET", "big", half});
  EXPECT_EQ(run(me, {"APPEND", "big", half}),
            "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n");
}

TEST_F(StringCommands, MsetAndMgetWorkOnSeveralKeys) {
  EXPECT_EQ(run("MSET a 1 b 2"), kOk);
  run("LPUSH l x");
  EXPECT_EQ(run("MGET a l missing b"), "*4\r\n$1\r\n1\r\n$-1\r\n$-1\r\n$1\r\n2\r\n");
  EXPECT_EQ(run("MSET a 1 b"), "-ERR wrong number of arguments for 'mset' command\r\n");
}

TEST_F(CounterCommands, KeepTheTtl) {
  run("SET n 5 PX 700");
  EXPECT_EQ(run("INCR n"), ":6\r\n");
  EXPECT_EQ(run("DECRBY n 10"), ":-4\r\n");
  EXPECT_EQ(run("INCRBYFLOAT n 0.5"), bulk("-3.5"));
  EXPECT_EQ(run("PTTL n"), ":700\r\n");
}

TEST_F(CounterCommands, RefuseWhatIsNoInteger) {
  for (const char* value : {"01", "' 1'", "1.0", "+1", "''", "9223372036854775808", "-0"}) {
    run(std::string("SET n ") + value);
    EXPECT_EQ(run("INCR n"), kNotAnInteger) << value;
  }
}

TEST_F(CounterCommands, RefuseToOverflow) {
  run("SET n 9223372036854775807");
  EXPECT_EQ(run("INCR n"), "-ERR increment or decrement would overflow\r\n");
  EXPECT_EQ(run("DECRBY n -9223372036854775808"), "-ERR decrement would overflow\r\n");
  run("SET n -9223372036854775808");
  EXPECT_EQ(run("DECR n"), "-ERR increment or decrement would overflow\r\n");
}

TEST_F(CounterCommands, AddFloatsWithoutAnExponent) {
  const struct {
    const char* start;
    const char* delta;
    const char* sum;
  } kRows[] = {{"0.1", "0.2", "0.3"},     {"1e3", "0", "1000"},
               {"5.", ".5", "5.5"},       {"3.0", "-3", "0"},
               {"0", "-0", "0"},          {"1e18", "1", "1000000000000000001"},
               {"10", "1e-5", "10.00001"}};
  for (const auto& row : kRows) {
    run(std::string("SET n ") + row.start);
    EXPECT_EQ(run(std::string("INCRBYFLOAT n ") + row.delta), bulk(row.sum)) << row.start;
  }
  EXPECT_EQ(run("INCRBYFLOAT n nan"), "-ERR value is not a valid float\r\n");
  EXPECT_EQ(run("INCRBYFLOAT n inf"), "-ERR increment would produce NaN or Infinity\r\n");
}

}  // namespace
}  // namespace locklapse::redis
