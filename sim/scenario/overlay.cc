#include "sim/scenario/overlay.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>
#include <vector>

#include "sim/scenario/bytes.h"

namespace locklapse::scenario {
namespace {

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = path.find('.');
    parts.push_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    path.remove_prefix(dot + 1);
  }
}

// The item of a list, or null after adding an error.
Node* list_item(Node& list, std::string_view part, Mark mark, Diagnostics& diagnostics) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  const bool whole = error == std::errc() && end == part.data() + part.size();
  if (whole && index < list.items.size()) return &list.items[index];
  diagnostics.add(
      mark, list.items.empty()
                ? fmt::format("{} is an index into an empty list; allowed: none", quoted(part))
                : fmt::format("{} is no index into this list; allowed: 0 to {}", quoted(part),
                              list.items.size() - 1));
  return nullptr;
}

// The value under a key, made if there is none.
Node* map_value(Node& map, std::string_view part, Mark mark) {
  if (Node* value = map.find(part)) return value;
  Node& key = map.keys.emplace_back();
  key.kind = Node::Kind::kText;
  key.mark = mark;
  key.text = part;
  key.plain = true;
  Node& value = map.items.emplace_back();
  value.mark = mark;
  return &value;
}

// Everything that came with a `--set` is located as that, wherever it stands within VALUE.
void mark_all(Node& node, Mark mark) {
  node.mark = mark;
  for (Node& key : node.keys) key.mark = mark;
  for (Node& item : node.items) mark_all(item, mark);
}

}  // namespace

bool apply_set(std::string_view set, int source, Node& root, Diagnostics& diagnostics) {
  const Mark mark{source, 0, 0};
  const std::size_t equals = set.find('=');
  if (set.size() > kSetBytesMax) {
    diagnostics.add(mark, fmt::format("{} bytes; allowed: up to {}", set.size(), kSetBytesMax));
    return false;
  }
  if (equals == std::string_view::npos || equals == 0) {
    diagnostics.add(mark, "no KEY=VALUE; allowed: a dotted path and a value, as in lock.ttl=10s");
    return false;
  }
  const auto parts = split_path(set.substr(0, equals));
  if (parts.size() >= static_cast<std::size_t>(kNestingMax)) {
    diagnostics.add(
        mark, fmt::format("a path of {} parts; allowed: up to {}", parts.size(), kNestingMax - 1));
    return false;
  }
  const std::string_view text = set.substr(equals + 1);
  if (!scan_bytes(text, source, diagnostics)) return false;
  std::optional<Node> value = parse_yaml(text, source, diagnostics);
  if (!value) return false;

  Node* at = &root;
  for (std::string_view part : parts) {
    if (part.empty()) {
      diagnostics.add(mark, "an empty part in the path; allowed: names joined by dots");
      return false;
    }
    if (at->kind == Node::Kind::kNothing) at->kind = Node::Kind::kMap;
    if (at->kind == Node::Kind::kText) {
      diagnostics.add(
          mark, fmt::format("{} is looked for in {}, which has no parts; allowed: a path into "
                            "maps and lists",
                            quoted(part), found(*at)));
      return false;
    }
    at = at->kind == Node::Kind::kList ? list_item(*at, part, mark, diagnostics)
                                       : map_value(*at, part, mark);
    if (at == nullptr) return false;
  }
  mark_all(*value, mark);
  *at = std::move(*value);
  return true;
}

}  // namespace locklapse::scenario
