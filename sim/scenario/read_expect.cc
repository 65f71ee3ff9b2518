// expect: what must come of a run, by strategy and, where a guard changes it, by guard.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "sim/scenario/reading.h"

namespace locklapse::scenario {
namespace {

constexpr std::int64_t kCommandsMax = 1'000'000'000;
constexpr std::size_t kListMax = 1'000;

template <typename Enum, std::size_t N>
std::array<std::string_view, N> names_of(std::string_view (*name)(Enum)) {
  std::array<std::string_view, N> names;
  for (std::size_t i = 0; i < N; ++i) names[i] = name(static_cast<Enum>(i));
  return names;
}

class ExpectationReader {
 public:
  explicit ExpectationReader(Reading& reading) : reading_(reading), diagnostics_(reading.diagnostics) {
    clients_ = client_names(reading.scenario);
    actors_ = clients_;
    actors_.push_back("operator");
  }

  Expectation read(const Node& key, const Node& node, Section section) {
    Expectation expectation;
    expectation.line = key.mark.source == 0 ? key.mark.line : 0;
    Fields fields(node, section, diagnostics_);
    if (!fields.is_map()) return expectation;
    if (fields.node().keys.empty()) {
      diagnostics_.add(key.mark, fmt::format("{}: an empty map; allowed: at least one of {}",
                                             section_name(section), listed(keys_of(section))));
    }
    read_findings(fields, expectation);
    read_per_client(fields, expectation);
    read_counts(fields, expectation);
    if (section == Section::kExpectation) read_guards(fields, expectation);
    return expectation;
  }

 private:
  void error(const Node& at, std::string message) { diagnostics_.add(at.mark, std::move(message)); }

  bool expect_kind(const Node& node, Node::Kind kind, std::string_view what,
                   std::string_view allowed) {
    if (node.kind != kind) {
      error(node, fmt::format("{}: {}; allowed: {}", what, found(node), allowed));
      return false;
    }
    if (node.items.size() > kListMax) {
      error(node,
            fmt::format("{}: {} of them; allowed: up to {}", what, node.items.size(), kListMax));
      return false;
    }
    return true;
  }

  void read_findings(Fields& fields, Expectation& expectation) {
    static const auto kOutcomes = names_of<Outcome, 4>(outcome_name);
    if (const Node* node = fields.get("outcome")) {
      if (const auto index = read_word(*node, "outcome", kOutcomes, diagnostics_)) {
        expectation.outcome = static_cast<Outcome>(*index);
      }
    }
    if (const Node* node = fields.get("stuck")) {
      static constexpr std::string_view kKinds[] = {"none", "until-ttl", "for-ever"};
      if (const auto index = read_word(*node, "stuck", kKinds, diagnostics_)) {
        expectation.stuck = static_cast<StuckKind>(*index);
      }
    }
    static const auto kCauseNames = names_of<Cause, kCauses>(cause_name);
    if (const Node* node = fields.get("causes")) {
      expectation.causes = read_words<Cause>(*node, "causes", kCauseNames);
    }
    static const auto kDamageNames = names_of<DamageKind, 4>(damage_name);
    if (const Node* node = fields.get("damage")) {
      expectation.damage = read_words<DamageKind>(*node, "damage", kDamageNames);
    }
    if (const Node* node = fields.get("overlaps")) {
      expectation.overlaps = read_pairs(*node, "overlaps", "[A, B]", clients_);
      for (const Node& pair : node->items) {
        const bool same = pair.kind == Node::Kind::kList && pair.items.size() == 2 &&
                          pair.items[0].kind == Node::Kind::kText &&
                          pair.items[1].kind == Node::Kind::kText &&
                          pair.items[0].text == pair.items[1].text;
        if (same) error(pair, "overlaps: a client with itself; allowed: two clients");
      }
    }
    if (const Node* node = fields.get("unowned")) {
      expectation.unowned = read_pairs(*node, "unowned", "[WHO, WHOSE]", actors_);
    }
  }

  // A list of different words.
  template <typename Enum>
  std::vector<Enum> read_words(const Node& node, std::string_view what,
                               std::span<const std::string_view> allowed) {
    std::vector<Enum> values;
    if (!expect_kind(node, Node::Kind::kList, what, "a list of words")) return values;
    for (const Node& item : node.items) {
      const auto index = read_word(item, what, allowed, diagnostics_);
      if (!index) continue;
      const Enum value = static_cast<Enum>(*index);
      if (std::find(values.begin(), values.end(), value) != values.end()) {
        error(item, fmt::format("{}: {} a second time; allowed: once", what, found(item)));
      } else {
        values.push_back(value);
      }
    }
    return values;
  }

  std::vector<std::pair<std::string, std::string>> read_pairs(
      const Node& node, std::string_view what, std::string_view shape,
      std::span<const std::string_view> names) {
    std::vector<std::pair<std::string, std::string>> pairs;
    if (!expect_kind(node, Node::Kind::kList, what, fmt::format("a list of pairs {}", shape)))
      return pairs;
    for (const Node& pair : node.items) {
      if (pair.kind != Node::Kind::kList || pair.items.size() != 2) {
        const std::string count =
            pair.kind == Node::Kind::kList ? fmt::format(" of {}", pair.items.size()) : "";
        error(pair, fmt::format("{}: {}{}; allowed: pairs {}", what, found(pair), count, shape));
        continue;
      }
      const bool first = read_word(pair.items[0], what, names, diagnostics_).has_value();
      const bool second = read_word(pair.items[1], what, names, diagnostics_).has_value();
      if (first && second) pairs.emplace_back(pair.items[0].text, pair.items[1].text);
    }
    return pairs;
  }

