#include "sim/redis/lua_pattern.h"

#include <cstring>

#include "sim/redis/ascii.h"
#include "sim/redis/lua_vm.h"

namespace locklapse::redis {

namespace {

constexpr std::int64_t kStepsPerCharge = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alpha(char c) { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }
bool is_printing(char c) { return c > ' ' && c < 0x7f; }
bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

// Whether `c` is of the class a letter after '%' names; a capital means its complement.
bool class_match(char c, char name) {
  bool found = false;
  switch (to_lower(name)) {
    case 'a':
      found = is_alpha(c);
      break;
    case 'c':
      found = is_control(c);
      break;
    case 'd':
      found = is_digit(c);
      break;
    case 'l':
      found = c >= 'a' && c <= 'z';
      break;
    case 'p':
      found = is_printing(c) && !is_alpha(c) && !is_digit(c);
      break;
    case 's':
      found = c == ' ' || (c >= '\t' && c <= '\r');
      break;
    case 'u':
      found = c >= 'A' && c <= 'Z';
      break;
    case 'w':
      found = is_alpha(c) || is_digit(c);
      break;
    case 'x':
      found = is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'f');
      break;
    case 'z':
      found = c == '\0';
      break;
    default:
      return name == c;
  }
  return (name >= 'A' && name <= 'Z') != found;
}

// Whether `c` is in the set [p, end], which begin with '[' and end with ']'.
bool set_match(char c, const char* p, const char* end) {
  bool in_set = true;
  if (p[1] == '^') {
    in_set = false;
    ++p;
  }
  while (++p < end) {
    if (*p == '%') {
      ++p;
      if (class_match(c, *p)) return in_set;
    } else if (p[1] == '-' && p + 2 < end) {
      p += 2;
      if (static_cast<unsigned char>(p[-2]) <= static_cast<unsigned char>(c) &&
          static_cast<unsigned char>(c) <= static_cast<unsigned char>(*p)) {
        return in_set;
      }
    } else if (*p == c) {
      return in_set;
    }
  }
  return !in_set;
}

}  // namespace

LuaPattern::LuaPattern(lua_State* state, std::string_view text, std::string_view pattern)
    : state_(state),
      text_begin_(text.data()),
      text_end_(text.data() + text.size()),
      pattern_begin_(pattern.data()),
      // Patterns end at a NUL.
      pattern_end_(pattern.data() + until_nul(pattern).size()) {}

void LuaPattern::step(std::int64_t cost) {
  steps_ += cost;
  if (steps_ < kStepsPerCharge) return;
  // Some four steps take as long as one instruction.
  charge(state_, steps_ / 4);
  steps_ = 0;
}

const char* LuaPattern::match_at(const char* at) {
  depth_ = 0;
  captures_ = 0;
  return match(at, pattern_begin_);
}

const char* LuaPattern::match(const char* s, const char* p) {
  if (++depth_ > kDepthMax) luaL_error(state_, "pattern too complex");
  bool done = false;
  while (!done && s != nullptr) {
    step();
    s = match_item(s, p, done);
  }
  --depth_;
  return s;
}

// Matches the item at p and moves p behind it. `done` means that the rest has been matched too.
const char* LuaPattern::match_item(const char* s, const char*& p, bool& done) {
  if (p == pattern_end_) {
    done = true;
    return s;
  }
  switch (*p) {
    case '(':
      done = true;
      if (p + 1 != pattern_end_ && p[1] == ')') return open_capture(s, p + 2, kPosition);
      return open_capture(s, p + 1, kOpen);
    case ')':
      done = true;
      return close_capture(s, p + 1);
    case '$':
      if (p + 1 == pattern_end_) {
        done = true;
        return s == text_end_ ? s : nullptr;
      }
      break;
    case '%':
      if (p + 1 == pattern_end_) break;
      if (p[1] == 'b') {
        s = match_balanced(s, p + 2);
        p += 4;
        return s;
      }
      if (p[1] == 'f') {
        p += 2;
        if (p == pattern_end_ || *p != '[') {
          luaL_error(state_, "missing '[' after '%%f' in pattern");
        }
        const char* end = item_end(p);
        const char before = s == text_begin_ ? '\0' : s[-1];
        const char here = s == text_end_ ? '\0' : *s;
        const bool frontier = !set_match(before, p, end - 1) && set_match(here, p, end - 1);
        p = end;
        return frontier ? s : nullptr;
      }
      if (is_digit(p[1])) {
        s = match_capture(s, p[1]);
        p += 2;
        return s;
      }
      break;
    default:
      break;
  }

  const char* end = item_end(p);
  const char suffix = end == pattern_end_ ? '\0' : *end;
  const bool matches = s < text_end_ && single_match(*s, p, end);
  switch (suffix) {
    case '?':
      if (matches) {
        const char* rest = match(s + 1, end + 1);
        if (rest != nullptr) {
          done = true;
          return rest;
        }
      }
      p = end + 1;
      return s;
    case '*':
      done = true;
      return expand_most(s, p, end);
    case '+':
      done = true;
      return matches ? expand_most(s + 1, p, end) : nullptr;
    case '-':
      done = true;
      return expand_least(s, p, end);
    default:
      p = end;
      return matches ? s + 1 : nullptr;
  }
}

