// What a server sends. The end of a reply is found by looking through its headers, without
// recursion; then the reply is built from bytes that are known to be one.
#include <algorithm>

#include "sim/redis/number.h"
#include "sim/redis/resp.h"

namespace locklapse::redis {

namespace {

constexpr std::size_t kLineBytesMax = 64 * 1024;
constexpr std::int64_t kElementsMax = std::int64_t{1} << 31;
constexpr std::int64_t kBulkBytesMax = std::int64_t{512} << 20;
constexpr std::size_t kReadBytesKept = 16 * 1024;

constexpr bool is_line_type(char type) {
  return type == '+' || type == '-' || type == ':' || type == '_' || type == '#' || type == ',' ||
         type == '(';
}
constexpr bool is_bulk_type(char type) { return type == '$' || type == '=' || type == '!'; }
constexpr bool is_aggregate_type(char type) {
  return type == '*' || type == '~' || type == '>' || type == '%' || type == '|';
}

bool is_line_ok(char type, std::string_view line) {
  std::int64_t number = 0;
  switch (type) {
    case ':':
      return parse_int64(line, number);
    case '_':
      return line.empty();
    case '#':
      return line == "t" || line == "f";
    case ',':
      return !line.empty() && std::all_of(line.begin(), line.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '+' || c == '-' ||
               c == '.' || c == 'E';
      });
    case '(':
      return !line.empty() && std::all_of(line.begin(), line.end(), [](char c) {
        return (c >= '0' && c <= '9') || c == '-' || c == '+';
      });
    default:
      return true;
  }
}

// How many values an aggregate's header announces.
std::int64_t values_of(char type, std::int64_t count) {
  return type == '%' || type == '|' ? 2 * count : count;
}

std::string_view take(std::string_view& rest, std::size_t size) {
  const std::string_view taken = rest.substr(0, size);
  rest.remove_prefix(size);
  return taken;
}

void build(std::string_view& rest, Reply& out, Reply::allocator_type memory);

void build_elements(std::string_view& rest, std::int64_t count, Reply& out,
                    Reply::allocator_type memory) {
  for (; count > 0; --count) {
    Reply element(memory);
    build(rest, element, memory);
    out.append(std::move(element));
  }
}

Reply::Type aggregate_type(char type) {
  switch (type) {
    case '%':
      return Reply::Type::kMap;
    case '~':
      return Reply::Type::kSet;
    case '>':
      return Reply::Type::kPush;
    default:
      return Reply::Type::kArray;
  }
}

void build_bulk(char type, std::string_view bytes, Reply& out, Reply::allocator_type memory) {
  if (type == '$') {
    out = Reply::bulk(bytes, memory);
  } else if (type == '!') {
    out = Reply::error(bytes, memory);
  } else {
    out = Reply::verbatim(bytes.substr(0, 3), bytes.substr(4), memory);
  }
}

void build_line(char type, std::string_view line, Reply& out, Reply::allocator_type memory) {
  std::int64_t number = 0;
  switch (type) {
    case '+':
      out = Reply::simple(line, memory);
      break;
    case '-':
      out = Reply::error(line, memory);
      break;
    case ':':
      parse_int64(line, number);
      out = Reply::integer(number, memory);
      break;
    case '#':
      out = Reply::boolean(line == "t", memory);
      break;
    case ',':
      out = Reply::floating(line, memory);
      break;
    case '(':
      out = Reply::big_number(line, memory);
      break;
    default:
      out = Reply::null_bulk(memory);
      break;
  }
}

// REQUIRES: a complete reply stands at the front of `rest`, which loses it.
void build(std::string_view& rest, Reply& out, Reply::allocator_type memory) {
  for (;;) {
    const char type = take(rest, 1)[0];
    const std::string_view line = take(rest, rest.find('\r'));
    rest.remove_prefix(2);
    if (is_line_type(type)) return build_line(type, line, out, memory);
    std::int64_t count = 0;
    parse_int64(line, count);
    if (is_bulk_type(type)) {
      if (count < 0) {
        out = Reply::null_bulk(memory);
        return;
      }
      build_bulk(type, take(rest, static_cast<std::size_t>(count)), out, memory);
      rest.remove_prefix(2);
      return;
    }
    if (count < 0) {
      out = Reply::null_array(memory);
      return;
    }
    out = Reply::aggregate(aggregate_type(type), memory);
    build_elements(rest, values_of(type, count), out, memory);
    if (type != '|') return;
    // An attribute stands before what it tells about.
  }
}

}  // namespace

