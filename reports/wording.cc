#include "reports/wording.h"

#include <fmt/format.h>

#include <cstdlib>
#include <span>

#include "reports/display_width.h"
#include "sim/history/time_text.h"

namespace locklapse::reports {
namespace {

std::string place_label(std::span<const std::string_view> names, PlaceId place, const char* other) {
  return place < names.size() ? short_name(names[place]) : std::string(other);
}

std::string reason(std::string_view text) {
  return text.empty() ? "" : fmt::format(" ({})", short_text(text));
}

std::string for_length(std::int64_t ns) {
  return ns > 0 ? " for " + duration_text(nanoseconds(ns)) : "";
}

// What a client does or learns about its lock.
std::string lock_words(const Event& e, const std::string& who) {
  switch (e.kind) {
    case EventKind::kAttempt:
      return who + " tries";
    case EventKind::kRefused:
      return who + " is refused";
    case EventKind::kUnknown:
      return who + " gets no answer: it may or may not have the lock";
    case EventKind::kGaveUp:
      return e.number > 1 ? fmt::format("{} gives up after {} tries", who, e.number)
                          : who + " gives up";
    case EventKind::kEntered:
      if (e.extra == 1) return who + " goes in without the lock";
      return e.number > 0 ? fmt::format("{} enters with fence {}", who, e.number) : who + " enters";
    case EventKind::kReentered:
      return fmt::format("{} takes its own lock again (depth {})", who, e.number);
    case EventKind::kTold:
      return who + " is told that it lost the lock" + reason(e.text);
    case EventKind::kLeft:
      if (e.text == "done") return who + " is done";
      if (e.text == "crashed") return "";  // the crash has been told
      return fmt::format("{} leaves{}", who, reason(e.text));
    case EventKind::kReleasing:
      return who + " releases";
    case EventKind::kReleased: {
      const char* kind = e.number > 0 ? "released" : e.number == 0 ? "refused" : "unknown";
      return fmt::format("{}'s release is answered: {}{}", who, kind, reason(e.text));
    }
    case EventKind::kRenewing:
      return fmt::format("{} renews from now on, every {}", who,
                         duration_text(nanoseconds(e.number)));
    case EventKind::kRenewed:
      return fmt::format(
          "{} renews{}", who,
          e.number > 0 ? fmt::format(" (TTL {})", duration_text(milliseconds(e.number))) : "");
    case EventKind::kRenewalEnded:
      return e.text == "stopped" ? "" : fmt::format("{}'s renewal ends{}", who, reason(e.text));
    default:
      return "";
  }
}

std::string command_words(const History& h, const Event& e, const std::string& who) {
  const std::string phase(phase_name(e.phase));
  const std::string which = e.phase == Phase::kNone ? "message" : phase;
  switch (e.kind) {
    case EventKind::kResent:
      return fmt::format("{}'s client library sends the {} again (sending {})", who, which,
                         e.number);
    case EventKind::kExecuted:
      return e.number > 1 ? fmt::format("{}'s {} is executed once more (sending {}): {}", who,
                                        which, e.number, short_text(e.text))
                          : "";
    case EventKind::kTimedOut:
      if (!e.text.empty()) {
        return fmt::format("{} gets no answer to its {}: {}", who, which, short_text(e.text));
      }
      return fmt::format("{} stops waiting for the answer to its {}", who, which);
    case EventKind::kRedirected:
      return fmt::format("{}'s client library turns to {}{}", who, node_label(h, e.place),
                         reason(e.text));
    case EventKind::kDropped:
      return fmt::format("{}'s {} {} is lost", who, which, short_text(e.text));
    case EventKind::kDelayed:
      return fmt::format("{}'s {} {} is late by {}", who, which, short_text(e.text),
                         duration_text(nanoseconds(e.number)));
    case EventKind::kDuplicated:
      return fmt::format("{}'s {} {} will arrive twice", who, which, short_text(e.text));
    default:
      return "";
  }
}

std::string work_words(const History& h, const Event& e, const std::string& who) {
  const std::string what = resource_label(h, e.place);
  switch (e.kind) {
    case EventKind::kRead:
      return fmt::format("{} reads {}: {}", who, what, e.number);
    case EventKind::kWritten:
      return fmt::format("{} writes {}: {}{}", who, what, e.number,
                         e.text.empty() ? "" : fmt::format(" (order {})", short_name(e.text)));
    case EventKind::kWriteRefused:
      return fmt::format("{} refuses {}'s write{}", what, who, reason(e.detail));
    case EventKind::kCalling:
      return fmt::format("{} calls downstream (try {}, {})", who, e.number,
                         duration_text(nanoseconds(e.extra)));
    case EventKind::kCalled:
      return fmt::format("{}'s call {}", who, e.extra == 1 ? "succeeds" : "fails");
    default:
      return "";
  }
}

// All the nodes that a client could ask.
std::string every_node(const History& h) {
  return h.cast.nodes.size() > 1 ? "any node" : node_label(h, 0);
}

std::string partition_words(const Event& e) {
  const std::string group = short_text(e.text);
  if (e.detail == "to") return "nothing from outside reaches " + group;
  if (e.detail == "from") return fmt::format("nothing from {} reaches the others", group);
  const bool several = e.text.find(',') != e.text.npos;
  return fmt::format("{} {} cut off from all others", group, several ? "are" : "is");
}

// What a sentinel or a cluster node concluded. Its own word stays in the sentence, to be found in logs.
std::string failover_words(const Event& e, const std::string& about) {
  const std::string who = short_name(e.detail);
  const std::string step = short_text(e.text);
  const std::string_view said = e.text;
  if (said == "+sdown") return fmt::format("{} takes {} for down ({})", who, about, step);
  if (said == "-sdown") return fmt::format("{} reaches {} again ({})", who, about, step);
  if (said == "+odown") return fmt::format("{}: enough agree that {} is down ({})", who, about, step);
  if (said == "+switch-master") {
    return fmt::format("{} names {} the master from now on ({})", who, about, step);
  }
  return fmt::format("{}: {} {}", who, step, about);
}

std::string stop_words(const Event& e, const std::string& node) {
  if (e.detail == "shutdown") return node + " is shut down";
  if (e.detail == "power") return node + " loses power";
  return node + " crashes";
}

std::string node_words(const History& h, const Event& e) {
  const std::string node = node_label(h, e.place);
  const auto other = [&] {
    return e.number < 0 ? std::string("a node") : node_label(h, static_cast<PlaceId>(e.number));
  };
  const std::string by = e.text.empty() ? "" : " by " + short_name(e.text);
  switch (e.kind) {
    case EventKind::kNodeStopped:
      return stop_words(e, node) + reason(e.text);
    case EventKind::kNodeStarted:
      return node + " starts";
    case EventKind::kNodePaused:
      return node + " stands still" + for_length(e.number) + reason(e.text);
    case EventKind::kNodeResumed:
      return node + " goes on";
    case EventKind::kPromoted:
      return fmt::format("{} is made a master{}", node, by);
    case EventKind::kDemoted:
      return fmt::format("{} is made a replica of {}{}", node, other(), by);
    case EventKind::kSynced:
      return e.text == "full" ? fmt::format("{} takes over all data of {} (full resync)", node, other())
                              : fmt::format("{} goes on following {} (partial resync)", node, other());
    case EventKind::kFailoverStep:
      return failover_words(e, node);
    default:
      return "";
  }
}

std::string fault_words(const History& h, const Event& e, const std::string& who,
                        std::span<const std::string> names) {
  const std::string length = for_length(e.number);
  switch (e.kind) {
    case EventKind::kPaused:
      return who_runs_in(h, e.place, names) + " is paused" + length + reason(e.text);
    case EventKind::kResumed:
      return who_runs_in(h, e.place, names) + " resumes";
    case EventKind::kStalled:
      return who + "'s working thread stalls" + length + reason(e.text);
    case EventKind::kUnstalled:
      return who + "'s working thread goes on";
    case EventKind::kCrashed:
      return who_runs_in(h, e.place, names) + " crashes" + reason(e.text);
    case EventKind::kRestarted:
      return who_runs_in(h, e.place, names) + " restarts" + reason(e.text);
    case EventKind::kSlowed:
      return fmt::format("{} needs {} longer{}", who, duration_text(nanoseconds(e.number)),
                         reason(e.text));
    case EventKind::kClockStepped:
      return fmt::format("{}'s clock jumps by {}{}{}", host_label(h, e.place),
                         e.number < 0 ? "" : "+", duration_text(nanoseconds(e.number)),
                         reason(e.text));
    case EventKind::kClockDrifted:
      return fmt::format("{}'s clock drifts by {} ppm{}", host_label(h, e.place), e.number,
                         reason(e.text));
    case EventKind::kPartitioned:
      if (e.client == kNoClient) return partition_words(e) + length;
      return fmt::format("{} cannot reach {}{}", who, every_node(h), length);
    case EventKind::kHealed:
      if (e.client == kNoClient) return short_text(e.text) + " can reach all others again";
      return fmt::format("{} can reach {} again", who, every_node(h));
    case EventKind::kOperator:
      return "an operator runs " + short_text(e.text);
    default:
      return "";
  }
}

}  // namespace

std::string short_name(std::string_view name) { return fit(name, kNameColumnsMax, "..."); }
std::string short_text(std::string_view text) { return fit(text, kTextColumnsMax, "..."); }

std::string client_label(const History& history, ClientId client) {
  if (client == kNoClient) return "operator";
  if (client >= history.cast.clients.size()) return "?";
  return short_name(history.cast.clients[client].name);
}

std::string process_label(const History& history, PlaceId process) {
  return place_label(history.cast.processes, process, "a process");
}
std::string host_label(const History& history, PlaceId host) {
  return place_label(history.cast.hosts, host, "a host");
}
std::string node_label(const History& history, PlaceId node) {
  return place_label(history.cast.nodes, node, "redis");
}
std::string resource_label(const History& history, PlaceId resource) {
  return place_label(history.cast.resources, resource, "the resource");
}

std::vector<std::string> client_names(const History& history) {
  std::vector<std::string> names;
  for (const ClientInfo& client : history.cast.clients) names.push_back(short_name(client.name));
  return names;
}

std::vector<std::string> client_numbers(const History& history) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= history.cast.clients.size(); ++i)
    names.push_back(fmt::format("#{}", i));
  return names;
}

