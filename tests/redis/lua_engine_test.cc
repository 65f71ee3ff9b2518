// Scripts as Redis 7.0.15 runs them: what they may use, what their values become, how they fail and
// end. The replies were recorded from a real server, except where a test is about limits.
#include "sim/redis/lua_engine.h"

#include "sim/redis/sha1.h"
#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class Lua : public ServerFixture {
 protected:
  // The reply to a script that fails on its line 1: text and where it happened.
  static std::string failure(const std::string& script, const std::string& text, int line = 1) {
    std::string reply("-");
    reply.append(text).append(" script: ").append(sha1_hex(script).view());
    return reply.append(", on @user_script:").append(std::to_string(line)).append(".\r\n");
  }
};

struct Row {
  const char* script;
  std::string reply;
};

TEST_F(Lua, TurnsValuesIntoReplies) {
  const Row kRows[] = {
      {"return 1", ":1\r\n"},
      {"return 3.99", ":3\r\n"},
      {"return -1.9", ":-1\r\n"},
      {"return 1e300", ":-9223372036854775808\r\n"},
      {"return 0/0", ":-9223372036854775808\r\n"},
      {"return 'x'", "$1\r\nx\r\n"},
      {"return nil", "$-1\r\n"},
      {"return false", "$-1\r\n"},
      {"return true", ":1\r\n"},
      {"return", "$-1\r\n"},
      {"return function() end", "$-1\r\n"},
      {"return {1,nil,3}", "*1\r\n:1\r\n"},
      {"return {1,{2,{'x'}}}", "*2\r\n:1\r\n*2\r\n:2\r\n*1\r\n$1\r\nx\r\n"},
      {"return {ok='fine\\r\\n'}", "+fine  \r\n"},
      {"return {err='My Err'}", "-My Err\r\n"},
      {"return {err='-DASH x'}", "--DASH x\r\n"},
      {"return redis.error_reply('boom')", "-ERR boom\r\n"},
      {"return redis.error_reply('-MY boom')", "-MY boom\r\n"},
      {"return redis.error_reply()", "-ERR wrong number or type of arguments\r\n"},
      {"return redis.status_reply('ok')", "+ok\r\n"},
      {"return {double=1.25}", "$4\r\n1.25\r\n"},
      {"return {map={a=1}}", "*2\r\n$1\r\na\r\n:1\r\n"},
      {"return {set={a=true}}", "*1\r\n$1\r\na\r\n"},
      {"return {big_number='123'}", "$3\r\n123\r\n"},
      {"return {verbatim_string={format='txt',string='hi'}}", "$2\r\nhi\r\n"},
  };
  for (const Row& row : kRows) EXPECT_EQ(eval(row.script), row.reply) << row.script;
}

TEST_F(Lua, TurnsRepliesIntoValues) {
  run("SET s v");
  run("HSET h f v");
  run("ZADD z 1.5 m");
  const Row kRows[] = {
      {"return redis.call('get','missing') == false", ":1\r\n"},
      {"return redis.call('set','s','w','nx') == false", ":1\r\n"},
      {"return redis.call('lpop','missing',2) == false", ":1\r\n"},
      {"return redis.call('set','s','v').ok", "$2\r\nOK\r\n"},
      {"return type(redis.call('incr','n'))", "$6\r\nnumber\r\n"},
      {"return redis.call('get','s') == 'v'", ":1\r\n"},
      {"return redis.pcall('incr','s').err", bulk("ERR value is not an integer or out of range")},
      {"return redis.pcall('incr','s')", "-ERR value is not an integer or out of range\r\n"},
      {"redis.setresp(3) return redis.call('get','missing') == nil", ":1\r\n"},
      {"redis.setresp(3) return redis.call('hgetall','h').map.f", "$1\r\nv\r\n"},
      {"redis.setresp(3) return redis.call('zscore','z','m').double * 2", ":3\r\n"},
      {"redis.setresp(3) return false", ":0\r\n"},
  };
  for (const Row& row : kRows) EXPECT_EQ(eval(row.script), row.reply) << row.script;
}

