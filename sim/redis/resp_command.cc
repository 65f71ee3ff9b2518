// What a client sends. The checks and texts are the server's own.
#include <algorithm>
#include <cctype>
#include <limits>

#include "sim/redis/number.h"
#include "sim/redis/resp.h"

namespace locklapse::redis {

namespace {

// A line longer than this is no header and no inline command.
constexpr std::size_t kLineBytesMax = 64 * 1024;
// What a server takes of a client that it does not know yet.
constexpr std::int64_t kUnknownClientBulksMax = 10;
constexpr std::int64_t kUnknownClientBulkBytesMax = 16384;
// Bytes that are done with stay in the buffer until there are more than this.
constexpr std::size_t kReadBytesKept = 16 * 1024;

template <typename String>
void append_as_array(std::span<const std::string_view> argv, String& out) {
  const auto header = [&out](char type, std::size_t size) {
    out.push_back(type);
    out.append(unsigned_text(size).view());
    out.append("\r\n");
  };
  header('*', argv.size());
  for (const std::string_view word : argv) {
    header('$', word.size());
    out.append(word);
    out.append("\r\n");
  }
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Reads a "..." word after its opening quote. Returns the position behind the closing one, or 0.
std::size_t read_double_quoted(std::string_view line, std::size_t at, std::pmr::string& word) {
  for (; at < line.size(); ++at) {
    char c = line[at];
    if (c == '"') return at + 1;
    if (c == '\\' && at + 3 < line.size() && line[at + 1] == 'x' && hex_digit(line[at + 2]) >= 0 &&
        hex_digit(line[at + 3]) >= 0) {
      c = static_cast<char>(hex_digit(line[at + 2]) * 16 + hex_digit(line[at + 3]));
      at += 3;
    } else if (c == '\\' && at + 1 < line.size()) {
      c = line[++at];
      constexpr std::string_view kNames = "nrtba";
      constexpr std::string_view kBytes = "\n\r\t\b\a";
      if (const std::size_t i = kNames.find(c); i != std::string_view::npos) c = kBytes[i];
    }
    word.push_back(c);
  }
  return 0;
}

std::size_t read_single_quoted(std::string_view line, std::size_t at, std::pmr::string& word) {
  for (; at < line.size(); ++at) {
    if (line[at] == '\'') return at + 1;
    if (line[at] == '\\' && at + 1 < line.size() && line[at + 1] == '\'') ++at;
    word.push_back(line[at]);
  }
  return 0;
}

}  // namespace

void append_command(std::span<const std::string_view> argv, std::pmr::string& out) {
  append_as_array(argv, out);
}
void append_command(std::span<const std::string_view> argv, std::string& out) {
  append_as_array(argv, out);
}

CommandReader::CommandReader(const CommandLimits& limits, std::pmr::memory_resource* memory)
    : limits_(limits),
      buffer_(memory),
      parts_(memory),
      words_(memory),
      argv_(memory),
      error_(memory) {}

void CommandReader::feed(std::string_view bytes) {
  if (broken_) return;
  argv_.clear();
  drop_read();
  buffer_.append(bytes);
}

void CommandReader::drop_read() {
  const std::size_t done = in_multibulk_ ? command_start_ : read_;
  if (done == 0 || (done < buffer_.size() && done < std::max(kReadBytesKept, buffer_.size() / 2))) {
    return;
  }
  buffer_.erase(0, done);
  read_ -= done;
  scanned_ -= std::min(done, scanned_);
  if (in_multibulk_) {
    command_start_ = 0;
    for (Part& part : parts_) part.start -= done;
  }
}

ReadStatus CommandReader::next() {
  argv_.clear();
  for (;;) {
    if (broken_) return ReadStatus::kBroken;
    if (read_ == buffer_.size()) return ReadStatus::kMore;
    if (buffer_.size() - (in_multibulk_ ? command_start_ : read_) >
        static_cast<std::size_t>(limits_.query_bytes_max)) {
      return break_off({});
    }
    const ReadStatus status =
        in_multibulk_ || buffer_[read_] == '*' ? read_multibulk() : read_inline();
    // An empty command gives nothing, and the next one may stand behind it.
    if (status != ReadStatus::kComplete || !argv_.empty()) return status;
  }
}

std::size_t CommandReader::find(char end) {
  const char ends[] = {end, '\0'};
  const std::size_t found = buffer_.find_first_of(ends, std::max(read_, scanned_), sizeof(ends));
  scanned_ = found == std::string::npos ? buffer_.size() : found;
  return found == std::string::npos || buffer_[found] == '\0' ? std::string::npos : found;
}

ReadStatus CommandReader::read_inline() {
  const std::size_t end = find('\n');
  if (end == std::string::npos) {
    return buffer_.size() - read_ > kLineBytesMax
               ? break_off("ERR Protocol error: too big inline request")
               : ReadStatus::kMore;
  }
  std::string_view line = std::string_view(buffer_).substr(read_, end - read_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!split_words(line)) return break_off("ERR Protocol error: unbalanced quotes in request");
  read_ = end + 1;
  return finish(parts_, words_);
}

bool CommandReader::split_words(std::string_view line) {
  parts_.clear();
  words_.clear();
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && is_space(line[at])) ++at;
    if (at == line.size()) return true;
    const std::size_t start = words_.size();
    while (at < line.size() && !is_space(line[at])) {
      const char c = line[at++];
      if (c != '"' && c != '\'') {
        words_.push_back(c);
        continue;
      }
      at = c == '"' ? read_double_quoted(line, at, words_) : read_single_quoted(line, at, words_);
      // A closing quote ends the word.
      if (at == 0 || (at < line.size() && !is_space(line[at]))) return false;
    }
    parts_.push_back({start, words_.size() - start});
  }
}