std::string who_runs_in(const History& history, PlaceId process,
                        std::span<const std::string> names) {
  std::string list;
  std::size_t count = 0;
  for (std::size_t i = 0; i < history.cast.clients.size(); ++i) {
    if (history.cast.clients[i].process != process) continue;
    if (++count <= 4) list += (count > 1 ? ", " : "") + names[i];
  }
  if (count == 1) return list;
  if (count > 4) list += fmt::format(" and {} more", count - 4);
  const std::string label = process_label(history, process);
  return count == 0 ? label : fmt::format("{} ({})", label, list);
}

std::string event_words(const History& history, const Event& event,
                        std::span<const std::string> names) {
  const std::string who = event.client < names.size() ? names[event.client] : "operator";
  std::string words = lock_words(event, who);
  if (words.empty()) words = command_words(history, event, who);
  if (words.empty()) words = work_words(history, event, who);
  if (words.empty()) words = fault_words(history, event, who, names);
  if (words.empty()) words = node_words(history, event);
  return words;
}

std::string ttl_words(const History& history, const Event& event) {
  if (event.number < 0) return ", without a TTL";
  const std::int64_t now_ms = WallTime{kEpoch.us + event.at.us()}.ms();
  const std::int64_t left_ms = event.number - now_ms;
  const std::int64_t ttl_ms =
      event.client < history.cast.clients.size() ? history.cast.clients[event.client].ttl_ms : 0;
  if (ttl_ms > 0 && std::abs(left_ms - ttl_ms) <= 1) {
    return ", for " + duration_text(milliseconds(ttl_ms));
  }
  return "";
}

}  // namespace locklapse::reports