ReplyReader::ReplyReader(std::pmr::memory_resource* memory)
    : buffer_(memory), open_(memory), error_(memory) {}

void ReplyReader::feed(std::string_view bytes) {
  if (broken_) return;
  if (complete_) {
    complete_ = false;
    start_ = end_;
  }
  if (start_ == buffer_.size() || start_ > std::max(kReadBytesKept, buffer_.size() / 2)) {
    buffer_.erase(0, start_);
    end_ -= start_;
    scanned_ -= std::min(start_, scanned_);
    start_ = 0;
  }
  buffer_.append(bytes);
}

void ReplyReader::value_read() {
  while (!open_.empty() && --open_.back() == 0) open_.pop_back();
}

ReadStatus ReplyReader::next() {
  if (broken_) return ReadStatus::kBroken;
  if (complete_) {
    complete_ = false;
    start_ = end_;
  }
  const std::string_view buffer(buffer_);
  bool attribute = false;
  do {
    if (end_ == buffer.size()) return ReadStatus::kMore;
    const char type = buffer[end_];
    if (!is_line_type(type) && !is_bulk_type(type) && !is_aggregate_type(type)) {
      return break_off("unknown type of reply", buffer.substr(end_));
    }
    const std::size_t line_end = buffer.find('\r', std::max(end_ + 1, scanned_));
    if (line_end == std::string_view::npos || line_end + 1 == buffer.size()) {
      if (buffer.size() - end_ > kLineBytesMax && type != '+' && type != '-') {
        return break_off("endless header", buffer.substr(end_));
      }
      scanned_ = line_end == std::string_view::npos ? buffer.size() : line_end;
      return ReadStatus::kMore;
    }
    const std::string_view line = buffer.substr(end_ + 1, line_end - end_ - 1);
    if (buffer[line_end + 1] != '\n') return break_off("bare CR", buffer.substr(end_));
    if (is_line_type(type)) {
      if (!is_line_ok(type, line)) return break_off("malformed value", buffer.substr(end_));
      end_ = line_end + 2;
      value_read();
      attribute = false;
      continue;
    }
    std::int64_t count = 0;
    const bool null_allowed = type == '$' || type == '*';
    if (!parse_int64(line, count) || count < (null_allowed ? -1 : 0) ||
        count > (is_bulk_type(type) ? kBulkBytesMax : kElementsMax)) {
      return break_off("malformed length", buffer.substr(end_));
    }
    if (is_bulk_type(type) && count >= 0) {
      const auto size = static_cast<std::size_t>(count);
      const std::size_t start = line_end + 2;
      // The header is read again when more has come; it is short.
      if (buffer.size() - start < size + 2) return ReadStatus::kMore;
      if (buffer.substr(start + size, 2) != "\r\n" ||
          (type == '=' && (size < 4 || buffer[start + 3] != ':'))) {
        return break_off("malformed string", buffer.substr(end_));
      }
      end_ = start + size + 2;
      value_read();
      attribute = false;
      continue;
    }
    end_ = line_end + 2;
    // An attribute's entries are followed by the value that it belongs to, in its place.
    const std::int64_t values = count <= 0 ? 0 : values_of(type, count);
    attribute = type == '|';
    if (attribute && values > 0) {
      open_.push_back(values + 1);
    } else if (!attribute && values > 0) {
      open_.push_back(values);
    } else if (!attribute) {
      value_read();
    }
    if (open_.size() > kReplyDepthMax) return break_off("nested too deeply", {});
  } while (!open_.empty() || attribute);
  complete_ = true;
  return ReadStatus::kComplete;
}

Reply ReplyReader::reply(Reply::allocator_type memory) const {
  Reply out(memory);
  std::string_view rest = bytes();
  build(rest, out, memory);
  return out;
}

ReadStatus ReplyReader::break_off(std::string_view error, std::string_view at) {
  constexpr std::size_t kShownMax = 40;
  error_.assign(error);
  if (!at.empty()) error_.append(": ").append(at.substr(0, kShownMax));
  broken_ = true;
  return ReadStatus::kBroken;
}

bool parse_reply(std::string_view bytes, Reply& reply) {
  ReplyReader reader;
  reader.feed(bytes);
  if (reader.next() != ReadStatus::kComplete || reader.bytes().size() != bytes.size()) return false;
  reply = reader.reply();
  return true;
}

}  // namespace locklapse::redis
