// A YAML document as a tree of our own, with the place of every value.
//
// yaml-cpp parses; its node classes are not used because they keep only the last of two equal keys,
// follow aliases and know no limits. What is no scenario in any case is refused here: anchors,
// aliases, tags, more than one document, equal keys in one map, keys that are no text, excessive
// nesting or size.
//
// Invariant: a tree is at most kNestingMax deep, so code that walks it may recurse.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/diagnostics.h"

namespace locklapse::scenario {

inline constexpr int kNestingMax = 24;
inline constexpr std::size_t kValuesMax = 100'000;

struct Node {
  enum class Kind { kNothing, kText, kList, kMap };

  Kind kind = Kind::kNothing;
  Mark mark;
  std::string text;         // kText
  bool plain = false;       // kText: written without quotes, so true and none are not mere words
  std::vector<Node> items;  // kList: the items; kMap: the values
  std::vector<Node> keys;   // kMap: as many as items, all kText, all different

  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  const Node* find_key(std::string_view key) const;  // the key itself, for its place
};

// "a list", "a map", "nothing", or the text in quotes.
std::string found(const Node& node);

// Parses one document. Faults are added to `diagnostics`, then nothing is returned. Marks carry
// `source`. REQUIRES: scan_bytes(text) found nothing to refuse (bytes.h).
std::optional<Node> parse_yaml(std::string_view text, int source, Diagnostics& diagnostics);

}  // namespace locklapse::scenario
