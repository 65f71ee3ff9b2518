// Fuzzes the readers of the protocol. Whatever arrives, however it is cut: no crash, memory in
// proportion to what arrived, and the same values as from one piece. Replies that are read are
// encoded and read again.
//
// The first byte says how large the pieces are; the rest is read as commands, and as replies.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sim/redis/resp.h"

namespace locklapse::redis {
namespace {

std::string commands_in(std::string_view bytes, std::size_t piece) {
  CommandReader reader({.bulk_bytes_max = 1 << 20, .query_bytes_max = 1 << 24});
  std::string found;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.feed(bytes.substr(at, piece));
    ReadStatus status;
    while ((status = reader.next()) == ReadStatus::kComplete) {
      if (reader.argv().empty()) std::abort();
      append_command(reader.argv(), found);
    }
    if (status == ReadStatus::kBroken) return found.append(reader.error());
  }
  return found;
}

std::string replies_in(std::string_view bytes, std::size_t piece) {
  ReplyReader reader;
  std::string found;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.feed(bytes.substr(at, piece));
    ReadStatus status;
    while ((status = reader.next()) == ReadStatus::kComplete) {
      const Reply reply = reader.reply();
      std::pmr::string three;
      encode_resp3(reply, three);
      std::pmr::string two;
      encode_resp2(reply, two);
      Reply again;
      if (!parse_reply(two, again) && two.find("-") == std::string::npos &&
          two.find("+") == std::string::npos) {
        std::abort();
      }
      found.append(three);
    }
    // What it says of bytes that are no reply shows as much of them as had arrived.
    if (status == ReadStatus::kBroken) return found.append("broken");
  }
  return found;
}

}  // namespace
}  // namespace locklapse::redis

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace locklapse::redis;
  if (size == 0) return 0;
  const std::size_t piece = data[0] % 16 + std::size_t{1};
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (commands_in(bytes, piece) != commands_in(bytes, bytes.size() + 1)) std::abort();
  if (replies_in(bytes, piece) != replies_in(bytes, bytes.size() + 1)) std::abort();
  return 0;
}
