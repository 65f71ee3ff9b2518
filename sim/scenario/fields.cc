#include "sim/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace locklapse::scenario {

Fields::Fields(const Node& node, Section section, Diagnostics& diagnostics)
    : section_(section), diagnostics_(diagnostics) {
  const auto known = keys_of(section);
  if (node.kind != Node::Kind::kMap) {
    diagnostics.add(node.mark, fmt::format("{}: {}; allowed: a map with {}", section_name(section),
                                           found(node), listed(known)));
    return;
  }
  node_ = &node;
  for (const Node& key : node.keys) {
    if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
    diagnostics.add_unknown(key.mark, fmt::format("{}: unknown key", section_name(section)),
                            key.text, known);
  }
}

const Node* Fields::get(std::string_view key) const {
  assert(std::find(keys_of(section_).begin(), keys_of(section_).end(), key) !=
         keys_of(section_).end());
  return node_ == nullptr ? nullptr : node_->find(key);
}

void Fields::text(std::string_view key, std::string& target, std::size_t bytes_max) {
  const Node* value = get(key);
  if (value == nullptr) return;
  if (auto text = read_text(*value, key, bytes_max, diagnostics_)) target = std::move(*text);
}

void Fields::identifier(std::string_view key, std::string& target) {
  const Node* value = get(key);
  if (value == nullptr) return;
  if (auto text = read_identifier(*value, key, diagnostics_)) target = std::move(*text);
}

void Fields::duration(std::string_view key, Duration& target, DurationRule rule) {
  const Node* value = get(key);
  if (value == nullptr) return;
  if (const auto read = read_duration(*value, key, rule, diagnostics_)) target = *read;
}

void Fields::duration(std::string_view key, std::optional<Duration>& target, DurationRule rule) {
  const Node* value = get(key);
  if (value == nullptr) return;
  if (const auto read = read_duration(*value, key, rule, diagnostics_)) target = read;
}

void Fields::duration_or_none(std::string_view key, std::optional<Duration>& target,
                              DurationRule rule) {
  const Node* value = get(key);
  if (value == nullptr) return;
  if (is_none(*value)) {
    target.reset();
  } else if (const auto read = read_duration(*value, key, rule, diagnostics_, true)) {
    target = read;
  }
}

void Fields::integer(std::string_view key, std::int64_t& target, std::int64_t min,
                     std::int64_t max) {
  const Node* value = get(key);
  if (value == nullptr) return;
  if (const auto read = read_integer(*value, key, min, max, diagnostics_)) target = *read;
}

void Fields::integer(std::string_view key, int& target, int min, int max) {
  std::int64_t wide = target;
  integer(key, wide, std::int64_t{min}, std::int64_t{max});
  target = static_cast<int>(wide);
}

void Fields::integer(std::string_view key, std::uint32_t& target, std::uint32_t min,
                     std::uint32_t max) {
  std::int64_t wide = target;
  integer(key, wide, std::int64_t{min}, std::int64_t{max});
  target = static_cast<std::uint32_t>(wide);
}

void Fields::drift(std::string_view key, std::int64_t& target) {
  const Node* value = get(key);
  if (value == nullptr) return;
  if (const auto read = read_drift(*value, key, diagnostics_)) target = *read;
}

void Fields::flag(std::string_view key, bool& target) {
  const Node* value = get(key);
  if (value == nullptr) return;
  if (const auto read = read_flag(*value, key, diagnostics_)) target = *read;
}

}  // namespace locklapse::scenario