TEST_F(Lua, PassesNumbersToCommandsInFull) {
  const Row kRows[] = {
      {"redis.call('set','n',1.5) return redis.call('get','n')", bulk("1.5")},
      {"redis.call('set','n',0.1) return redis.call('get','n')", bulk("0.10000000000000001")},
      {"redis.call('set','n',1e15) return redis.call('get','n')", bulk("1000000000000000")},
      {"redis.call('set','n',1e20) return redis.call('get','n')", bulk("1e+20")},
      {"redis.call('set','n',1/0) return redis.call('get','n')", bulk("inf")},
  };
  for (const Row& row : kRows) EXPECT_EQ(eval(row.script), row.reply) << row.script;
}

TEST_F(Lua, TellsWhereAScriptFailed) {
  run("SET s text");
  const struct {
    const char* script;
    const char* text;
    int line;
  } kRows[] = {
      {"error('boom')", "ERR user_script:1: boom", 1},
      {"error('boom',0)", "ERR boom", 1},
      {"error({err='X y'})", "X y", 1},
      {"error({err='MY thing\\nline2'})", "MY thing line2", 1},
      {"error(nil)", "ERR nil", 1},
      {"error(true)", "ERR true", 1},
      {"\n\nreturn nope",
       "ERR user_script:3: Script attempted to access nonexistent global variable 'nope'", 3},
      {"local x=nil; return x.y", "ERR user_script:1: attempt to index local 'x' (a nil value)", 1},
      {"return nil < 1", "ERR user_script:1: attempt to compare nil with number", 1},
      {"assert(false,'msg')", "ERR user_script:1: msg", 1},
      {"redis.call('incr','s')", "ERR value is not an integer or out of range", 1},
      {"redis.call('lpush','s','x')",
       "WRONGTYPE Operation against a key holding the wrong kind of value", 1},
      {"redis.call('nope')", "ERR Unknown Redis command called from script", 1},
      {"redis.call('get')", "ERR Wrong number of args calling Redis command from script", 1},
      {"redis.call()", "ERR Please specify at least one argument for this redis lib call", 1},
      {"redis.call('get',{})", "ERR Lua redis lib command arguments must be strings or integers",
       1},
      {"redis.sha1hex()", "ERR wrong number of arguments", 1},
      {"redis.setresp(4)", "ERR RESP version must be 2 or 3.", 1},
      {"redis.log(9,'x')", "ERR Invalid debug level.", 1},
      {"redis.set_repl(9)",
       "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.", 1},
      {"math.random(0)", "ERR user_script:1: bad argument #1 to 'random' (interval is empty)", 1},
      {"return ('x'):format({}) .. nil", "ERR user_script:1: attempt to concatenate a nil value",
       1},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(eval(row.script), failure(row.script, row.text, row.line)) << row.script;
  }
  EXPECT_EQ(eval("x="),
            "-ERR Error compiling script (new function): user_script:1: unexpected symbol "
            "near '<eof>'\r\n");
}

TEST_F(Lua, GivesACaughtErrorAsText) {
  run("SET s text");
  EXPECT_EQ(eval("local ok,e = pcall(function() redis.call('incr','s') end) return e"),
            bulk("ERR value is not an integer or out of range"));
  EXPECT_EQ(eval("local ok,e = pcall(error,'x') return e"), bulk("x"));
  EXPECT_EQ(eval("local ok,e = xpcall(function() error('x') end, function(e) return 'h:'..e end) "
                 "return e"),
            bulk("h:user_script:1: x"));
}