  // Calls read(client name, value) for each client of a map {A: ..., B: ...}.
  template <typename Read>
  void per_client(Fields& fields, std::string_view what, Read&& read) {
    const Node* node = fields.get(what);
    if (node == nullptr) return;
    if (!expect_kind(*node, Node::Kind::kMap, what, "a map from clients")) return;
    for (std::size_t i = 0; i < node->keys.size(); ++i) {
      if (read_word(node->keys[i], what, clients_, diagnostics_))
        read(node->keys[i].text, node->items[i]);
    }
  }

  void read_per_client(Fields& fields, Expectation& expectation) {
    per_client(fields, "releases", [&](const std::string& client, const Node& value) {
      static constexpr std::string_view kReplies[] = {"released", "refused", "unknown", "none"};
      if (read_word(value, "releases", kReplies, diagnostics_))
        expectation.releases[client] = value.text;
    });
    per_client(fields, "waited", [&](const std::string& client, const Node& value) {
      expectation.waited[client] = read_duration_range(value);
    });
    per_client(fields, "held", [&](const std::string& client, const Node& value) {
      expectation.held[client] = read_duration_range(value);
    });
    per_client(fields, "told", [&](const std::string& client, const Node& value) {
      if (value.kind != Node::Kind::kText) {
        expectation.told[client] = read_duration_range(value);
        return;
      }
      static constexpr std::string_view kAllowed[] = {"never", "{at-least: 0s, at-most: 5s}"};
      if (value.text == "never") {
        expectation.told[client] = std::nullopt;
      } else {
        diagnostics_.add_unknown(value.mark, "told:", value.text, kAllowed);
      }
    });
  }

  DurationRange read_duration_range(const Node& node) {
    DurationRange range;
    Fields fields(node, Section::kDurationRange, diagnostics_);
    fields.duration("at-least", range.at_least, DurationRule::kNotNegative);
    fields.duration("at-most", range.at_most, DurationRule::kNotNegative);
    check_range(fields, range);
    return range;
  }

  template <typename Range>
  void check_range(Fields& fields, const Range& range) {
    if (!fields.is_map()) return;
    if (fields.node().keys.empty()) {
      error(fields.node(), "range: an empty map; allowed: at-least, at-most, or both");
    } else if (range.at_least && range.at_most && *range.at_least > *range.at_most) {
      error(*fields.get("at-most"),
            fmt::format("at-most: {} is below at-least {}; allowed: at-least or more",
                        found(*fields.get("at-most")), found(*fields.get("at-least"))));
    }
  }

  void read_counts(Fields& fields, Expectation& expectation) {
    const auto read = [&](std::string_view key, std::optional<CountRange>& target) {
      const Node* node = fields.get(key);
      if (node == nullptr) return;
      CountRange range;
      Fields limits(*node, Section::kCountRange, diagnostics_);
      const auto limit = [&](std::string_view name, std::optional<std::int64_t>& value) {
        if (const Node* given = limits.get(name)) {
          value = read_integer(*given, name, 0, kCommandsMax, diagnostics_);
        }
      };
      limit("at-least", range.at_least);
      limit("at-most", range.at_most);
      check_range(limits, range);
      target = range;
    };
    read("commands", expectation.commands);
    read("commands-per-second", expectation.commands_per_second);
  }

  void read_guards(Fields& fields, Expectation& expectation) {
    const Node* node = fields.get("guards");
    if (node == nullptr) return;
    if (!expect_kind(*node, Node::Kind::kMap, "guards", "a map from guards")) return;
    for (std::size_t i = 0; i < node->keys.size(); ++i) {
      const Node& key = node->keys[i];
      const NormalGuard guard = normal_guard(key.text, reading_.vocabulary);
      if (!guard.value) {
        error(key, "guards: " + guard.error);
      } else if (expectation.guards.count(*guard.value) > 0) {
        error(key, fmt::format("guards: {} is {} a second time; allowed: once", quoted(key.text),
                               *guard.value));
      } else {
        expectation.guards[*guard.value] = read(key, node->items[i], Section::kGuardExpectation);
      }
    }
  }

  Reading& reading_;
  Diagnostics& diagnostics_;
  std::vector<std::string_view> clients_;
  std::vector<std::string_view> actors_;
};

}  // namespace

void read_expectations(const Node* node, Reading& reading) {
  if (node == nullptr) return;
  if (node->kind != Node::Kind::kMap) {
    reading.diagnostics.add(node->mark,
                            fmt::format("expect: {}; allowed: a map from strategies, as in "
                                        "set-del: {{overlaps: [[A, B]]}}",
                                        found(*node)));
    return;
  }
  ExpectationReader reader(reading);
  for (std::size_t i = 0; i < node->keys.size(); ++i) {
    const Node& key = node->keys[i];
    if (std::string error = refuse_strategy(key.text, reading.vocabulary); !error.empty()) {
      reading.diagnostics.add(key.mark, "expect: " + error);
      continue;
    }
    reading.scenario.expect[key.text] = reader.read(key, node->items[i], Section::kExpectation);
  }
}

}  // namespace locklapse::scenario
