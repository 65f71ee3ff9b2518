#include "sim/redis/command_bytes.h"

#include <charconv>
#include <cstddef>

namespace locklapse::redis {

namespace {

void encode_count(char kind, std::size_t count, std::pmr::string& out) {
  char digits[24];
  const char* end = std::to_chars(digits, digits + sizeof digits, count).ptr;
  out.push_back(kind);
  out.append(digits, static_cast<std::size_t>(end - digits));
  out.append("\r\n");
}

std::size_t take_count(std::string_view& bytes) {
  std::size_t count = 0;
  const char* end = std::from_chars(bytes.data() + 1, bytes.data() + bytes.size(), count).ptr;
  bytes.remove_prefix(static_cast<std::size_t>(end - bytes.data()) + 2);
  return count;
}

}  // namespace

void encode_command(Argv argv, std::pmr::string& out) {
  encode_count('*', argv.size(), out);
  for (const std::string_view word : argv) {
    encode_count('$', word.size(), out);
    out.append(word);
    out.append("\r\n");
  }
}

void take_command(std::string_view& bytes, std::pmr::vector<std::string_view>& words) {
  words.clear();
  for (std::size_t left = take_count(bytes); left > 0; --left) {
    const std::size_t size = take_count(bytes);
    words.push_back(bytes.substr(0, size));
    bytes.remove_prefix(size + 2);
  }
}

}  // namespace locklapse::redis
