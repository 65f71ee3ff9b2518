// redis, network, resource, hosts, processes: what the clients live in.
#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/reading.h"

namespace locklapse::scenario {
namespace {

constexpr std::int64_t kUnitsMax = 1'000'000'000'000;
constexpr std::size_t kPlacesMax = kClientsMax;  // hosts and processes, each

// A map from names to maps, as clients, processes and hosts are. Calls read(key, value) for each
// with a good name.
template <typename Read>
void read_named(const Node& node, std::string_view section, std::string_view what, Reading& reading,
                Read&& read) {
  Diagnostics& diagnostics = reading.diagnostics;
  if (node.kind != Node::Kind::kMap) {
    diagnostics.add(node.mark,
                    fmt::format("{}: {}; allowed: a map from names to maps", section, found(node)));
    return;
  }
  if (node.keys.size() > kPlacesMax) {
    diagnostics.add(node.mark, fmt::format("{}: {} of them; allowed: up to {}", section,
                                           node.keys.size(), kPlacesMax));
    return;
  }
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    if (!read_identifier(node.keys[i], what, diagnostics)) continue;
    if (check_not_reserved(node.keys[i], what, diagnostics)) read(node.keys[i], node.items[i]);
  }
}

}  // namespace

bool check_not_reserved(const Node& key, std::string_view what, Diagnostics& diagnostics) {
  if (key.text != "redis" && key.text != "operator") return true;
  diagnostics.add(key.mark, fmt::format("{}: {} is taken; allowed: any name but redis and operator",
                                        what, quoted(key.text)));
  return false;
}

void read_redis(const Node* node, Reading& reading) {
  if (node == nullptr) return;
  Redis& redis = reading.scenario.redis;
  Fields fields(*node, Section::kRedis, reading.diagnostics);
  if (const Node* topology = fields.get("topology")) {
    static constexpr std::string_view kKnown[] = {"single", "replicated", "sentinel", "cluster",
                                                  "independent"};
    const auto is_known = std::find(std::begin(kKnown), std::end(kKnown), topology->text);
    if (topology->kind == Node::Kind::kText && is_known != std::end(kKnown) &&
        *is_known != kKnown[0]) {
      reading.diagnostics.add(topology->mark,
                              fmt::format("topology: {} is not supported yet; allowed: "
                                          "single",
                                          quoted(topology->text)));
    } else if (read_word(*topology, "topology", std::span(kKnown).first(1), reading.diagnostics)) {
      redis.topology = topology->text;
    }
  }
  fields.flag("active-expire", redis.active_expire);
  fields.duration("skew", redis.skew, DurationRule::kSigned);
  fields.drift("drift", redis.drift_ppm);
}

void read_network(const Node* node, Reading& reading) {
  if (node == nullptr) return;
  Diagnostics& diagnostics = reading.diagnostics;
  Latency& latency = reading.scenario.latency;
  Fields fields(*node, Section::kNetwork, diagnostics);
  const Node* value = fields.get("latency");
  if (value == nullptr) return;
  if (value->kind != Node::Kind::kMap) {
    if (const auto fixed =
            read_duration(*value, "latency", DurationRule::kNotNegative, diagnostics)) {
      latency = {*fixed, *fixed};
    }
    return;
  }
  Fields range(*value, Section::kLatency, diagnostics);
  for (std::string_view key : keys_of(Section::kLatency)) {
    if (range.get(key) != nullptr) continue;
    diagnostics.add(value->mark,
                    fmt::format("latency: no '{}'; allowed: {{min: 1ms, max: 5ms}}", key));
    return;
  }
  range.duration("min", latency.min, DurationRule::kNotNegative);
  latency.max = std::max(latency.max, latency.min);
  range.duration("max", latency.max, DurationRule::kNotNegative);
  if (latency.max < latency.min) {
    diagnostics.add(range.get("max")->mark,
                    fmt::format("max: {} is below min {}; allowed: min or more",
                                found(*range.get("max")), found(*range.get("min"))));
  }
}

void read_resource(const Node* node, Reading& reading) {
  if (node == nullptr) return;
  Resource resource;
  Fields fields(*node, Section::kResource, reading.diagnostics);
  fields.integer("stock", resource.stock, std::int64_t{0}, kUnitsMax);
  fields.integer("take", resource.take, std::int64_t{1}, kUnitsMax);
  if (const Node* guard = fields.get("guard")) {
    if (const auto text = read_text(*guard, "guard", kNameBytesMax, reading.diagnostics)) {
      NormalGuard normal = normal_guard(*text, reading.vocabulary);
      if (normal.value) {
        resource.guard = std::move(*normal.value);
      } else {
        reading.diagnostics.add(guard->mark, "guard: " + normal.error);
      }
    }
  }
  reading.scenario.resource = std::move(resource);
}

std::size_t host_index(std::string_view name, Scenario& scenario) {
  auto& hosts = scenario.hosts;
  const auto same = [&](const Host& host) { return host.name == name; };
  const auto at = std::find_if(hosts.begin(), hosts.end(), same);
  if (at != hosts.end()) return static_cast<std::size_t>(at - hosts.begin());
  hosts.push_back({std::string(name)});
  return hosts.size() - 1;
}

std::size_t process_index(std::string_view name, Scenario& scenario) {
  auto& processes = scenario.processes;
  const auto same = [&](const Process& process) { return process.name == name; };
  const auto at = std::find_if(processes.begin(), processes.end(), same);
  if (at != processes.end()) return static_cast<std::size_t>(at - processes.begin());
  processes.push_back({std::string(name), host_index(name, scenario)});
  return processes.size() - 1;
}

void read_hosts(const Node* node, Reading& reading) {
  if (node == nullptr) return;
  read_named(*node, "hosts", "host", reading, [&](const Node& key, const Node& value) {
    Host host;
    host.name = key.text;
    Fields fields(value, Section::kHost, reading.diagnostics);
    fields.duration("skew", host.skew, DurationRule::kSigned);
    fields.drift("drift", host.drift_ppm);
    reading.scenario.hosts.push_back(std::move(host));
  });
}

void read_processes(const Node* node, Reading& reading) {
  if (node == nullptr) return;
  read_named(*node, "processes", "process", reading, [&](const Node& key, const Node& value) {
    Process process;
    process.name = key.text;
    std::string host = key.text;
    Fields fields(value, Section::kProcess, reading.diagnostics);
    fields.identifier("host", host);
    const Node* given = fields.get("host");
    if (given != nullptr) check_not_reserved(*given, "host", reading.diagnostics);
    process.host = host_index(host, reading.scenario);
    reading.scenario.processes.push_back(std::move(process));
  });
}

}  // namespace locklapse::scenario
