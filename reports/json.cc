#include "reports/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/event_fields.h"
#include "reports/version.h"

namespace locklapse::reports {
namespace {

using Json = nlohmann::ordered_json;

Json instant(std::optional<Time> time) { return time ? Json(time->us()) : Json(nullptr); }

Json client(const History& h, ClientId id) {
  if (id != kNoClient && id >= h.cast.clients.size()) return "?";
  return h.client_name(id);
}

Json causes(const std::vector<Cause>& list) {
  Json json = Json::array();
  for (const Cause cause : list) json.push_back(cause_name(cause));
  return json;
}

Json overlaps(const History& h, const Verdict& v) {
  Json list = Json::array();
  for (const Overlap& o : v.overlaps) {
    list.push_back({{"resource", o.resource},
                    {"holders", Json::array({client(h, o.first), client(h, o.second)})},
                    {"from_us", o.from.us()},
                    {"to_us", o.to.us()},
                    {"cause", cause_name(o.cause)},
                    {"contributing", causes(o.contributing)},
                    {"because", o.because}});
  }
  return list;
}

Json unowned(const History& h, const Verdict& v) {
  Json list = Json::array();
  for (const UnownedMutation& u : v.unowned) {
    list.push_back({{"client", client(h, u.client)},
                    {"command", u.command},
                    {"key", u.key},
                    {"owner", u.owner == kNoClient ? Json(u.owner_token) : client(h, u.owner)},
                    {"owner_token", u.owner_token},
                    {"at_us", u.at.us()},
                    {"cause", cause_name(u.cause)}});
  }
  return list;
}

Json stuck(const Verdict& v) {
  Json list = Json::array();
  for (const StuckLock& s : v.stuck) {
    list.push_back({{"key", s.key},
                    {"from_us", s.from.us()},
                    {"to_us", instant(s.to)},
                    {"cause", cause_name(s.cause)},
                    {"contributing", causes(s.contributing)},
                    {"because", s.because}});
  }
  return list;
}

Json damage(const History& h, const Verdict& v) {
  Json list = Json::array();
  for (const Damage& d : v.damage) {
    list.push_back({{"kind", damage_name(d.kind)},
                    {"client", client(h, d.client)},
                    {"at_us", d.at.us()},
                    {"detail", d.detail},
                    {"cause", d.cause ? Json(cause_name(*d.cause)) : Json(nullptr)}});
  }
  return list;
}

Json told(const History& h, const Verdict& v) {
  Json list = Json::array();
  for (const Told& t : v.told) {
    list.push_back({{"client", client(h, t.client)},
                    {"lost_at_us", t.lost_at.us()},
                    {"told_at_us", instant(t.told_at)}});
  }
  return list;
}

Json clients(const History& h, const Verdict& v) {
  Json list = Json::array();
  for (const ClientSummary& c : v.clients) {
    list.push_back({{"name", client(h, c.client)},
                    {"attempts", c.attempts},
                    {"refused", c.refused},
                    {"acquired_at_us", instant(c.acquired_at)},
                    {"waited_us", c.waited.us()},
                    {"held_us", c.held.us()},
                    {"released_at_us", instant(c.released_at)},
                    {"release_reply", c.release_reply},
                    {"token", c.token},
                    {"ttl_us", c.ttl_ms * 1'000}});
  }
  return list;
}

Json counters(const Counters& c) {
  return {{"acquisitions", c.acquisitions},
          {"refused", c.refused},
          {"failed_releases", c.failed_releases},
          {"holds_over_ttl", c.holds_over_ttl},
          {"redis_commands", c.redis_commands},
          {"redis_commands_per_s_max", c.redis_commands_per_s_max},
          {"waited_total_us", c.waited_total.us()}};
}

Json node_name(const History& h, std::int64_t index) {
  const auto& nodes = h.cast.nodes;
  const bool known = index >= 0 && index < static_cast<std::int64_t>(nodes.size());
  return known ? Json(nodes[static_cast<std::size_t>(index)]) : Json(nullptr);
}

Json number(const History& h, std::int64_t value, Number form) {
  switch (form) {
    case Number::kNanoseconds:
      return value / 1'000;
    case Number::kOptional:
      return value < 0 ? Json(nullptr) : Json(value);
    case Number::kFlag:
      return value != 0;
    case Number::kVerdict:
      return value > 0 ? "released" : value == 0 ? "refused" : "unknown";
    case Number::kNode:
      return node_name(h, value);
    default:
      return value;
  }
}

void add_place(Json& json, const char* name, std::span<const std::string_view> names, PlaceId id) {
  json[name] = id < names.size() ? Json(names[id]) : Json(nullptr);
}

void add_place(Json& json, const History& h, const Event& e, Place place, bool to_resource) {
  const Cast& cast = h.cast;
  switch (place) {
    case Place::kNone:
      return;
    case Place::kNode:
      return add_place(json, "node", cast.nodes, e.place);
    case Place::kProcess:
      return add_place(json, "process", cast.processes, e.place);
    case Place::kHost:
      return add_place(json, "host", cast.hosts, e.place);
    case Place::kResource:
      return add_place(json, "resource", cast.resources, e.place);
    case Place::kNodeOrResource:
      return to_resource ? add_place(json, "resource", cast.resources, e.place)
                         : add_place(json, "node", cast.nodes, e.place);
  }
}

// A command went to the resource if it reads or writes; only a lock's commands go to a node.
bool to_resource(const Event& e) { return e.phase == Phase::kRead || e.phase == Phase::kWrite; }

Json event(const History& h, const Event& e) {
  const EventFields& fields = fields_of(e.kind);
  Json json;
  json["at_us"] = e.at.us();
  json["kind"] = event_name(e.kind);
  if (fields.client == Whose::kClient) json["client"] = client(h, e.client);
  if (fields.client == Whose::kClientOrNull) {
    json["client"] = e.client == kNoClient ? Json(nullptr) : client(h, e.client);
  }
  add_place(json, h, e, fields.place, to_resource(e));
  if (fields.attempt) json["attempt"] = e.attempt;
  if (fields.command) {
    json["phase"] = phase_name(e.phase);
    json["command_id"] = e.command;
  }
  if (fields.text) json[fields.text] = e.text;
  if (fields.detail) json[fields.detail] = e.detail;
  if (fields.number) json[fields.number] = number(h, e.number, fields.number_form);
  if (fields.extra) json[fields.extra] = number(h, e.extra, fields.extra_form);
  return json;
}

const char* agreement_name(Agreement agreement) {
  switch (agreement) {
    case Agreement::kConfirmed:
      return "confirmed";
    case Agreement::kNotRunnable:
      return "not-runnable";
    case Agreement::kDisagreeing:
      return "disagreeing";
  }
  return "?";
}

Json confirmation(const RunReport& run) {
  if (!run.confirmation) return nullptr;
  return {{"agreement", agreement_name(run.confirmation->agreement)},
          {"why", run.confirmation->why},
          {"differences", run.confirmation->differences}};
}

Json run_object(const RunReport& run) {
  const History& h = *run.history;
  const Verdict& v = *run.verdict;
  Json json;
  json["scenario"] = run.scenario;
  json["title"] = run.title;
  json["strategy"] = run.strategy;
  json["guard"] = run.guard;
  json["backend"] = run.backend;
  json["seed"] = run.seed;
  json["trace_hash"] = fmt::format("{:016x}", run.trace_hash);
  json["outcome"] = outcome_name(v.outcome);
  json["outcome_reason"] = v.outcome_reason;
  json["as_expected"] = run.as_expected ? Json(*run.as_expected) : Json(nullptr);
  json["mismatches"] = run.mismatches;
  json["confirmation"] = confirmation(run);
  json["complete"] = h.complete;
  json["end_us"] = h.end.us();
  json["overlaps"] = overlaps(h, v);
  json["unowned"] = unowned(h, v);
  json["stuck"] = stuck(v);
  json["damage"] = damage(h, v);
  json["told"] = told(h, v);
  json["clients"] = clients(h, v);
  json["findings_left_out"] = v.left_out;
  json["counters"] = counters(v.counters);
  return json;
}

std::string text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// One finding, client or event to a line: short enough to read, and grep works.
class RunWriter {
 public:
  explicit RunWriter(std::string& out) : out_(out) { out_ += "    {"; }

  void add(const std::string& key, const Json& value) {
    if (!value.is_array() || value.empty() || !value.front().is_object()) {
      begin(key);
      out_ += text(value);
      return;
    }
    begin_list(key);
    for (const Json& each : value) add_line(each);
    end_list();
  }
  void begin_list(const std::string& key) {
    begin(key);
    out_ += "[";
    lines_ = 0;
  }
  void add_line(const Json& value) {
    out_ += lines_++ == 0 ? "\n        " : ",\n        ";
    out_ += text(value);
  }
  void end_list() { out_ += lines_ == 0 ? "]" : "\n      ]"; }
  void end() { out_ += "\n    }"; }

 private:
  void begin(const std::string& key) {
    out_ += fields_++ == 0 ? "\n      " : ",\n      ";
    out_ += text(key) + ": ";
  }

  std::string& out_;
  int fields_ = 0;
  int lines_ = 0;
};

void add_run(std::string& out, const RunReport& run, const JsonOptions& options) {
  RunWriter writer(out);
  const Json fields = run_object(run);
  for (const auto& [key, value] : fields.items()) writer.add(key, value);
  if (options.events) {
    writer.begin_list("events");
    for (const Event& e : run.history->events) writer.add_line(event(*run.history, e));
    writer.end_list();
  }
  writer.end();
}

}  // namespace

std::string json_report(std::span<const RunReport> runs, const JsonOptions& options) {
  std::string out = "{\n  \"locklapse\": " + text(version()) + ",\n  \"runs\": [";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    out += i == 0 ? "\n" : ",\n";
    add_run(out, runs[i], options);
  }
  out += runs.empty() ? "]\n}\n" : "\n  ]\n}\n";
  return out;
}

}  // namespace locklapse::reports
