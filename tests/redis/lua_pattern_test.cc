// string.find and its like, which are not Lua's own here: the same answers as Lua 5.1 gives.
#include "tests/redis/server_fixture.h"

namespace locklapse::redis {
namespace {

class LuaPatterns : public ServerFixture {};

TEST_F(LuaPatterns, MatchAsInLua) {
  const struct {
    const char* call;
    const char* result;  // elements joined by '|'
  } kRows[] = {
      {"('hello'):find('l')", "3|3"},
      {"('hello'):find('xyz')", "nil"},
      {"('hello'):find('l',-2)", "4|4"},
      {"('hello'):find('')", "1|0"},
      {"('hello'):find('',10)", "6|5"},
      {"('a.b'):find('.',1,true)", "2|2"},
      {"('hello'):find('(l)(l)')", "3|4|l|l"},
      {"('hello'):match('^(h)(.-)o$')", "h|ell"},
      {"('  trim '):match('^%s*(.-)%s*$')", "trim"},
      {"('key=value'):match('(%w+)=(%w+)')", "key|value"},
      {"('2026-01-02'):match('(%d+)-(%d+)-(%d+)')", "2026|01|02"},
      {"('abc'):match('()b()')", "2|3"},
      {"('abab'):match('(ab)%1')", "ab"},
      {"('f(a(b)c)d'):match('%b()')", "(a(b)c)"},
      {"('THE (quick) fox'):find('%f[%a]%a+%f[%A]')", "1|3"},
      {"('[]]'):match('[]]')", "]"},
      {"('a-b'):match('[a%-]+')", "a-"},
      {"('x^y'):match('[%^x]+')", "x^"},
      {"('aaa'):match('a-')", ""},
      {"('aaab'):match('a-b')", "aaab"},
      {"('colour'):match('colou?r')", "colour"},
      {"('0x1F'):match('%x+$')", "1F"},
      {"('abc'):gsub('%w','%0%0')", "aabbcc|3"},
      {"('abc'):gsub('','-')", "-a-b-c-|4"},
      {"('hello world'):gsub('o','0',1)", "hell0 world|1"},
      {"('$name'):gsub('%$(%w+)',{name='x'})", "x|1"},
      {"('abc'):gsub('%w',function(c) if c=='b' then return 'B' end end)", "aBc|3"},
      {"('abc'):gsub('^a','x')", "xbc|1"},
      {"('a,b'):gsub(',','%%')", "a%b|1"},
      {"('x'):gsub('x','%1')", "x|1"},
      {"(function() local r={} for w in ('one two'):gmatch('%a+') do r[#r+1]=w end return "
       "unpack(r) end)()",
       "one|two"},
      {"(function() local r={} for k,v in ('a=1,b=2'):gmatch('(%w)=(%w)') do r[#r+1]=k..v end "
       "return unpack(r) end)()",
       "a1|b2"},
      {"('ab'):rep(3)", "ababab"},
      {"('ab'):rep(0)", ""},
      {"('a\\0b'):find('%z')", "2|2"},
      {"('a\\0b'):find('b',1,true)", "3|3"},
  };
  for (const auto& row : kRows) {
    const std::string script =
        std::string("local r={") + row.call +
        "} for i=1,#r do r[i]=tostring(r[i]) end if #r == 0 then r[1]='nil' end "
        "return table.concat(r,'|')";
    EXPECT_EQ(eval(script), bulk(row.result)) << row.call;
  }
}

TEST_F(LuaPatterns, RefuseBadPatternsWithLuasErrors) {
  const struct {
    const char* call;
    const char* error;
  } kRows[] = {
      {"('x'):find('%')", "malformed pattern (ends with '%')"},
      {"('x'):find('[a')", "malformed pattern (missing ']')"},
      {"('x'):find('(x')", "unfinished capture"},
      {"('x'):match('x)')", "invalid pattern capture"},
      {"('x'):find('%1')", "invalid capture index"},
      {"('x'):find('%b')", "unbalanced pattern"},
      {"('x'):find('%f')", "missing '[' after '%f' in pattern"},
      {"('x'):gsub('x','%2')", "invalid capture index"},
      {"('x'):gsub('x',function() return {} end)", "invalid replacement value (a table)"},
      {"('x'):gsub('x')", "bad argument #2 to 'gsub' (string/function/table expected)"},
      {"(('x'):rep(40)):find(('(x)'):rep(33))", "too many captures"},
  };
  for (const auto& row : kRows) {
    const std::string reply = eval(std::string("return ") + row.call);
    EXPECT_NE(reply.find(std::string("user_script:1: ") + row.error), std::string::npos)
        << row.call << ": " << reply;
  }
}

}  // namespace
}  // namespace locklapse::redis
