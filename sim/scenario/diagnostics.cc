#include "sim/scenario/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "reports/escape.h"
#include "sim/scenario/nearest.h"

namespace locklapse::scenario {
namespace {

constexpr std::size_t kQuotedBytesMax = 60;
constexpr std::size_t kListedMax = 32;

// At most `bytes_max` bytes of it, and never half a character.
std::string_view cut(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace

std::string quoted(std::string_view text) {
  const std::string_view shown = cut(text, kQuotedBytesMax);
  return fmt::format("'{}{}'", reports::printable(shown), shown.size() < text.size() ? "..." : "");
}

std::string listed(std::span<const std::string_view> names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == kListedMax && names.size() > kListedMax + 1) {
      return out + fmt::format(" and {} more", names.size() - kListedMax);
    }
    if (i > 0) out += ", ";
    out += names[i];
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
    return "--set " + reports::printable(sets_[static_cast<std::size_t>(mark.source) - 1]);
  }
  if (mark.line == 0) return reports::printable(path_);
  return fmt::format("{}:{}:{}", reports::printable(path_), mark.line, mark.column);
}

std::vector<std::string> Diagnostics::lines() const {
  std::vector<const Error*> sorted;
  sorted.reserve(errors_.size());
  for (const Error& error : errors_) sorted.push_back(&error);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Error* a, const Error* b) {
    return std::tie(a->mark.source, a->mark.line, a->mark.column) <
           std::tie(b->mark.source, b->mark.line, b->mark.column);
  });
  std::vector<std::string> out;
  out.reserve(sorted.size());
  for (const Error* error : sorted) out.push_back(where(error->mark) + ": " + error->message);
  return out;
}

}  // namespace locklapse::scenario
