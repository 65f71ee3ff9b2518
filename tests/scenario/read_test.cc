// What a scenario file says, and where each word of it ends up.
#include "sim/scenario/read.h"

#include <gtest/gtest.h>

#include "tests/scenario/reading.h"

namespace locklapse::scenario {
namespace {

// The story every reader meets first.
TEST(Read, TheStoryOfThreeClients) {
  const Scenario scenario = must_read(R"(
title: A's late DEL removes B's lock, and C walks in
story: A works 40 s under a 30 s TTL.
lock: {key: "lock:order:123", ttl: 30s, strategy: set-del}
redis: {topology: single}
clients:
  A: {at: 0s,  work: 40s}
  B: {at: 31s, work: 20s}
  C: {at: 41s, work: 5s, retry: {every: 1s, give-up: 60s}}
resource: {stock: 1, take: 1, guard: none}
network: {latency: 1ms}
faults:
  - {at: 5s, pause: A, for: 35s, why: gc}
expect:
  set-del: {overlaps: [[A, B], [B, C]], causes: [ttl-overrun, unowned-delete]}
  set-lua: {overlaps: [[A, B]], causes: [ttl-overrun]}
)");
  EXPECT_EQ(scenario.path, "dir/test.yaml");
  EXPECT_EQ(scenario.name, "test");
  EXPECT_EQ(scenario.title, "A's late DEL removes B's lock, and C walks in");
  EXPECT_EQ(scenario.lock.key, "lock:order:123");
  EXPECT_EQ(scenario.lock.strategy, "set-del");
  ASSERT_EQ(scenario.clients.size(), 3u);
  EXPECT_EQ(scenario.clients[1].at, seconds(31));
  EXPECT_EQ(scenario.clients[1].ttl, seconds(30));
  EXPECT_EQ(scenario.clients[1].key, "lock:order:123");
  EXPECT_FALSE(scenario.clients[1].retry.enabled);
  EXPECT_TRUE(scenario.clients[2].retry.enabled);
  EXPECT_EQ(scenario.clients[2].retry.give_up, seconds(60));
  ASSERT_EQ(scenario.faults.size(), 1u);
  EXPECT_EQ(scenario.faults[0].line, "pause of A at 5 s for 35 s (gc)");
  ASSERT_EQ(scenario.expect.count("set-del"), 1u);
  const Expectation& expected = scenario.expect.at("set-del");
  ASSERT_TRUE(expected.overlaps);
  EXPECT_EQ(expected.overlaps->back(), (std::pair<std::string, std::string>("B", "C")));
  EXPECT_EQ(expected.causes->at(1), Cause::kUnownedDelete);
  EXPECT_EQ(expected.line, 15);
}

TEST(Read, OnlyClientsAreNeeded) {
  const Scenario scenario = must_read("clients: {A: {}}");
  EXPECT_EQ(scenario.title, "test");
  EXPECT_EQ(scenario.lock.strategy, "set-lua");
  EXPECT_EQ(scenario.lock.ttl, seconds(30));
  EXPECT_FALSE(scenario.resource);
  EXPECT_EQ(scenario.resources, std::vector<std::string>{"resource"});
  EXPECT_EQ(scenario.latency.max, milliseconds(1));
  EXPECT_EQ(scenario.horizon, seconds(3600));
  EXPECT_EQ(scenario.clients[0].policy.timeout, seconds(5));
}

TEST(Read, AClientRunsInItsOwnProcessUnlessItNamesOne) {
  const Scenario scenario = must_read(R"(
hosts: {h1: {skew: -2s, drift: 100ppm}}
processes: {pod-1: {host: h1}}
clients:
  A: {process: pod-1}
  B: {process: pod-1, thread: t7}
  C: {}
  D: {process: pod-2}
)");
  ASSERT_EQ(scenario.processes.size(), 3u);
  EXPECT_EQ(scenario.processes[0].name, "pod-1");
  EXPECT_EQ(scenario.processes[1].name, "C");
  EXPECT_EQ(scenario.processes[2].name, "pod-2");
  EXPECT_EQ(scenario.clients[0].process, scenario.clients[1].process);
  EXPECT_EQ(scenario.clients[1].thread, "t7");
  ASSERT_EQ(scenario.hosts.size(), 3u);
  EXPECT_EQ(scenario.hosts[0].skew, seconds(-2));
  EXPECT_EQ(scenario.hosts[0].drift_ppm, 100);
  EXPECT_EQ(scenario.processes[0].host, 0u);
  EXPECT_EQ(scenario.hosts[scenario.processes[1].host].name, "C");
}

TEST(Read, DefaultsOfAllClientsChangeKeyByKey) {
  const Scenario scenario = must_read(R"(
lock: {retry: {every: 1s, limit: 5, give-up: 60s}}
client-library: {timeout: 3s, retries: 2}
clients:
  A: {}
  B: {retry: {limit: none, give-up: none}, library: {retries: 0}}
  C: {retry: none, library: {timeout: none}}
)");
  EXPECT_EQ(scenario.clients[0].retry.limit, 5u);
  EXPECT_TRUE(scenario.clients[1].retry.enabled);
  EXPECT_EQ(scenario.clients[1].retry.every, seconds(1));
  EXPECT_EQ(scenario.clients[1].retry.limit, 0u);
  EXPECT_FALSE(scenario.clients[1].retry.give_up);
  EXPECT_EQ(scenario.clients[1].policy.timeout, seconds(3));
  EXPECT_EQ(scenario.clients[1].policy.retries, 0u);
  EXPECT_FALSE(scenario.clients[2].retry.enabled);
  EXPECT_FALSE(scenario.clients[2].policy.timeout);
}

TEST(Read, NoneMeansNoTtl) {
  const Scenario scenario = must_read("lock: {ttl: none}\nclients: {A: {}, B: {ttl: 5s}}");
  EXPECT_FALSE(scenario.lock.ttl);
  EXPECT_FALSE(scenario.clients[0].ttl);
  EXPECT_EQ(scenario.clients[1].ttl, seconds(5));
}

TEST(Read, ClientsOfOneResourceShareItsIndex) {
  const Scenario scenario = must_read(R"(
clients:
  A: {key: "lock:order:1", resource: order 1}
  B: {key: "lock:order:2", resource: order 2, db: 3}
  C: {key: "lock:order", resource: order 1}
  D: {}
)");
  EXPECT_EQ(scenario.resources, (std::vector<std::string>{"resource", "order 1", "order 2"}));
  EXPECT_EQ(scenario.clients[2].resource, 1u);
  EXPECT_EQ(scenario.clients[3].resource, 0u);
  EXPECT_EQ(scenario.clients[1].db, 3);
}

TEST(Read, TextIsTakenAsItStands) {
  const Scenario scenario =
      must_read("lock: {key: 'order:1 '}\nclients: {A: {key: 77, order: true}}");
  EXPECT_EQ(scenario.lock.key, "order:1 ");  // an untrimmed id is a story of its own
  EXPECT_EQ(scenario.clients[0].key, "77");
  EXPECT_EQ(scenario.clients[0].order, "true");
}

TEST(Read, AGuardHasOneName) {
  const Scenario scenario = must_read(R"(
resource: {guard: fence+idempotent}
clients: {A: {}}
expect: {set-lua: {outcome: violated, guards: {fence+version: {damage: []}}}}
)");
  EXPECT_EQ(scenario.resource->guard, "idempotent+fence");
  EXPECT_EQ(scenario.expect.at("set-lua").guards.count("version+fence"), 1u);
}

TEST(Read, ExpectationsOfEveryKind) {
  const Scenario scenario = must_read(R"(
clients: {A: {}, B: {}}
expect:
  set-del:
    outcome: not-exercised
    stuck: for-ever
    damage: [lost-update, oversell]
    unowned: [[A, B], [operator, A]]
    releases: {A: released, B: none}
    waited: {B: {at-least: 9s, at-most: 11s}}
    held: {A: {at-most: 1min}}
    told: {A: never, B: {at-most: 5s}}
    commands: {at-least: 3}
    commands-per-second: {at-most: 100}
)");
  const Expectation& expected = scenario.expect.at("set-del");
  EXPECT_EQ(expected.outcome, Outcome::kNotExercised);
  EXPECT_EQ(expected.stuck, StuckKind::kForever);
  EXPECT_EQ(*expected.damage,
            (std::vector<DamageKind>{DamageKind::kLostUpdate, DamageKind::kOversell}));
  EXPECT_EQ(expected.unowned->at(1).first, "operator");
  EXPECT_EQ(expected.releases.at("B"), "none");
  EXPECT_EQ(expected.waited.at("B").at_least, seconds(9));
  EXPECT_EQ(expected.held.at("A").at_most, seconds(60));
  EXPECT_FALSE(expected.told.at("A"));
  EXPECT_EQ(expected.told.at("B")->at_most, seconds(5));
  EXPECT_EQ(expected.commands->at_least, 3);
  EXPECT_EQ(expected.commands_per_second->at_most, 100);
  EXPECT_FALSE(expected.overlaps);
}

TEST(Read, ErrorsStandInTheOrderOfTheFile) {
  const Result result = read_text("expect: {nope: {}}\nclients: {A: {at: 1}}\nlock: {ttl: 1}\n");
  ASSERT_EQ(result.errors.size(), 3u);
  EXPECT_EQ(result.errors[0].rfind("dir/test.yaml:1:10:", 0), 0u) << result.errors[0];
  EXPECT_EQ(result.errors[1].rfind("dir/test.yaml:2:", 0), 0u) << result.errors[1];
  EXPECT_EQ(result.errors[2].rfind("dir/test.yaml:3:", 0), 0u) << result.errors[2];
}

TEST(Read, AFileThatCannotBeRead) {
  const auto error = [](const std::string& path) {
    const Result result = read_scenario(path, test_vocabulary());
    return result.errors.empty() ? std::string() : result.errors.front();
  };
  EXPECT_EQ(error("/nowhere/abc.yaml"),
            "/nowhere/abc.yaml: cannot be opened: No such file or directory");
  EXPECT_EQ(error("/"), "/: a directory; allowed: a file");
  EXPECT_EQ(error("/dev/null"), "/dev/null: no regular file; allowed: a file");
  EXPECT_EQ(error("a\nb.yaml"), "a\\nb.yaml: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace locklapse::scenario
