// clients: who contends, when, for how long, and in what way each differs from the rest.
#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/reading.h"

namespace locklapse::scenario {
namespace {

constexpr int kDatabaseMax = 15;
constexpr int kNestMax = 100;
constexpr std::uint32_t kCallTriesMax = 1'000;

void read_call(const Node& node, Client& client, Diagnostics& diagnostics) {
  DownstreamCall call;
  Fields fields(node, Section::kCall, diagnostics);
  if (!fields.is_map()) return;
  if (fields.get("takes") == nullptr) {
    diagnostics.add(node.mark,
                    "call: no 'takes'; allowed: {takes: 3s, tries: 3, fails: 2, backoff: 1s}");
  }
  fields.duration("takes", call.takes, DurationRule::kNotNegative);
  fields.integer("tries", call.tries, 1u, kCallTriesMax);
  fields.integer("fails", call.fails, 0u, kCallTriesMax);
  fields.duration("backoff", call.backoff, DurationRule::kNotNegative);
  if (call.fails > call.tries) {
    diagnostics.add(
        fields.get("fails")->mark,
        fmt::format("fails: {} of {} tries; allowed: up to 'tries'", call.fails, call.tries));
  }
  client.call = call;
}

// The index of the named resource; the first is the scenario's own.
std::size_t resource_index(std::string_view name, Scenario& scenario) {
  auto& names = scenario.resources;
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  names.emplace_back(name);
  return names.size() - 1;
}

// What a client takes the lock with: key, database, token, TTL, nesting, release.
void read_lock_use(Fields& fields, Client& client, Reading& reading) {
  fields.text("key", client.key, kNameBytesMax);
  fields.integer("db", client.db, 0, kDatabaseMax);
  if (const Node* token = fields.get("token"))
    read_token(*token, client.token, reading.diagnostics);
  fields.duration_or_none("ttl", client.ttl, DurationRule::kTtl);
  fields.integer("nest", client.nest, 1, kNestMax);
  fields.duration("nest-ttl", client.nest_ttl, DurationRule::kTtl);
  if (client.nest_ttl && client.nest == 1) {
    reading.diagnostics.add(
        fields.get("nest-ttl")->mark,
        "nest-ttl: no 'nest' above 1 beside it; allowed: together with nest: 2 or more");
  }
  fields.flag("fail-open", client.fail_open);
  static constexpr Words<ReleaseBy, 4> kReleases{{{"self", ReleaseBy::kSelf},
                                                  {"other-thread", ReleaseBy::kOtherThread},
                                                  {"nobody", ReleaseBy::kNobody},
                                                  {"force", ReleaseBy::kForce}}};
  fields.word("release", client.release, kReleases);
}

void read_client(const Node& key, const Node& value, Reading& reading) {
  Scenario& scenario = reading.scenario;
  Client client;
  client.name = key.text;
  client.retry = reading.retry;
  client.policy = reading.library;
  client.key = scenario.lock.key;
  client.ttl = scenario.lock.ttl;

  Fields fields(value, Section::kClient, reading.diagnostics);
  fields.duration("at", client.at, DurationRule::kNotNegative);
  fields.duration("work", client.work, DurationRule::kNotNegative);
  if (const Node* call = fields.get("call")) read_call(*call, client, reading.diagnostics);
  if (const Node* retry = fields.get("retry"))
    read_retry(*retry, client.retry, reading.diagnostics);
  if (const Node* library = fields.get("library")) {
    read_library(*library, client.policy, reading.diagnostics);
  }
  fields.integer("rounds", client.rounds, std::int64_t{1}, kRoundsMax);
  fields.duration("think", client.think, DurationRule::kNotNegative);
  fields.identifier("thread", client.thread);
  read_lock_use(fields, client, reading);
  fields.text("order", client.order, kNameBytesMax);
  fields.duration("commit-after-release", client.commit_after_release, DurationRule::kNotNegative);

  std::string process = client.name;
  fields.identifier("process", process);
  const Node* given = fields.get("process");
  if (given != nullptr) check_not_reserved(*given, "process", reading.diagnostics);
  client.process = process_index(process, scenario);
  std::string resource = scenario.resources.front();
  fields.text("resource", resource, kNameBytesMax);
  client.resource = resource_index(resource, scenario);
  scenario.clients.push_back(std::move(client));
}

}  // namespace

void read_clients(const Node* node, Reading& reading) {
  Diagnostics& diagnostics = reading.diagnostics;
  reading.scenario.resources = {"resource"};
  if (node == nullptr) {
    diagnostics.add({0, 0, 0},
                    fmt::format("no clients; allowed: 1 to {} under 'clients'", kClientsMax));
    return;
  }
  if (node->kind != Node::Kind::kMap) {
    diagnostics.add(node->mark,
                    fmt::format("clients: {}; allowed: a map from names to clients, as in "
                                "A: {{at: 0s, work: 5s}}",
                                found(*node)));
    return;
  }
  if (node->keys.empty() || node->keys.size() > kClientsMax) {
    diagnostics.add(node->mark, fmt::format("clients: {} of them; allowed: 1 to {}",
                                            node->keys.size(), kClientsMax));
    return;
  }
  reading.scenario.clients.reserve(node->keys.size());
  for (std::size_t i = 0; i < node->keys.size(); ++i) {
    if (!read_identifier(node->keys[i], "client", diagnostics)) continue;
    if (!check_not_reserved(node->keys[i], "client", diagnostics)) continue;
    read_client(node->keys[i], node->items[i], reading);
  }
}

std::vector<std::string_view> client_names(const Scenario& scenario) {
  std::vector<std::string_view> names;
  for (const Client& client : scenario.clients) names.push_back(client.name);
  return names;
}

}  // namespace locklapse::scenario
