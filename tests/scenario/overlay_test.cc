// --set KEY=VALUE
#include <gtest/gtest.h>

#include "tests/scenario/reading.h"

namespace locklapse::scenario {
namespace {

constexpr const char* kText = R"(
lock: {ttl: 30s}
clients:
  A: {at: 0s, work: 40s}
  B: {at: 31s}
faults:
  - {at: 5s, pause: A, for: 35s}
)";

TEST(Set, ChangesValuesInMapsAndLists) {
  const Scenario scenario = must_read(
      kText, {"lock.ttl=10s", "clients.B.at=32s", "faults.0.for=20s", "network.latency=5ms"});
  EXPECT_EQ(scenario.lock.ttl, seconds(10));
  EXPECT_EQ(scenario.clients[1].at, seconds(32));
  EXPECT_EQ(scenario.faults[0].length, seconds(20));
  EXPECT_EQ(scenario.latency.max, milliseconds(5));
}

TEST(Set, MakesMapsAndClientsThatAreNotThere) {
  const Scenario scenario =
      must_read(kText, {"redis.skew=2s", "clients.C.work=5s", "lock.renew.every=1s"});
  EXPECT_EQ(scenario.redis.skew, seconds(2));
  EXPECT_EQ(scenario.clients.at(2).name, "C");
  EXPECT_EQ(scenario.lock.renew.every, seconds(1));
}

TEST(Set, TakesAnyYamlAsValue) {
  const Scenario scenario = must_read(
      kText, {"lock.ttl=none", "clients.B.retry={every: 1s, limit: 3}", "lock.key=lock:order:1=2",
              "faults=[{at: 1s, crash: B}]", "title=\"a: b\""});
  EXPECT_FALSE(scenario.lock.ttl);
  EXPECT_EQ(scenario.clients[1].retry.limit, 3u);
  EXPECT_EQ(scenario.lock.key, "lock:order:1=2");
  ASSERT_EQ(scenario.faults.size(), 1u);
  EXPECT_EQ(scenario.faults[0].kind, FaultKind::kCrash);
  EXPECT_EQ(scenario.title, "a: b");
}

TEST(Set, TheLaterOneWins) {
  EXPECT_EQ(must_read(kText, {"lock.ttl=1s", "lock.ttl=2s"}).lock.ttl, seconds(2));
}

struct Refused {
  const char* set;
  const char* error;
};

TEST(Set, ErrorsNameTheOption) {
  const Refused cases[] = {
      {"lock.ttl",
       "--set lock.ttl: no KEY=VALUE; allowed: a dotted path and a value, as in lock.ttl=10s"},
      {"=1", "--set =1: no KEY=VALUE; allowed: a dotted path and a value, as in lock.ttl=10s"},
      {"lock..ttl=1s",
       "--set lock..ttl=1s: an empty part in the path; allowed: names joined by dots"},
      {"lock.ttl=10",
       "--set lock.ttl=10: ttl: '10' has no unit; allowed: ns us ms s min h; did you mean '10s'?"},
      {"lock.tll=10s",
       "--set lock.tll=10s: lock: unknown key 'tll'; allowed: key, ttl, strategy, token, renew, "
       "on-loss, "
       "retry, at-least-for, clean-up; did you mean 'ttl'?"},
      {"lock.ttl.x=1",
       "--set lock.ttl.x=1: 'x' is looked for in '30s', which has no parts; allowed: a path into "
       "maps and "
       "lists"},
      {"faults.1.for=1s", "--set faults.1.for=1s: '1' is no index into this list; allowed: 0 to 0"},
      {"faults.-1.for=1s",
       "--set faults.-1.for=1s: '-1' is no index into this list; allowed: 0 to 0"},
      {"faults.a=1s", "--set faults.a=1s: 'a' is no index into this list; allowed: 0 to 0"},
      {"lock={", "--set lock={: a map as a key, or a '{' that is not closed; allowed: a name"},
      {"lock='",
       "--set lock=': not valid YAML: from here on a quote, a '[' or a '{' is not closed"},
      {"title=", "--set title=: title: nothing; allowed: text of 1 to 8192 bytes"},
      {"lock.key=*a", "--set lock.key=*a: not valid YAML: the referenced anchor is not defined"},
      {"lock.key=\x1b[31m",
       "--set lock.key=\\x1b[31m: the control character 0x1b; allowed: printable text, or an "
       "escape such as "
       "\"\\x1b\" in double quotes"},
  };
  for (const Refused& c : cases) EXPECT_EQ(error_of(kText, {c.set}), c.error);
}

TEST(Set, IsBounded) {
  std::string deep = "a";
  for (int i = 0; i < 30; ++i) deep += ".a";
  EXPECT_NE(error_of(kText, {deep + "=1"}).find("a path of 31 parts; allowed: up to 23"),
            std::string::npos);
  EXPECT_NE(
      error_of(kText, {"title=" + std::string(5000, 'x')}).find("5006 bytes; allowed: up to 4096"),
      std::string::npos);
  EXPECT_EQ(error_of(kText, std::vector<std::string>(300, "title=x")),
            "dir/test.yaml: 300 times --set; allowed: up to 256");
}

}  // namespace
}  // namespace locklapse::scenario
