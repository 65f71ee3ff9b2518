// Lua's patterns, matched with a bound: every step counts against the script's instructions, so
// that no pattern can hold a script beyond its limit, and items that nest are counted, so that none
// can exhaust the machine's stack.
//
// Raises Lua errors (longjmp); holds nothing that needs destruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <string_view>

namespace locklapse::redis {

class LuaPattern {
 public:
  LuaPattern(lua_State* state, std::string_view text, std::string_view pattern);

  // Matches at exactly `at`; the end of the match, or null.
  const char* match_at(const char* at);

  // Pushes the captures of the last match, or the whole match if there are none and `whole` says
  // so.
  int push_captures(const char* begin, const char* end, bool whole);
  // Pushes one capture; 0 stands for the whole match where the pattern has none.
  void push_capture(int index, const char* begin, const char* end);

  const char* text_begin() const { return text_begin_; }
  const char* text_end() const { return text_end_; }

 private:
  static constexpr int kCapturesMax = 32;
  static constexpr int kDepthMax = 200;
  static constexpr std::ptrdiff_t kOpen = -1;
  static constexpr std::ptrdiff_t kPosition = -2;

  struct Capture {
    const char* begin;
    std::ptrdiff_t size;
  };

  void step(std::int64_t cost = 1);
  const char* match(const char* s, const char* p);
  const char* match_item(const char* s, const char*& p, bool& done);
  const char* open_capture(const char* s, const char* p, std::ptrdiff_t size);
  const char* close_capture(const char* s, const char* p);
  const char* match_balanced(const char* s, const char* p);
  const char* match_capture(const char* s, char digit);
  const char* expand_most(const char* s, const char* p, const char* item_end);
  const char* expand_least(const char* s, const char* p, const char* item_end);
  const char* item_end(const char* p);
  bool single_match(char c, const char* p, const char* item_end) const;
  int closed_capture(char digit);

  lua_State* state_;
  const char* text_begin_;
  const char* text_end_;
  const char* pattern_begin_;
  const char* pattern_end_;
  int depth_ = 0;
  int captures_ = 0;
  std::int64_t steps_ = 0;
  Capture capture_[kCapturesMax];
};

}  // namespace locklapse::redis