TEST_F(Lua, OffersOnlyWhatTheSandboxAllows) {
  for (const char* name : {"os", "io", "debug", "print", "dofile", "loadfile", "require", "module",
                           "package", "newproxy", "getfenv", "setfenv", "cjson"}) {
    const std::string script = std::string("return ") + name;
    EXPECT_EQ(eval(script),
              failure(script, std::string("ERR user_script:1: Script attempted to access "
                                          "nonexistent global variable '") +
                                  name + "'"));
  }
  const Row kRows[] = {
      {"return redis.REDIS_VERSION", bulk("7.0.15")},
      {"return redis.REDIS_VERSION_NUM", ":458767\r\n"},
      {"return redis.sha1hex('')", bulk("da39a3ee5e6b4b0d3255bfef95601890afd80709")},
      {"return bit.tohex(255,-4)", bulk("00FF")},
      {"return bit.lshift(1,31)", ":-2147483648\r\n"},
      {"return bit.bswap(0x12345678)", ":2018915346\r\n"},
      {"return loadstring('return 7')()", ":7\r\n"},
      {"local f,e=loadstring('\\27Lua') return e",
       bulk("[string \"\x1bLua\"]:1: unexpected symbol near 'char(27)'")},
      {"local f,e=loadstring(string.dump(function() return 1 end)) return f == nil", ":1\r\n"},
      {"return redis.acl_check_cmd('get','x')", ":1\r\n"},
      {"return redis.replicate_commands()", ":1\r\n"},
      {"local co=coroutine.wrap(function(a) local b=coroutine.yield(a+1) return b*2 end) "
       "return {co(1),co(10)}",
       "*2\r\n:2\r\n:20\r\n"},
      {"return collectgarbage('count')", ":0\r\n"},
  };
  for (const Row& row : kRows) EXPECT_EQ(eval(row.script), row.reply) << row.script;
}

TEST_F(Lua, RefusesToChangeWhatScriptsShare) {
  for (const char* script :
       {"foo=1", "_G.foo=1", "string.foo=1", "redis.call=nil", "KEYS=nil",
        "getmetatable('').__index=nil", "getmetatable(_G).__index=nil", "('').foo=1 string.rep=1",
        "math.pi=3", "bit.x=1", "coroutine.x=1", "table.x=1"}) {
    EXPECT_EQ(eval(script).substr(0, 7), "-ERR us") << script;
  }
  for (const char* script :
       {"rawset(_G,'foo',1)", "rawset(string,'rep',1)", "table.insert(string,'x')",
        "setmetatable(_G,{})", "setmetatable(redis,{})"}) {
    EXPECT_EQ(eval(script), failure(script, "ERR Attempt to modify a readonly table")) << script;
  }
}

TEST_F(Lua, LeavesNothingBehindForTheNextScript) {
  eval("KEYS[1]='changed' ARGV.x=1 return KEYS[1]", "1 k");
  EXPECT_EQ(eval("return {KEYS[1], tostring(ARGV.x)}", "1 k"), "*2\r\n$1\r\nk\r\n$3\r\nnil\r\n");
  eval("math.randomseed(7) math.random()");
  const std::string first = eval("return tostring(math.random())");
  eval("math.random() math.random()");
  EXPECT_EQ(eval("return tostring(math.random())"), first);
  EXPECT_EQ(first, bulk("0.39646477363839"));
  eval("redis.setresp(3)");
  EXPECT_EQ(eval("return redis.call('get','missing') == false"), ":1\r\n");
}

TEST_F(Lua, LetsScriptsLookIntoReadOnlyTables) {
  EXPECT_EQ(eval("local n=0 for name,f in pairs(string) do n=n+1 end return n > 10"), ":1\r\n");
  EXPECT_EQ(eval("return rawget(string,'rep') == string.rep"), ":1\r\n");
  EXPECT_EQ(eval("return next(redis) ~= nil"), ":1\r\n");
  EXPECT_EQ(eval("return _G.redis == redis"), ":1\r\n");
}

TEST_F(Lua, ShowsNoAddresses) {
  EXPECT_EQ(
      eval("local a,b={},function() end return tostring(a)..' '..tostring(b)..' '..tostring(a)"),
      bulk("table: 0x000000000001 function: 0x000000000002 table: 0x000000000001"));
  EXPECT_EQ(eval("error({})").substr(0, 20), "-ERR unknown error s");
  const std::string walk = "local t={[{}]=1} for k in pairs(t) do end";
  EXPECT_EQ(eval(walk), failure(walk,
                                "ERR user_script:1: the order of a table with table keys is not "
                                "the same in every run"));
}

