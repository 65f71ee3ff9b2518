// The Redis protocol as bytes arrive: commands at the server's end of a connection, replies at the
// client's.
//
// Contract
//   - Bytes are fed in pieces of any size; the same bytes give the same values however they are cut.
//   - Memory grows with what has arrived, never with a length that was merely announced, and time
//     stays linear in what has arrived, however small the pieces.
//   - After an error a reader gives nothing more: the connection is to be closed.
//   - What a reader gives stays valid until it is fed again or asked for the next.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/reply.h"

namespace locklapse::redis {

// Appends a command as clients send it: an array of bulk strings.
void append_command(std::span<const std::string_view> argv, std::pmr::string& out);
void append_command(std::span<const std::string_view> argv, std::string& out);

enum class ReadStatus : std::uint8_t {
  kMore,      // what has arrived is not complete
  kComplete,  // one command or reply
  kBroken,    // no such thing can begin like this
};

struct CommandLimits {
  std::int64_t bulk_bytes_max = std::int64_t{512} << 20;  // proto-max-bulk-len
  std::int64_t query_bytes_max = std::int64_t{1} << 30;   // client-query-buffer-limit
};

// Reads what a client sends: arrays of bulk strings, or lines of words ("inline commands") in which
// quotes hold a word together. Empty commands are passed over, as a server does.
class CommandReader {
 public:
  explicit CommandReader(const CommandLimits& limits = {},
                         std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  void feed(std::string_view bytes);
  ReadStatus next();

  // REQUIRES: next() gave kComplete. Never empty.
  std::span<const std::string_view> argv() const { return argv_; }
  // REQUIRES: next() gave kBroken. The error reply's text, as the server sends it before it closes
  // the connection: "ERR Protocol error: invalid bulk length"; empty where it closes without a word.
  std::string_view error() const { return error_; }
  // A server takes less from a client that has yet to authenticate itself.
  void set_authenticated(bool authenticated) { authenticated_ = authenticated; }

 private:
  struct Part {
    std::size_t start;
    std::size_t size;
  };
  enum class Step : std::uint8_t { kGoOn, kMore, kBroken };

  void drop_read();
  ReadStatus read_inline();
  ReadStatus read_multibulk();
  Step read_count();
  Step read_bulk();
  // The position of `end` in what has not been read, as a C string's: none behind a NUL.
  std::size_t find(char end);
  bool split_words(std::string_view line);
  ReadStatus finish(std::span<const Part> parts, std::string_view bytes);
  ReadStatus break_off(std::string_view error);

  CommandLimits limits_;
  bool authenticated_ = true;
  std::pmr::string buffer_;
  std::size_t read_ = 0;     // up to here everything is done with
  std::size_t scanned_ = 0;  // up to here no line end was found
  std::int64_t bulks_left_ = 0;
  std::int64_t bulk_size_ = -1;  // of the bulk string that is to come; -1: its header is to come
  bool in_multibulk_ = false;
  std::size_t command_start_ = 0;
  std::pmr::vector<Part> parts_;
  std::pmr::string words_;  // of an inline command, unquoted
  std::pmr::vector<std::string_view> argv_;
  std::pmr::string error_;
  bool broken_ = false;
};

// Deeper replies no server sends.
inline constexpr std::size_t kReplyDepthMax = 512;

// Reads what a server sends, RESP2 and RESP3.
class ReplyReader {
 public:
  explicit ReplyReader(std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  void feed(std::string_view bytes);
  ReadStatus next();

  // REQUIRES: next() gave kComplete. The reply as it came over the wire.
  std::string_view bytes() const { return std::string_view(buffer_).substr(start_, end_ - start_); }
  // REQUIRES: next() gave kComplete. Attributes are left out.
  Reply reply(Reply::allocator_type memory = {}) const;
  // REQUIRES: next() gave kBroken. What is wrong, for a log.
  std::string_view error() const { return error_; }

 private:
  ReadStatus break_off(std::string_view error, std::string_view at);
  // Counts one value as read, and with it the aggregates that it was the last of.
  void value_read();

  std::pmr::string buffer_;
  std::size_t start_ = 0;  // of the reply
  std::size_t end_ = 0;    // up to here it has been looked through
  std::size_t scanned_ = 0;
  // How many values are to come in each open aggregate, outermost first.
  std::pmr::vector<std::int64_t> open_;
  bool complete_ = false;
  bool broken_ = false;
  std::pmr::string error_;
};

// The reply that these bytes are; nothing else may follow. Returns false where they are no reply.
bool parse_reply(std::string_view bytes, Reply& reply);

}  // namespace locklapse::redis
