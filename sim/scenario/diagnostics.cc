#include "sim/scenario/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "sim/scenario/nearest.h"

namespace locklapse::scenario {
namespace {

constexpr std::size_t kQuotedBytesMax = 60;
constexpr std::size_t kListedMax = 32;

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
};

// REQUIRES: at < text.size(). Bytes that are no UTF-8 come out as 0xfffd, one at a time.
CodePoint decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + bytes > text.size()) return {0xfffd, 1};
  std::uint32_t value = lead & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return {0xfffd, 1};
    value = value << 6 | (byte(at + i) & 0x3fu);
  }
  return {value, bytes};
}

// Controls, line separators, and the invisible marks that reorder or hide text.
bool is_unsafe(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
         (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffd) ||
         (c >= 0xe0000 && c <= 0xe0fff);
}

void append_escaped(std::string& out, std::string_view text, std::size_t at, CodePoint c) {
  if (c.value == '\n') {
    out += "\\n";
  } else if (c.value == '\t') {
    out += "\\t";
  } else if (c.value == 0xfffd && c.bytes == 1) {
    out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
  } else if (is_unsafe(c.value)) {
    out += c.value > 0xffff ? fmt::format("\\U{:08x}", c.value) : fmt::format("\\u{:04x}", c.value);
  } else {
    out += text.substr(at, c.bytes);
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    append_escaped(out, text, at, c);
    at += c.bytes;
  }
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (std::size_t at = 0; at < text.size();) {
    if (out.size() > kQuotedBytesMax) {
      out += "...";
      break;
    }
    const CodePoint c = decode(text, at);
    append_escaped(out, text, at, c);
    at += c.bytes;
  }
  return out + "'";
}

std::string listed(std::span<const std::string_view> names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == kListedMax && names.size() > kListedMax + 1) {
      return out + fmt::format(" and {} more", names.size() - kListedMax);
    }
    if (i > 0) out += ", ";
    out += names[i].size() > kQuotedBytesMax ? escaped(names[i].substr(0, kQuotedBytesMax)) + "..."
                                             : escaped(names[i]);
  }
  return out;
}

void Diagnostics::add(Mark mark, std::string message) {
  if (errors_.size() >= max_) {
    ++left_out_;
    return;
  }
  errors_.push_back({mark, std::move(message)});
}

void Diagnostics::add_unknown(Mark mark, std::string_view what, std::string_view name,
                              std::span<const std::string_view> allowed) {
  if (errors_.size() >= max_) {
    ++left_out_;
    return;
  }
  std::string message = fmt::format("{} {}", what, quoted(name));
  message += allowed.empty() ? "; there is none" : "; allowed: " + listed(allowed);
  if (const auto near = nearest(name, allowed)) {
    message += fmt::format("; did you mean {}?", quoted(*near));
  }
  add(mark, std::move(message));
}

std::string Diagnostics::where(Mark mark) const {
  if (mark.source > 0 && static_cast<std::size_t>(mark.source) <= sets_.size()) {
    return "--set " + escaped(sets_[static_cast<std::size_t>(mark.source) - 1]);
  }
  if (mark.line == 0) return escaped(path_);
  return fmt::format("{}:{}:{}", escaped(path_), mark.line, mark.column);
}

std::vector<std::string> Diagnostics::lines() const {
  std::vector<const Error*> sorted;
  for (const Error& error : errors_) sorted.push_back(&error);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Error* a, const Error* b) {
    return std::tie(a->mark.source, a->mark.line, a->mark.column) <
           std::tie(b->mark.source, b->mark.line, b->mark.column);
  });
  std::vector<std::string> out;
  for (const Error* error : sorted) out.push_back(where(error->mark) + ": " + error->message);
  return out;
}

}  // namespace locklapse::scenario
