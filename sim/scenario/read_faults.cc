// faults: what goes wrong, where, and at what time or step.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/scenario/command_line.h"
#include "sim/scenario/fault_kinds.h"
#include "sim/scenario/fault_line.h"
#include "sim/scenario/reading.h"
#include "sim/scenario/step.h"

namespace locklapse::scenario {
namespace {

constexpr std::size_t kWhyBytesMax = 256;
constexpr int kDatabaseMax = 15;

std::vector<std::string_view> split_blanks(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    words.push_back(text.substr(0, blank));
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  return words;
}

// Everything a name in a fault can stand for, each place once.
void add_place(std::vector<std::size_t>& places, std::size_t place) {
  if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
}

class FaultReader {
 public:
  FaultReader(const Node& node, Reading& reading, const std::vector<std::string_view>& clients)
      : fields_(node, Section::kFault, reading.diagnostics),
        reading_(reading),
        scenario_(reading.scenario),
        clients_(clients) {}

  void read() {
    if (!fields_.is_map() || !find_kind()) return;
    check_keys();
    fault_.kind = kind_->kind;
    read_target();
    read_when();
    read_amounts();
    fields_.text("why", fault_.why, kWhyBytesMax);
    if (resolved_) {
      fault_.line = fault_line(fault_, target_->text, scenario_);
      scenario_.faults.push_back(std::move(fault_));
    }
  }

 private:
  void error(const Node& at, std::string message) {
    reading_.diagnostics.add(at.mark, std::move(message));
  }

  bool pinned_by_message() const { return kind_->target == FaultTarget::kMessage; }

  bool find_kind() {
    std::vector<std::string_view> names;
    for (const FaultKindInfo& info : fault_kinds()) {
      names.push_back(info.name);
      const Node* target = fields_.get(info.name);
      if (target == nullptr) continue;
      if (kind_ != nullptr) {
        error(*fields_.node().find_key(info.name),
              fmt::format("fault: both '{}' and '{}'; allowed: one kind in each fault", kind_->name,
                          info.name));
        return false;
      }
      kind_ = &info;
      target_ = target;
    }
    if (kind_ != nullptr) return true;
    if (has_unknown_key()) return false;  // a misspelt kind has been refused, with what was meant
    error(fields_.node(), fmt::format("fault: no kind; allowed: exactly one of {}", listed(names)));
    return false;
  }

  bool has_unknown_key() const {
    const auto known = keys_of(Section::kFault);
    const auto& keys = fields_.node().keys;
    return std::any_of(keys.begin(), keys.end(), [&](const Node& key) {
      return std::find(known.begin(), known.end(), key.text) == known.end();
    });
  }

  // Keys that exist, but not for this kind, and the one it cannot do without.
  void check_keys() {
    std::vector<std::string_view> allowed = split_blanks(kind_->takes);
    if (!pinned_by_message()) allowed.insert(allowed.end(), {"at", "after", "before", "plus"});
    allowed.push_back("why");
    const auto known = keys_of(Section::kFault);
    for (const Node& key : fields_.node().keys) {
      const bool is_known = std::find(known.begin(), known.end(), key.text) != known.end();
      const bool fits = key.text == kind_->name ||
                        std::find(allowed.begin(), allowed.end(), key.text) != allowed.end();
      if (!is_known || fits) continue;  // the unknown ones have been refused already
      error(key, fmt::format("{}: '{}' does not go with it; allowed: {}", kind_->name, key.text,
                             listed(allowed)));
    }
    if (!kind_->needs.empty() && fields_.get(kind_->needs) == nullptr) {
      error(*fields_.node().find_key(kind_->name),
            fmt::format("{}: no '{}'; allowed: together with {}: DURATION", kind_->name,
                        kind_->needs, kind_->needs));
    }
  }