ReadStatus CommandReader::read_multibulk() {
  if (!in_multibulk_) {
    const Step step = read_count();
    if (step != Step::kGoOn) return step == Step::kMore ? ReadStatus::kMore : ReadStatus::kBroken;
  }
  while (bulks_left_ > 0) {
    const Step step = read_bulk();
    if (step != Step::kGoOn) return step == Step::kMore ? ReadStatus::kMore : ReadStatus::kBroken;
  }
  in_multibulk_ = false;
  return finish(parts_, buffer_);
}

CommandReader::Step CommandReader::read_count() {
  const std::size_t end = find('\r');
  if (end == std::string::npos) {
    if (buffer_.size() - read_ <= kLineBytesMax) return Step::kMore;
    break_off("ERR Protocol error: too big mbulk count string");
    return Step::kBroken;
  }
  // The line feed is waited for, and taken to be one.
  if (end + 1 == buffer_.size()) return Step::kMore;
  std::int64_t count = 0;
  const auto digits = std::string_view(buffer_).substr(read_ + 1, end - read_ - 1);
  if (!parse_int64(digits, count) || count > std::numeric_limits<int>::max()) {
    break_off("ERR Protocol error: invalid multibulk length");
    return Step::kBroken;
  }
  if (count > kUnknownClientBulksMax && !authenticated_) {
    break_off("ERR Protocol error: unauthenticated multibulk length");
    return Step::kBroken;
  }
  command_start_ = read_;
  read_ = end + 2;
  in_multibulk_ = true;
  bulks_left_ = count;
  bulk_size_ = -1;
  parts_.clear();
  return Step::kGoOn;
}

CommandReader::Step CommandReader::read_bulk() {
  if (bulk_size_ < 0) {
    const std::size_t end = find('\r');
    if (end == std::string::npos) {
      if (buffer_.size() - read_ <= kLineBytesMax) return Step::kMore;
      break_off("ERR Protocol error: too big bulk count string");
      return Step::kBroken;
    }
    if (end + 1 == buffer_.size()) return Step::kMore;
    if (buffer_[read_] != '$') {
      std::pmr::string text("ERR Protocol error: expected '$', got '", buffer_.get_allocator());
      // A control character cannot be part of an error line.
      const char c = buffer_[read_];
      text.push_back(c == '\r' || c == '\n' ? ' ' : c);
      text.push_back('\'');
      break_off(text);
      return Step::kBroken;
    }
    std::int64_t size = 0;
    const auto digits = std::string_view(buffer_).substr(read_ + 1, end - read_ - 1);
    if (!parse_int64(digits, size) || size < 0 || size > limits_.bulk_bytes_max) {
      break_off("ERR Protocol error: invalid bulk length");
      return Step::kBroken;
    }
    if (size > kUnknownClientBulkBytesMax && !authenticated_) {
      break_off("ERR Protocol error: unauthenticated bulk length");
      return Step::kBroken;
    }
    bulk_size_ = size;
    read_ = end + 2;
  }
  const auto size = static_cast<std::size_t>(bulk_size_);
  // The line end behind the bytes is skipped without a look.
  if (buffer_.size() - read_ < size + 2) return Step::kMore;
  parts_.push_back({read_, size});
  read_ += size + 2;
  bulk_size_ = -1;
  --bulks_left_;
  return Step::kGoOn;
}

ReadStatus CommandReader::finish(std::span<const Part> parts, std::string_view bytes) {
  scanned_ = read_;
  for (const Part& part : parts) argv_.push_back(bytes.substr(part.start, part.size));
  return ReadStatus::kComplete;
}

ReadStatus CommandReader::break_off(std::string_view error) {
  error_.assign(error);
  broken_ = true;
  return ReadStatus::kBroken;
}

}  // namespace locklapse::redis
