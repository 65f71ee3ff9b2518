// The reader's table of keys: the schema says the same, and the reader really takes every key.
#include "sim/scenario/keys.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "sim/scenario/fault_kinds.h"
#include "tests/scenario/reading.h"

namespace locklapse::scenario {
namespace {

using Json = nlohmann::json;

Json definitions() {
  std::ifstream in(std::string(LOCKLAPSE_SOURCE_DIR) + "/scenarios/schema.json");
  return Json::parse(in).at("definitions");
}

// The object form of a definition; some also allow a word in its place.
Json object_form(const Json& definition) {
  if (definition.contains("properties")) return definition;
  for (const Json& form : definition.value("anyOf", Json::array())) {
    if (form.contains("properties")) return form;
  }
  return {};
}

std::set<std::string> words(const Json& list) {
  std::set<std::string> out;
  for (const Json& word : list) out.insert(word.get<std::string>());
  return out;
}

TEST(Keys, TheSchemaHasThoseOfTheReader) {
  const Json all = definitions();
  for (int i = 0; i < kSections; ++i) {
    const auto section = static_cast<Section>(i);
    const std::string name(section_name(section));
    ASSERT_TRUE(all.contains(name)) << name;
    const Json object = object_form(all.at(name));
    ASSERT_TRUE(object.is_object()) << name;
    EXPECT_EQ(object.at("additionalProperties"), false) << name;
    std::set<std::string> schema_keys, reader_keys;
    for (const auto& [key, value] : object.at("properties").items()) schema_keys.insert(key);
    for (std::string_view key : keys_of(section)) reader_keys.insert(std::string(key));
    EXPECT_EQ(schema_keys, reader_keys) << name;
  }
}

TEST(Keys, TheSchemaDescribesEachOfThem) {
  const Json all = definitions();
  for (int i = 0; i < kSections; ++i) {
    const Json object = object_form(all.at(std::string(section_name(static_cast<Section>(i)))));
    for (const auto& [key, value] : object.at("properties").items()) {
      const Json described =
          value.contains("$ref") ? all.at(value.at("$ref").get<std::string>().substr(14)) : value;
      EXPECT_FALSE(described.value("description", "").empty())
          << section_name(static_cast<Section>(i)) << "." << key;
    }
  }
}

TEST(Keys, TheSchemaHasTheSameWords) {
  const Json all = definitions();
  const auto& names = test_vocabulary();
  EXPECT_EQ(words(all.at("strategy").at("enum")),
            std::set<std::string>(names.strategies.begin(), names.strategies.end()));
  std::set<std::string> causes;
  for (int i = 0; i < kCauses; ++i) causes.insert(std::string(cause_name(static_cast<Cause>(i))));
  const Json expectation = all.at("expectation").at("properties");
  EXPECT_EQ(words(expectation.at("causes").at("items").at("enum")), causes);
  std::set<std::string> kinds, required;
  for (const FaultKindInfo& info : fault_kinds()) kinds.insert(std::string(info.name));
  for (const Json& one : all.at("fault").at("oneOf")) required.insert(one.at("required")[0]);
  EXPECT_EQ(required, kinds);
}

// One file with every key of every section but those that exclude each other; the test below sees
// that none is missing.
constexpr const char* kEverything = R"(
title: t
story: s
lock:
  key: k
  ttl: 30s
  strategy: watchdog
  token: {constant: x}
  renew: {enabled: true, every: 10s, thread: work, stop-at-release: false, stop-on-error: true, ttl: 0s}
  on-loss: go-on
  retry: {every: 1s, jitter: 10ms, limit: 3, give-up: 60s}
  at-least-for: 5s
  clean-up: true
redis: {topology: single, active-expire: false, skew: -1s, drift: -5ppm}
client-library: {timeout: 3s, retries: 2, backoff: 10ms, jitter: 5ms}
clients:
  A:
    at: 1s
    work: 5s
    call: {takes: 3s, tries: 3, fails: 2, backoff: 1s}
    retry: none
    process: pod
    thread: t1
    rounds: 3
    think: 1s
    key: k2
    db: 1
    token: per-process
    ttl: none
    resource: r
    order: o
    commit-after-release: 1s
    nest: 2
    nest-ttl: 1s
    fail-open: true
    release: other-thread
    library: {timeout: none}
  B: {}
resource: {stock: 5, take: 2, guard: fence}
network: {latency: {min: 1ms, max: 2ms}}
horizon: 10min
processes: {pod: {host: h}}
hosts: {h: {skew: 1s, drift: 5ppm}}
faults:
  - {at: 1s, pause: A, for: 1s, why: gc}
  - {after: A.work.started, plus: 1s, stall: A, for: 1s}
  - {before: A.work.started, slow: A, by: 1s}
  - {at: 1s, crash: A, restart-after: 1s}
  - {at: 1s, restart: A}
  - {drop: A.acquire.reply}
  - {delay: A.acquire.reply, for: 1s}
  - {duplicate: A.acquire.reply, later: 1s}
  - {at: 1s, partition: A, for: 1s}
  - {at: 1s, clock: h, step: 1s}
  - {at: 1s, clock: h, drift: 1ppm}
  - {at: 1s, operator: PING, db: 1}
  - {at: 1s, del: k}
  - {at: 1s, flushall: true}
expect:
  set-lua:
    outcome: safe
    overlaps: []
    causes: []
    unowned: []
    stuck: none
    damage: []
    releases: {A: released}
    waited: {A: {at-least: 1s, at-most: 2s}}
    held: {A: {at-least: 1s}}
    told: {A: never}
    commands: {at-least: 1, at-most: 2}
    commands-per-second: {at-least: 1}
    guards: {fence: {outcome: safe}}
)";

TEST(Keys, TheReaderTakesEachOfThem) {
  must_read(kEverything);
  const std::string text = kEverything;
  for (int i = 0; i < kSections; ++i) {
    for (std::string_view key : keys_of(static_cast<Section>(i))) {
      EXPECT_NE(text.find(std::string(key) + ":"), std::string::npos)
          << section_name(static_cast<Section>(i)) << "." << key << " is not in the text above";
    }
  }
}

TEST(Keys, EveryWordIsTaken) {
  const Scenario base = must_read(kEverything);
  for (const char* set :
       {"lock.token=per-attempt", "lock.token=per-client", "lock.token=per-thread",
        "lock.token=per-process", "lock.renew.thread=own", "lock.on-loss=stop",
        "clients.A.release=self", "clients.A.release=nobody", "clients.A.release=force",
        "expect.set-lua.outcome=violated", "expect.set-lua.outcome=unknown",
        "expect.set-lua.outcome=not-exercised", "expect.set-lua.stuck=until-ttl",
        "expect.set-lua.stuck=for-ever", "expect.set-lua.releases.A=refused",
        "expect.set-lua.releases.A=unknown", "expect.set-lua.releases.A=none"}) {
    must_read(kEverything, {set});
  }
  for (int i = 0; i < kCauses; ++i) {
    must_read(kEverything,
              {"expect.set-lua.causes=[" + std::string(cause_name(static_cast<Cause>(i))) + "]"});
  }
  EXPECT_EQ(base.clients[0].release, ReleaseBy::kOtherThread);
  EXPECT_EQ(base.lock.renew.thread, RenewalThread::kWork);
  EXPECT_EQ(base.lock.on_loss, OnLoss::kGoOn);
  EXPECT_EQ(base.clients[0].token.scope, TokenScope::kPerProcess);
  EXPECT_EQ(base.lock.token.text, "x");
}

}  // namespace
}  // namespace locklapse::scenario
