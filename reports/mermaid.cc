#include "reports/mermaid.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "reports/escape.h"
#include "reports/lanes.h"
#include "reports/timeline.h"
#include "reports/wording.h"
#include "sim/history/time_text.h"

namespace locklapse::reports {
namespace {

constexpr std::size_t kEntriesMax = 600;
constexpr std::size_t kNoteBytesMax = 400;  // room kept for the note on what was left out

// One statement, or a few that belong together, with what it weighs when there is too much.
struct Entry {
  std::string lines;
  Weight weight = Weight::kDetail;
  int activation = 0;  // +1 opens an activation bar, -1 closes one
  ClientId client = kNoClient;
  PlaceId process = kNoPlace;  // it crashed: closes the bars of all its clients
  Time at;
};

class Diagram {
 public:
  explicit Diagram(const RunReport& run)
      : run_(run),
        history_(*run.history),
        names_(client_names(history_)),
        timeline_(make_timeline(history_, *run.verdict, names_)),
        active_(history_.cast.clients.size()) {
    for (const Step& step : timeline_.steps) {
      decimals_ = std::max(decimals_, decimals_needed(step.at));
    }
  }

  std::string draw() {
    collect();
    const std::size_t before = entries_.size();
    drop_to(kEntriesMax);
    std::string body = render();
    while (body.size() + kNoteBytesMax > kMermaidBytesMax && entries_.size() > 1) {
      drop_to(entries_.size() * 3 / 4);
      body = render();
    }
    std::string out = heading();
    out += body;
    const std::size_t left_out = before - entries_.size();
    if (left_out > 0 || !history_.complete) {
      out += fmt::format(
          "  Note over {}: {}\n", everyone(),
          mermaid_text(left_out > 0
                           ? fmt::format("{} steps left out to keep the diagram small", left_out)
                           : "the run was cut short by a bound"));
    }
    return out;
  }

 private:
  static std::string client_id(ClientId client) { return fmt::format("c{}", client); }

  // A participant's name stands alone on its line, where a colon might read as syntax.
  static std::string alias(std::string_view name) {
    std::string text = mermaid_text(name);
    for (std::size_t at = 0; (at = text.find(':', at)) != text.npos;) text.replace(at, 1, "#58;");
    return text;
  }

  // The far end of a command.
  std::string place_id(const Event& e) {
    const bool resource = e.phase == Phase::kRead || e.phase == Phase::kWrite;
    std::string id =
        fmt::format("{}{}", resource ? 'r' : 'n', e.place == kNoPlace ? 0 : e.place);
    places_[id] = resource ? resource_label(history_, e.place) : node_label(history_, e.place);
    return id;
  }

  std::string heading() const {
    std::string out = "sequenceDiagram\n";
    if (!run_.title.empty()) {
      out += fmt::format("  Note over {}: {}\n", everyone(), mermaid_text(short_text(run_.title)));
    }
    // Participants come first in the text: whoever is named first stands leftmost.
    std::string people;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      people += fmt::format("  participant c{} as {}\n", i, alias(names_[i]));
    }
    for (const auto& [id, name] : places_) {
      people += fmt::format("  participant {} as {}\n", id, alias(name));
    }
    if (people.empty()) people = "  participant n0 as redis\n";
    out.insert(out.find('\n') + 1, people);
    return out;
  }

  // Over the clients of a process that was paused or crashed.
  std::string over_process(PlaceId process) const {
    std::vector<ClientId> inside;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (history_.cast.clients[i].process == process) inside.push_back(static_cast<ClientId>(i));
    }
    if (inside.empty()) return everyone();
    const std::string first = client_id(inside.front());
    return inside.size() == 1 ? first : first + "," + client_id(inside.back());
  }

  std::string everyone() const {
    const std::string last = !places_.empty() ? places_.rbegin()->first
                             : names_.empty() ? "n0"
                                              : client_id(static_cast<ClientId>(names_.size() - 1));
    const std::string first = names_.empty() ? last : "c0";
    return first == last ? first : first + "," + last;
  }

  void collect() {
    std::size_t next = 0;
    for (std::size_t i = 0; i < history_.events.size(); ++i) {
      if (!timeline_.folded[i]) add_message(history_.events[i]);
      for (; next < timeline_.steps.size() && timeline_.steps[next].event <= i; ++next) {
        add_step(timeline_.steps[next]);
      }
    }
  }