  void read_target() {
    if (target_->kind != Node::Kind::kText) {
      error(*target_,
            fmt::format("{}: {}; allowed: {}", kind_->name, found(*target_), target_words()));
      return;
    }
    switch (kind_->target) {
      case FaultTarget::kProcess:
        resolve_process();
        break;
      case FaultTarget::kClient:
        resolve_client();
        break;
      case FaultTarget::kHost:
        resolve_host();
        break;
      case FaultTarget::kMessage: {
        ParsedMessage parsed = parse_message(target_->text, clients_);
        if (parsed.value) fault_.message = std::move(*parsed.value);
        accept(parsed.value.has_value(), std::move(parsed.error));
        break;
      }
      case FaultTarget::kCommand: {
        ParsedCommand parsed = parse_command_line(target_->text);
        if (parsed.argv) fault_.argv = std::move(*parsed.argv);
        accept(parsed.argv.has_value(), std::move(parsed.error));
        break;
      }
      case FaultTarget::kKey:
        if (auto key = read_text(*target_, kind_->name, kNameBytesMax, reading_.diagnostics)) {
          fault_.argv = {"DEL", std::move(*key)};
          resolved_ = true;
        }
        break;
      case FaultTarget::kTrue:
        fault_.argv = {"FLUSHALL"};
        accept(target_->plain && target_->text == "true",
               fmt::format("{}; allowed: true", found(*target_)));
        break;
    }
  }

  void accept(bool fine, std::string message) {
    resolved_ = fine;
    if (!fine) error(*target_, fmt::format("{}: {}", kind_->name, message));
  }

  std::string_view target_words() const {
    switch (kind_->target) {
      case FaultTarget::kProcess:
        return "the name of a process or client";
      case FaultTarget::kClient:
        return "the name of a client";
      case FaultTarget::kHost:
        return "the name of a host, process or client, or redis";
      case FaultTarget::kMessage:
        return "a message, as in A.acquire.reply";
      case FaultTarget::kCommand:
        return "a command line, as in DEL lock:order:123";
      case FaultTarget::kKey:
        return "a key";
      case FaultTarget::kTrue:
        return "true";
    }
    return {};
  }

  // One place: that is the target. None or several: refused, with `names` as what is allowed.
  void settle(const std::vector<std::size_t>& places, const std::vector<std::string_view>& names) {
    resolved_ = places.size() == 1;
    if (resolved_) {
      fault_.target = places.front();
    } else if (places.empty()) {
      std::vector<std::string_view> once;
      for (std::string_view name : names) {
        if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
      }
      reading_.diagnostics.add_unknown(target_->mark, fmt::format("{}: unknown name", kind_->name),
                                       target_->text, once);
    } else {
      error(*target_,
            fmt::format("{}: {} could be one of several; allowed: a name that a client, a "
                        "process and a host do not share",
                        kind_->name, found(*target_)));
    }
  }

  void resolve_client() {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      if (clients_[i] == target_->text) places.push_back(i);
    }
    settle(places, clients_);
  }

  void resolve_process() {
    std::vector<std::size_t> places;
    std::vector<std::string_view> names = clients_;
    for (std::size_t i = 0; i < scenario_.processes.size(); ++i) {
      names.push_back(scenario_.processes[i].name);
      if (scenario_.processes[i].name == target_->text) add_place(places, i);
    }
    for (const Client& client : scenario_.clients) {
      if (client.name == target_->text) add_place(places, client.process);
    }
    settle(places, names);
  }

  void resolve_host() {
    std::vector<std::size_t> places;
    std::vector<std::string_view> names{"redis"};
    names.insert(names.end(), clients_.begin(), clients_.end());
    if (target_->text == "redis") places.push_back(scenario_.hosts.size());
    for (const Process& process : scenario_.processes) {
      names.push_back(process.name);
      if (process.name == target_->text) add_place(places, process.host);
    }
    for (const Client& client : scenario_.clients) {
      if (client.name == target_->text) add_place(places, scenario_.processes[client.process].host);
    }
    for (std::size_t i = 0; i < scenario_.hosts.size(); ++i) {
      names.push_back(scenario_.hosts[i].name);
      if (scenario_.hosts[i].name == target_->text) add_place(places, i);
    }
    settle(places, names);
  }

