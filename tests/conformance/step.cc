#include "tests/conformance/step.h"

#include <fmt/format.h>

#include <charconv>
#include <istream>
#include <stdexcept>

namespace locklapse::conformance {

namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-+:.,/*{}()[]|!?=<>").find(c) != std::string_view::npos;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

[[noreturn]] void refuse(std::size_t line, std::string_view what) {
  throw std::runtime_error(fmt::format("line {}: {}", line, what));
}

// Reads what stands after an opening quote; `at` ends behind the closing one.
std::string unquoted(std::string_view text, std::size_t& at, std::size_t line) {
  std::string word;
  while (at < text.size() && text[at] != '"') {
    char c = text[at++];
    if (c == '\\') {
      if (at == text.size()) refuse(line, "the line ends within an escape");
      const char kind = text[at++];
      if (kind == 'x') {
        const int high = at + 1 < text.size() ? hex_digit(text[at]) : -1;
        const int low = at + 1 < text.size() ? hex_digit(text[at + 1]) : -1;
        if (high < 0 || low < 0) refuse(line, "\\x wants two digits of 0-9a-f");
        c = static_cast<char>(high * 16 + low);
        at += 2;
      } else {
        c = kind == 'n' ? '\n' : kind == 'r' ? '\r' : kind == 't' ? '\t' : kind;
      }
    }
    word.push_back(c);
  }
  if (at == text.size()) refuse(line, "a quote is not closed");
  ++at;
  return word;
}

std::vector<std::string> words_of(std::string_view text, std::size_t line) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ') {
      ++at;
    } else if (text[at] == '"') {
      words.push_back(unquoted(text, ++at, line));
    } else {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      words.emplace_back(text.substr(at, end - at));
      at = end;
    }
  }
  return words;
}

template <typename Number>
Number number_of(std::string_view text, std::size_t line) {
  Number number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
    refuse(line, fmt::format("'{}' is no number", text));
  }
  return number;
}

int connection_of(std::string_view text, std::size_t line) {
  const int connection = number_of<int>(text, line);
  if (connection < 0 || connection >= kConnections) {
    refuse(line, fmt::format("connections are 0 to {}", kConnections - 1));
  }
  return connection;
}

}  // namespace

std::string quoted_word(std::string_view word) {
  bool plain = !word.empty();
  for (const char c : word) plain = plain && is_plain(c);
  if (plain) return std::string(word);
  std::string out("\"");
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (c == '\n') {
      out.append("\\n");
    } else if (c == '\r') {
      out.append("\\r");
    } else if (c == '\t') {
      out.append("\\t");
    } else if (byte < 0x20 || byte >= 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
    } else {
      out.push_back(c);
    }
  }
  return out.append("\"");
}

std::string written(const Step& step) {
  switch (step.kind) {
    case Step::Kind::kClock: return fmt::format("clock {:+}us", step.clock_us);
    case Step::Kind::kClose: return fmt::format("close {}", step.connection);
    case Step::Kind::kCommand: break;
  }
  std::string line = fmt::format("@{}", step.connection);
  for (const std::string& word : step.words) line.append(" ").append(quoted_word(word));
  return line;
}

Sequence read_sequence(std::istream& in) {
  Sequence sequence;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> words = words_of(line, number);
    if (words.empty()) continue;
    Step step;
    if (words[0] == "clock" && words.size() == 2 && words[1].ends_with("us")) {
      step.kind = Step::Kind::kClock;
      step.clock_us =
          number_of<std::int64_t>(std::string_view(words[1]).substr(0, words[1].size() - 2), number);
    } else if (words[0] == "close" && words.size() == 2) {
      step.kind = Step::Kind::kClose;
      step.connection = connection_of(words[1], number);
    } else if (words[0].starts_with('@') && words.size() >= 2) {
      step.connection = connection_of(std::string_view(words[0]).substr(1), number);
      step.words.assign(words.begin() + 1, words.end());
    } else {
      refuse(number, "expected '@CONNECTION COMMAND...', 'clock +-Nus' or 'close CONNECTION'");
    }
    sequence.push_back(std::move(step));
  }
  return sequence;
}

}  // namespace locklapse::conformance
