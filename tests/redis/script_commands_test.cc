#include "sim/redis/sha1.h"
#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class ScriptCommands : public ServerFixture {
 protected:
  static constexpr std::string_view kOne = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";  // return 1
  static constexpr std::string_view kNoScript =
      "-NOSCRIPT No matching script. Please use EVAL.\r\n";

  std::string evalsha(std::string_view sha) { return run("EVALSHA " + std::string(sha) + " 0"); }
};

TEST_F(ScriptCommands, GiveKeysAndArguments) {
  EXPECT_EQ(eval("return {KEYS[1],KEYS[2],ARGV[1],ARGV[2],#KEYS,#ARGV}", "2 a b c d"),
            "*6\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\nd\r\n:2\r\n:2\r\n");
}

TEST_F(ScriptCommands, CheckTheNumberOfKeys) {
  EXPECT_EQ(eval("return 1", "x"), kNotAnInteger);
  EXPECT_EQ(eval("return 1", "-1"), "-ERR Number of keys can't be negative\r\n");
  EXPECT_EQ(eval("return 1", "1"), "-ERR Number of keys can't be greater than number of args\r\n");
}

TEST_F(ScriptCommands, KnowAScriptOnceItWasLoadedOrEvaluated) {
  EXPECT_EQ(evalsha(kOne), kNoScript);
  EXPECT_EQ(evalsha("short"), kNoScript);
  EXPECT_EQ(run("SCRIPT LOAD 'return 1'"), bulk(kOne));
  EXPECT_EQ(evalsha(kOne), ":1\r\n");
  EXPECT_EQ(evalsha("E0E1F9FABFC9D4800C877A703B823AC0578FF8DB"), ":1\r\n");
  EXPECT_EQ(run("SCRIPT EXISTS " + std::string(kOne) + " nope"), "*2\r\n:1\r\n:0\r\n");
  EXPECT_EQ(run("SCRIPT FLUSH"), kOk);
  EXPECT_EQ(evalsha(kOne), kNoScript);
  eval("return 1");
  EXPECT_EQ(evalsha(kOne), ":1\r\n");
  EXPECT_EQ(run("SCRIPT FLUSH now"), "-ERR SCRIPT FLUSH only support SYNC|ASYNC option\r\n");
  EXPECT_EQ(run("SCRIPT KILL"), "-NOTBUSY No scripts in execution right now.\r\n");
}

TEST_F(ScriptCommands, KnowScriptsPerServerAlthoughTheVmIsShared) {
  eval("return 1");
  Server second(*memory, engine(), {}, nullptr);
  const ConnectionId connection = second.connect();
  Outbox sent(memory);
  const std::string_view argv[] = {"EVALSHA", kOne, "0"};
  second.execute(connection, argv, now, sent);
  EXPECT_EQ(bytes_of(sent.front().reply), kNoScript);
}

TEST_F(ScriptCommands, ReadAShebang) {
  EXPECT_EQ(eval("#!lua\nreturn 1"), ":1\r\n");
  EXPECT_EQ(eval("#!lua"), "-ERR Invalid script shebang\r\n");
  EXPECT_EQ(eval("#!python\nreturn 1"), "-ERR Unexpected engine in script shebang: #!python\r\n");
  EXPECT_EQ(eval("#!lua flags=nope\nreturn 1"), "-ERR Unexpected flag in script shebang: nope\r\n");
  EXPECT_EQ(eval("#!lua x=1\nreturn 1"), "-ERR Unknown lua shebang option: x=1\r\n");
  const std::string writes = "#!lua flags=no-writes\nreturn redis.call('set','k','v')";
  EXPECT_EQ(eval(writes), "-ERR Write commands are not allowed from read-only scripts. script: " +
                              std::string(sha1_hex(writes).view()) + ", on @user_script:2.\r\n");
  EXPECT_EQ(eval("#!lua flags=no-writes,allow-oom\nreturn redis.call('get','k')"), kNil);
}

TEST_F(ScriptCommands, KeepEarlierWritesWhenTheyFail) {
  const std::string script = "redis.call('set','k','v') redis.call('incr','k')";
  EXPECT_EQ(eval(script), "-ERR value is not an integer or out of range script: " +
                              std::string(sha1_hex(script).view()) + ", on @user_script:1.\r\n");
  EXPECT_EQ(run("GET k"), bulk("v"));
}

TEST_F(ScriptCommands, SelectForThemselvesOnly) {
  eval("redis.call('select',3) redis.call('set','k','v')");
  EXPECT_EQ(run("GET k"), kNil);
  run("SELECT 3");
  EXPECT_EQ(run("GET k"), bulk("v"));
}

TEST_F(ScriptCommands, CannotRunWhatNeedsAConnection) {
  for (const char* command : {"multi", "exec", "watch','k", "subscribe','c", "blpop','k','0",
                              "eval','return 1','0", "script','flush", "quit", "reset"}) {
    const std::string script = std::string("return redis.pcall('") + command + "').err";
    EXPECT_EQ(eval(script), bulk("ERR This Redis command is not allowed from script")) << command;
  }
}

TEST_F(ScriptCommands, DeleteALockOnlyForItsOwner) {
  const std::string release =
      "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 "
      "end";
  run("SET lock a NX PX 1000");
  EXPECT_EQ(eval(release, "1 lock b"), ":0\r\n");
  EXPECT_EQ(eval(release, "1 lock a"), ":1\r\n");
  EXPECT_EQ(eval(release, "1 lock a"), ":0\r\n");
}

}  // namespace
}  // namespace locklapse::redis