  // Exactly one of at, after, before; `plus` with after only.
  void read_when() {
    if (pinned_by_message()) return;
    std::vector<std::string_view> given;
    for (std::string_view key : {"at", "after", "before"}) {
      if (fields_.get(key) != nullptr) given.push_back(key);
    }
    if (given.size() != 1) {
      const std::string what = given.empty()
                                   ? "no time and no step"
                                   : fmt::format("both '{}' and '{}'", given[0], given[1]);
      const Node& place = given.empty() ? *fields_.node().find_key(kind_->name)
                                        : *fields_.node().find_key(given[1]);
      error(place,
            fmt::format("{}: {}; allowed: exactly one of at: TIME, after: STEP, before: STEP",
                        kind_->name, what));
      resolved_ = false;
      return;
    }
    fields_.duration("at", fault_.at, DurationRule::kNotNegative);
    if (given.front() != "at") read_pin(given.front());
    fields_.duration("plus", fault_.plus, DurationRule::kNotNegative);
    if (fields_.get("plus") != nullptr && given.front() != "after") {
      error(*fields_.node().find_key("plus"),
            fmt::format("plus: it stands beside '{}'; allowed: beside 'after'", given.front()));
    }
  }

  void read_pin(std::string_view key) {
    const Node& value = *fields_.get(key);
    resolved_ = resolved_ && value.kind == Node::Kind::kText;
    if (value.kind != Node::Kind::kText) {
      error(value,
            fmt::format("{}: {}; allowed: a step, as in A.acquire.executed", key, found(value)));
      return;
    }
    ParsedStep parsed = parse_step(value.text, clients_);
    if (!parsed.value) {
      error(value, fmt::format("{}: {}", key, parsed.error));
      resolved_ = false;
      return;
    }
    fault_.pin = std::move(parsed.value);
    fault_.before = key == "before";
  }

  void read_amounts() {
    if (fault_.kind == FaultKind::kDuplicate) {
      fault_.length = milliseconds(1);
      fields_.duration("later", fault_.length, DurationRule::kNotNegative);
    }
    if (!kind_->needs.empty())
      fields_.duration(kind_->needs, fault_.length, DurationRule::kPositive);
    if (fault_.kind == FaultKind::kCrash) {
      fields_.duration("restart-after", fault_.restart_after, DurationRule::kNotNegative);
    }
    if (fault_.kind == FaultKind::kOperator) fields_.integer("db", fault_.db, 0, kDatabaseMax);
    if (kind_->target == FaultTarget::kHost) read_clock();
  }

  void read_clock() {
    const bool has_step = fields_.get("step") != nullptr;
    const bool has_drift = fields_.get("drift") != nullptr;
    if (has_step == has_drift) {
      error(*fields_.node().find_key("clock"),
            fmt::format("clock: {}; allowed: exactly one of step: DURATION, drift: PPM",
                        has_step ? "both 'step' and 'drift'" : "no 'step' and no 'drift'"));
    }
    fields_.duration("step", fault_.step, DurationRule::kSigned);
    fields_.drift("drift", fault_.ppm);
    if (has_drift) fault_.kind = FaultKind::kClockDrift;
  }

  Fields fields_;
  Reading& reading_;
  Scenario& scenario_;
  const std::vector<std::string_view>& clients_;
  const FaultKindInfo* kind_ = nullptr;
  const Node* target_ = nullptr;
  Fault fault_;
  bool resolved_ = false;
};

}  // namespace

void read_faults(const Node* node, Reading& reading) {
  if (node == nullptr) return;
  if (node->kind != Node::Kind::kList) {
    reading.diagnostics.add(node->mark, fmt::format("faults: {}; allowed: a list, as in "
                                                    "- {{at: 5s, pause: A, for: 35s}}",
                                                    found(*node)));
    return;
  }
  if (node->items.size() > kFaultsMax) {
    reading.diagnostics.add(node->mark, fmt::format("faults: {} of them; allowed: up to {}",
                                                    node->items.size(), kFaultsMax));
    return;
  }
  const auto clients = client_names(reading.scenario);
  for (const Node& item : node->items) FaultReader(item, reading, clients).read();
}

}  // namespace locklapse::scenario