  void add_message(const Event& e) {
    if (e.client >= names_.size()) return;
    const std::string from = client_id(e.client);
    const bool request = e.kind == EventKind::kSent || e.kind == EventKind::kResent;
    if (e.kind == EventKind::kSent) lines_[e.command] = e.text;
    if (request) {
      const std::string again = e.kind == EventKind::kResent ? " (again)" : "";
      add(fmt::format("{}->>{}: {}", from, place_id(e),
                      said(e.at, short_text(lines_[e.command]) + again)),
          e.phase == Phase::kAcquire || e.phase == Phase::kRelease ? Weight::kTurn
                                                                   : Weight::kDetail,
          e);
    } else if (e.kind == EventKind::kReplied) {
      add(fmt::format("{}-->>{}: {}", place_id(e), from, said(e.at, short_text(e.text))),
          Weight::kDetail, e);
    } else if (e.kind == EventKind::kDropped) {
      const bool reply = e.text == "reply";
      const std::string to = place_id(e);
      add(reply ? fmt::format("{}--x{}: {}", to, from, said(e.at, "the reply is lost"))
                : fmt::format("{}-x{}: {}", from, to, said(e.at, "the request is lost")),
          Weight::kFault, e);
    }
  }

  // What the messages themselves say already.
  static bool has_message(const Step& step, const Event& e) {
    return step.mark == Mark::kTry || step.mark == Mark::kReleased ||
           e.kind == EventKind::kDropped || e.kind == EventKind::kResent ||
           (e.kind == EventKind::kReleasing && step.mark == Mark::kNone);
  }

  static bool is_node_event(EventKind kind) {
    return kind >= EventKind::kNodeStopped && kind <= EventKind::kFailoverStep;
  }

  // Steps that no message shows.
  void add_step(const Step& step) {
    const Event& e = history_.events[step.event];
    const bool finding = step.weight == Weight::kFinding;
    if (!finding && has_message(step, e)) return;
    const bool key = step.key_lane >= 0;
    const bool plain_key = key && e.kind != EventKind::kTtlEnded &&
                           e.kind != EventKind::kKeyRestored && !step.unowned;
    if (plain_key && e.kind != EventKind::kKeyExpired && e.client != kNoClient) return;
    std::string over = everyone();
    if (key || (!finding && is_node_event(e.kind))) over = place_id(e);
    if (!finding && (e.kind == EventKind::kPaused || e.kind == EventKind::kResumed ||
                     e.kind == EventKind::kCrashed || e.kind == EventKind::kRestarted)) {
      over = over_process(e.place);
    }
    if (step.client != kNoClient && step.client < names_.size()) over = client_id(step.client);
    Entry entry;
    entry.at = step.at;
    entry.weight = step.weight;
    entry.client = step.client;
    entry.lines = fmt::format("Note over {}: {}", over, said(step.at, step.words));
    if (step.mark == Mark::kEnter) entry.activation = 1;
    if (step.mark == Mark::kLeave) entry.activation = -1;
    entry.process = step.process;
    if (entry.activation != 0 || step.process != kNoPlace)
      entry.weight = std::max(entry.weight, Weight::kFault);
    entries_.push_back(std::move(entry));
  }

  void add(std::string line, Weight weight, const Event& e) {
    entries_.push_back({std::move(line), weight, 0, e.client, kNoPlace, e.at});
  }

  std::string said(Time at, std::string_view words) const {
    return mermaid_text(fmt::format("{} - {}", instant_text(at, decimals_), words));
  }

  void drop_to(std::size_t most) {
    for (const Weight lightest : {Weight::kTurn, Weight::kFault, Weight::kFinding}) {
      if (entries_.size() <= most) return;
      std::erase_if(entries_, [&](const Entry& entry) { return entry.weight < lightest; });
    }
    if (entries_.size() > most) {
      std::size_t i = 0;
      std::erase_if(entries_, [&](const Entry&) { return i++ >= most; });
    }
  }

  // Overlaps may cross, rectangles must nest: one rectangle for as long as anyone overlaps.
  std::string render() {
    std::string out;
    bool open = false;
    std::fill(active_.begin(), active_.end(), false);
    for (const Entry& entry : entries_) {
      const bool shared = overlap_at(*run_.verdict, entry.at) >= 0;
      if (shared != open) out += shared ? "  rect rgb(255, 224, 204)\n" : "  end\n";
      open = shared;
      out += "  " + entry.lines + "\n";
      switch_activation(entry, out);
    }
    if (open) out += "  end\n";
    return out;
  }

  void switch_activation(const Entry& entry, std::string& out) {
    const auto set = [&](std::size_t client, bool on) {
      if (active_[client] == on) return;
      active_[client] = on;
      out += fmt::format("  {}activate c{}\n", on ? "" : "de", client);
    };
    if (entry.process != kNoPlace) {
      for (std::size_t i = 0; i < active_.size(); ++i) {
        if (history_.cast.clients[i].process == entry.process) set(i, false);
      }
    } else if (entry.activation != 0 && entry.client < active_.size()) {
      set(entry.client, entry.activation > 0);
    }
  }

  const RunReport& run_;
  const History& history_;
  std::vector<std::string> names_;
  Timeline timeline_;
  std::vector<bool> active_;
  int decimals_ = 0;                                 // of a second
  std::map<std::uint32_t, std::string_view> lines_;  // command lines by command
  std::map<std::string, std::string> places_;
  std::vector<Entry> entries_;
};

}  // namespace

std::string mermaid_diagram(const RunReport& run) { return Diagram(run).draw(); }

}  // namespace locklapse::reports
