#include "sim/scenario/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <sstream>
#include <utility>

#include "reports/escape.h"

namespace locklapse::scenario {
namespace {

// Builds the tree from yaml-cpp's events. The first refusal ends the building; the events that
// still come are ignored, so that nothing has to be thrown through the parser. (Its own recursion
// ends at 500.)
class Builder final : public YAML::EventHandler {
 public:
  Builder(int source, Diagnostics& diagnostics) : source_(source), diagnostics_(diagnostics) {}

  bool refused() const { return refused_; }
  Node take() { return std::move(root_); }
  // Where the innermost value that is still open begins.
  Mark innermost() const { return open_.empty() ? Mark{source_, 0, 0} : open_.back()->mark; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      refuse(mark, "a second document; allowed: one scenario in a file");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    begin(Node::Kind::kNothing, mark, "", anchor);
    end();
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "an alias ('*'); allowed: values written out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node* node = begin(Node::Kind::kText, mark, tag, anchor);
    if (node != nullptr) {
      node->text = value;
      node->plain = tag == "?";
    }
    end();
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(Node::Kind::kList, mark, tag, anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(Node::Kind::kMap, mark, tag, anchor);
  }
  void OnMapEnd() override { end(); }

 private:
  Mark place(const YAML::Mark& mark) const {
    return mark.is_null() ? Mark{source_, 0, 0} : Mark{source_, mark.line + 1, mark.column + 1};
  }

  void refuse(const YAML::Mark& mark, std::string message) {
    if (!refused_) diagnostics_.add(place(mark), std::move(message));
    refused_ = true;
  }

  // Opens a value where the document stands; null once refused.
  Node* begin(Node::Kind kind, const YAML::Mark& mark, const std::string& tag,
              YAML::anchor_t anchor) {
    if (refused_) return nullptr;
    if (anchor != YAML::NullAnchor) {
      refuse(mark, "an anchor ('&'); allowed: values without one");
    } else if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(mark, fmt::format("the tag {}; allowed: values without a tag", quoted(tag)));
    } else if (++values_ > kValuesMax) {
      refuse(mark, fmt::format("more than {0} values; allowed: up to {0}", kValuesMax));
    } else if (open_.size() >= static_cast<std::size_t>(kNestingMax)) {
      refuse(mark, fmt::format("nesting deeper than {0} levels; allowed: up to {0}", kNestingMax));
    }
    if (refused_) return nullptr;
    Node* node = slot(kind, mark);
    if (node == nullptr) return nullptr;
    node->kind = kind;
    node->mark = place(mark);
    // A value that is not there has the place of what follows it: its key's is the better one.
    const bool valueless =
        kind == Node::Kind::kNothing && !open_.empty() && open_.back()->kind == Node::Kind::kMap;
    if (valueless) node->mark = open_.back()->keys.back().mark;
    open_.push_back(node);
    return node;
  }

  // Where the next value goes. In a map keys and values alternate. Pointers in open_ stay valid
  // because a parent's vectors grow only when none of its children is open.
  Node* slot(Node::Kind kind, const YAML::Mark& mark) {
    if (open_.empty()) return &root_;
    Node& parent = *open_.back();
    if (parent.kind == Node::Kind::kList || parent.keys.size() > parent.items.size()) {
      return &parent.items.emplace_back();
    }
    if (kind != Node::Kind::kText) {
      refuse(mark, kind == Node::Kind::kNothing ? "nothing as a key; allowed: a name"
                   : kind == Node::Kind::kList
                       ? "a list as a key, or a '[' that is not closed; allowed: a name"
                       : "a map as a key, or a '{' that is not closed; allowed: a name");
      return nullptr;
    }
    return &parent.keys.emplace_back();
  }

  void end() {
    if (!refused_ && !open_.empty()) open_.pop_back();
  }

  int source_;
  Diagnostics& diagnostics_;
  Node root_;
  std::vector<Node*> open_;
  std::size_t values_ = 0;
  int documents_ = 0;
  bool refused_ = false;
};

// Adds an error for each key that stands in its map more than once.
bool refuse_equal_keys(const Node& node, Diagnostics& diagnostics) {
  bool fine = true;
  std::vector<const Node*> keys;
  for (const Node& key : node.keys) keys.push_back(&key);
  std::stable_sort(keys.begin(), keys.end(),
                   [](const Node* a, const Node* b) { return a->text < b->text; });
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i - 1]->text != keys[i]->text) continue;
    diagnostics.add(keys[i]->mark, fmt::format("{} a second time; allowed: once (first in line {})",
                                               quoted(keys[i]->text), keys[i - 1]->mark.line));
    fine = false;
  }
  for (const Node& item : node.items) fine = refuse_equal_keys(item, diagnostics) && fine;
  return fine;
}

// yaml-cpp takes the end of the file for the end of a quoted text. A document end mark after it
// makes an unclosed quote an error; it also ends everything else that a file can leave open.
constexpr std::string_view kEndMark = "\n...\n";

// Lets yaml-cpp loose on the text; whatever it throws ends here.
bool parse_into(Builder& builder, std::string_view text, int source, Diagnostics& diagnostics) {
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  try {
    std::istringstream stream(std::string(text).append(kEndMark));
    YAML::Parser parser(stream);
    while (!builder.refused() && parser.HandleNextDocument(builder)) {
    }
    return !builder.refused();
  } catch (const YAML::ParserException& error) {
    if (builder.refused()) return false;
    const bool at_end = error.mark.is_null() || error.mark.line >= lines;
    if (at_end) {
      diagnostics.add(builder.innermost(),
                      "not valid YAML: from here on a quote, a '[' or a '{' is not "
                      "closed");
    } else {
      diagnostics.add({source, error.mark.line + 1, error.mark.column + 1},
                      "not valid YAML: " + reports::printable(error.msg));
    }
  } catch (const std::exception& error) {
    if (builder.refused()) return false;
    diagnostics.add({source, 0, 0}, "not valid YAML: " + reports::printable(error.what()));
  }
  return false;
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) return &items[i];
  }
  return nullptr;
}

Node* Node::find(std::string_view key) {
  return const_cast<Node*>(static_cast<const Node*>(this)->find(key));
}

const Node* Node::find_key(std::string_view key) const {
  for (const Node& candidate : keys) {
    if (candidate.text == key) return &candidate;
  }
  return nullptr;
}

std::string found(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNothing:
      return "nothing";
    case Node::Kind::kText:
      return quoted(node.text);
    case Node::Kind::kList:
      return "a list";
    case Node::Kind::kMap:
      return "a map";
  }
  return "nothing";
}

std::optional<Node> parse_yaml(std::string_view text, int source, Diagnostics& diagnostics) {
  Builder builder(source, diagnostics);
  if (!parse_into(builder, text, source, diagnostics)) return std::nullopt;
  Node root = builder.take();
  if (!refuse_equal_keys(root, diagnostics)) return std::nullopt;
  return root;
}

}  // namespace locklapse::scenario