const char* LuaPattern::open_capture(const char* s, const char* p, std::ptrdiff_t size) {
  if (captures_ >= kCapturesMax) luaL_error(state_, "too many captures");
  capture_[captures_] = {s, size};
  ++captures_;
  const char* rest = match(s, p);
  if (rest == nullptr) --captures_;
  return rest;
}

const char* LuaPattern::close_capture(const char* s, const char* p) {
  int open = captures_ - 1;
  while (open >= 0 && capture_[open].size != kOpen) --open;
  if (open < 0) luaL_error(state_, "invalid pattern capture");
  capture_[open].size = s - capture_[open].begin;
  const char* rest = match(s, p);
  if (rest == nullptr) capture_[open].size = kOpen;
  return rest;
}

const char* LuaPattern::match_balanced(const char* s, const char* p) {
  if (pattern_end_ - p < 2) luaL_error(state_, "unbalanced pattern");
  if (s == text_end_ || *s != *p) return nullptr;
  const char opening = p[0];
  const char closing = p[1];
  std::int64_t nested = 1;
  while (++s < text_end_) {
    step();
    if (*s == closing) {
      if (--nested == 0) return s + 1;
    } else if (*s == opening) {
      ++nested;
    }
  }
  return nullptr;
}

int LuaPattern::closed_capture(char digit) {
  const int index = digit - '1';
  if (index < 0 || index >= captures_ || capture_[index].size == kOpen) {
    luaL_error(state_, "invalid capture index");
  }
  return index;
}

const char* LuaPattern::match_capture(const char* s, char digit) {
  const Capture& capture = capture_[closed_capture(digit)];
  // A position capture never matches again: its size is no size.
  if (capture.size < 0) return nullptr;
  const auto size = static_cast<std::size_t>(capture.size);
  step(static_cast<std::int64_t>(size / 16));
  if (static_cast<std::size_t>(text_end_ - s) < size) return nullptr;
  return std::memcmp(capture.begin, s, size) == 0 ? s + size : nullptr;
}

const char* LuaPattern::expand_most(const char* s, const char* p, const char* item_end) {
  std::ptrdiff_t count = 0;
  while (s + count < text_end_ && single_match(s[count], p, item_end)) {
    ++count;
    step();
  }
  for (; count >= 0; --count) {
    const char* rest = match(s + count, item_end + 1);
    if (rest != nullptr) return rest;
  }
  return nullptr;
}

const char* LuaPattern::expand_least(const char* s, const char* p, const char* item_end) {
  for (;;) {
    const char* rest = match(s, item_end + 1);
    if (rest != nullptr) return rest;
    if (s == text_end_ || !single_match(*s, p, item_end)) return nullptr;
    ++s;
  }
}

// Behind the item at p, which is a byte, a class or a set.
const char* LuaPattern::item_end(const char* p) {
  if (*p == '%') {
    if (p + 1 == pattern_end_) luaL_error(state_, "malformed pattern (ends with '%%')");
    return p + 2;
  }
  if (*p != '[') return p + 1;
  ++p;
  if (p != pattern_end_ && *p == '^') ++p;
  // A ']' in the first place stands for itself.
  do {
    if (p == pattern_end_) luaL_error(state_, "malformed pattern (missing ']')");
    if (*p++ == '%' && p != pattern_end_) ++p;
  } while (p == pattern_end_ || *p != ']');
  return p + 1;
}

bool LuaPattern::single_match(char c, const char* p, const char* item_end) const {
  switch (*p) {
    case '.':
      return true;
    case '%':
      return class_match(c, p[1]);
    case '[':
      return set_match(c, p, item_end - 1);
    default:
      return *p == c;
  }
}

void LuaPattern::push_capture(int index, const char* begin, const char* end) {
  if (index >= captures_) {
    if (index != 0) luaL_error(state_, "invalid capture index");
    lua_pushlstring(state_, begin, static_cast<std::size_t>(end - begin));
    return;
  }
  const Capture& capture = capture_[index];
  if (capture.size == kOpen) luaL_error(state_, "unfinished capture");
  if (capture.size == kPosition) {
    lua_pushinteger(state_, capture.begin - text_begin_ + 1);
  } else {
    lua_pushlstring(state_, capture.begin, static_cast<std::size_t>(capture.size));
  }
}

int LuaPattern::push_captures(const char* begin, const char* end, bool whole) {
  const int count = captures_ == 0 && whole ? 1 : captures_;
  luaL_checkstack(state_, count, "too many captures");
  for (int i = 0; i < count; ++i) push_capture(i, begin, end);
  return count;
}

}  // namespace locklapse::redis
