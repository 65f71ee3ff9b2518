#include "sim/live/parse_reply.h"

#include <charconv>
#include <cstdint>

namespace locklapse::live {

namespace {

std::string_view take(std::string_view& rest, std::size_t size) {
  const std::string_view taken = rest.substr(0, size);
  rest.remove_prefix(size);
  return taken;
}

std::string_view take_line(std::string_view& rest) {
  const std::string_view line = take(rest, rest.find("\r\n"));
  rest.remove_prefix(2);
  return line;
}

redis::Reply take_reply(std::string_view& rest, redis::Reply::allocator_type memory) {
  using redis::Reply;
  const char type = take(rest, 1)[0];
  const std::string_view line = take_line(rest);
  if (type == '+') return Reply::simple(line, memory);
  if (type == '-') return Reply::error(line, memory);
  std::int64_t number = 0;
  std::from_chars(line.data(), line.data() + line.size(), number);
  if (type == ':') return Reply::integer(number, memory);
  if (type == '$') {
    if (number < 0) return Reply::null_bulk(memory);
    const std::string_view text = take(rest, static_cast<std::size_t>(number));
    rest.remove_prefix(2);
    return Reply::bulk(text, memory);
  }
  if (number < 0) return Reply::null_array(memory);
  Reply array = Reply::array(memory);
  for (; number > 0; --number) array.append(take_reply(rest, memory));
  return array;
}

}  // namespace

redis::Reply parse_reply(std::string_view bytes, redis::Reply::allocator_type memory) {
  return take_reply(bytes, memory);
}

}  // namespace locklapse::live
