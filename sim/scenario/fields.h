// A map of a scenario file, key by key: refuses what is no map and keys that do not belong, and
// sets what is there.
//
// A setter leaves its target alone when the key is absent or its value was refused, so targets
// carry the defaults.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/keys.h"
#include "sim/scenario/values.h"
#include "sim/scenario/yaml.h"

namespace locklapse::scenario {

template <typename Value, std::size_t N>
using Words = std::array<std::pair<std::string_view, Value>, N>;

class Fields {
 public:
  // `node` must outlive this. With what it is no map the object is empty and the error has been
  // added.
  Fields(const Node& node, Section section, Diagnostics& diagnostics);

  bool is_map() const { return node_ != nullptr; }
  const Node& node() const { return *node_; }  // REQUIRES: is_map()
  Diagnostics& diagnostics() { return diagnostics_; }

  // REQUIRES: key is one of keys_of(section).
  const Node* get(std::string_view key) const;

  void text(std::string_view key, std::string& target, std::size_t bytes_max);
  void identifier(std::string_view key, std::string& target);
  void duration(std::string_view key, Duration& target, DurationRule rule);
  void duration(std::string_view key, std::optional<Duration>& target, DurationRule rule);
  void duration_or_none(std::string_view key, std::optional<Duration>& target, DurationRule rule);
  void integer(std::string_view key, std::int64_t& target, std::int64_t min, std::int64_t max);
  void integer(std::string_view key, int& target, int min, int max);
  void integer(std::string_view key, std::uint32_t& target, std::uint32_t min, std::uint32_t max);
  void drift(std::string_view key, std::int64_t& target);
  void flag(std::string_view key, bool& target);

  template <typename Value, std::size_t N>
  void word(std::string_view key, Value& target, const Words<Value, N>& words) {
    const Node* value = get(key);
    if (value == nullptr) return;
    std::array<std::string_view, N> names;
    for (std::size_t i = 0; i < N; ++i) names[i] = words[i].first;
    if (const auto index = read_word(*value, key, names, diagnostics_))
      target = words[*index].second;
  }

 private:
  const Node* node_ = nullptr;
  [[maybe_unused]] Section section_;  // for assertions
  Diagnostics& diagnostics_;
};

}  // namespace locklapse::scenario