TEST_F(Lua, StopsAScriptAtItsLimitOfInstructionsWhateverItTries) {
  LuaEngine small({.instructions_max = 100'000});
  Server limited(*memory, small, {}, nullptr);
  const ConnectionId connection = limited.connect();
  const char* const kScripts[] = {
      "while true do end",
      "while true do pcall(function() while true do end end) end",
      "xpcall(function() while true do end end, function() while true do end end)",
      "coroutine.wrap(function() while true do end end)()",
      "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
      "local function f() return f() end f()",
      "while true do redis.pcall('get','k') end",
      "string.rep('a',5000):find(('a*'):rep(100)..'b')",
      "string.rep('a',5000):find('.-.-.-.-.-b')",
      "while true do string.rep('x',10000) end",
      "local t={} for i=1,1e9 do t[i]=i end",
      "while true do ('x'):rep(100):gsub('.','%0%0') end",
      "local t={} for i=1,300 do t[i]=i%7 end while true do table.sort(t) end",
      "while true do loadstring('return 1') end",
      "while true do load(function() end) end",
      "local t=setmetatable({},{__index=function() while true do end end}) return t.x",
  };
  for (const char* script : kScripts) {
    Outbox sent(memory);
    const std::string_view argv[] = {"EVAL", script, "0"};
    limited.execute(connection, argv, now, sent);
    const std::string reply = bytes_of(sent.front().reply);
    EXPECT_NE(reply.find("script stopped after 100000 instructions"), std::string::npos)
        << script << ": " << reply;
  }
}

TEST_F(Lua, StopsAScriptAtItsLimitOfMemory) {
  for (const char* script :
       {"local s='x' while true do s=s..s end", "return ('x'):rep(1e9)",
        "local t={} for i=1,1e9 do t[i]={} end", "while true do pcall(string.rep,'x',1e7) end",
        "local s=('x'):rep(1e7) return s..s",
        "return table.concat({('x'):rep(1e7),('x'):rep(1e7)})",
        "local s=('x'):rep(4e6) return s:gsub('x','yyyyyyyy')"}) {
    const std::string reply = eval(script);
    EXPECT_TRUE(reply.find("not enough memory") != std::string::npos ||
                reply.find("script stopped") != std::string::npos)
        << script << ": " << reply.substr(0, 200);
  }
  EXPECT_EQ(eval("return 1"), ":1\r\n");
}

TEST_F(Lua, BoundsRepliesThatContainThemselves) {
  EXPECT_NE(eval("local t={} t[1]=t return t").find("reached lua stack limit"), std::string::npos);
  EXPECT_NE(eval("local t={} for i=1,9 do t[i]=t end return t").size(), 0u);
}

TEST_F(Lua, RunsOutOfStackInsteadOfCrashing) {
  EXPECT_NE(eval("local function f() return 1+f() end return f()").find("stack overflow"),
            std::string::npos);
  EXPECT_NE(eval("local function f() return pcall(f) end return f()"), "");
  EXPECT_NE(
      eval("local function f() return coroutine.wrap(f)() end return f()").find("C stack overflow"),
      std::string::npos);
  EXPECT_NE(eval("return ('a'):rep(300):find(('a?'):rep(300))").find("pattern too complex"),
            std::string::npos);
  EXPECT_NE(eval("return loadstring(('('):rep(500))").size(), 0u);
}

TEST_F(Lua, AnswersTheSameWhateverRanBefore) {
  const std::string script =
      "local t={} for i=1,50 do t['k'..i]=i end local r={} for k,v in pairs(t) do r[#r+1]=k end "
      "return {table.concat(r,','), tostring({}), tostring(math.random())}";
  const std::string before = eval(script);
  for (int i = 0; i < 50; ++i) eval("local x = {} for i=1,1000 do x[i]=tostring(i) end");
  eval("local s='x' while true do s=s..s end");
  EXPECT_EQ(eval(script), before);
  LuaEngine fresh;
  Server second(*memory, fresh, {}, nullptr);
  const ConnectionId connection = second.connect();
  Outbox sent(memory);
  const std::string_view argv[] = {"EVAL", script, "0"};
  second.execute(connection, argv, now, sent);
  EXPECT_EQ(bytes_of(sent.front().reply), before);
}

}  // namespace
}  // namespace locklapse::redis
