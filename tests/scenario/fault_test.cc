// Faults: what each kind resolves to, and how a person reads it.
#include <gtest/gtest.h>

#include "sim/scenario/command_line.h"
#include "sim/scenario/fault_kinds.h"
#include "tests/scenario/reading.h"

namespace locklapse::scenario {
namespace {

constexpr const char* kWorld = R"(
hosts: {h1: {}}
processes: {pod: {host: h1}}
clients: {A: {process: pod}, B: {process: pod}, C: {}}
faults:
)";

Fault fault(const std::string& text) {
  const Scenario scenario = must_read(std::string(kWorld) + "  - " + text + "\n");
  return scenario.faults.size() == 1 ? scenario.faults[0] : Fault{};
}

struct Line {
  const char* fault;
  const char* line;
};

TEST(Fault, EveryKindHasItsLine) {
  const Line lines[] = {
      {"{at: 5s, pause: A, for: 35s, why: gc}", "pause of A at 5 s for 35 s (gc)"},
      {"{after: A.acquire.executed, stall: A, for: 1s}",
       "stall of A's thread after A.acquire.executed for 1 s"},
      {"{after: A.work.started, plus: 250ms, slow: A, by: 3s}",
       "slow-down of A 250 ms after A.work.started by 3 s"},
      {"{before: A.acquire.expire.sent, crash: A}", "crash of A before A.acquire.expire.sent"},
      {"{at: 1.5s, crash: pod, restart-after: 2min}", "crash of pod at 1.5 s, back after 120 s"},
      {"{at: 1s, restart: C}", "restart of C at 1 s"},
      {"{drop: A.acquire.reply}", "loss of A.acquire.reply"},
      {"{delay: A.write.request, for: 90s}", "delay of A.write.request by 90 s"},
      {"{duplicate: 'A.release.del#2.request'}", "copy of A.release.del#2.request 1 ms later"},
      {"{duplicate: A.acquire.request, later: 5s, why: resent}",
       "copy of A.acquire.request 5 s later (resent)"},
      {"{at: 0s, partition: A, for: 30s}", "partition of A from redis at 0 s for 30 s"},
      {"{at: 1s, clock: redis, step: 30s}", "clock of redis set 30 s forward at 1 s"},
      {"{at: 1s, clock: h1, step: -30s}", "clock of h1 set 30 s back at 1 s"},
      {"{at: 1s, clock: C, drift: -100ppm}", "clock of C drifting by -100 ppm at 1 s"},
      {"{at: 1s, operator: 'DEL lock:order:123'}", "operator's DEL lock:order:123 at 1 s"},
      {"{at: 1s, del: 'a b', db: 2}", "operator's DEL \"a b\" at 1 s"},
      {"{at: 1s, flushall: true}", "operator's FLUSHALL at 1 s"}};
  for (const Line& l : lines) EXPECT_EQ(fault(l.fault).line, l.line);
}

TEST(Fault, AClientStandsForItsProcessAndItsHost) {
  const Scenario scenario = must_read(std::string(kWorld) + R"(
  - {at: 1s, pause: B, for: 1s}
  - {at: 1s, crash: pod}
  - {at: 1s, clock: B, step: 1s}
  - {at: 1s, clock: pod, step: 1s}
  - {at: 1s, clock: C, step: 1s}
  - {at: 1s, clock: redis, step: 1s}
  - {at: 1s, partition: B, for: 1s}
)");
  const auto& faults = scenario.faults;
  ASSERT_EQ(faults.size(), 7u);
  EXPECT_EQ(scenario.processes[faults[0].target].name, "pod");
  EXPECT_EQ(faults[1].target, faults[0].target);
  EXPECT_EQ(scenario.hosts[faults[2].target].name, "h1");
  EXPECT_EQ(faults[3].target, faults[2].target);
  EXPECT_EQ(scenario.hosts[faults[4].target].name, "C");
  EXPECT_EQ(faults[5].target, scenario.hosts.size());
  EXPECT_EQ(scenario.clients[faults[6].target].name, "B");
}

TEST(Fault, IsPinnedBeforeOrAfterAStep) {
  const Fault before = fault("{before: A.release.sent, crash: A}");
  ASSERT_TRUE(before.pin);
  EXPECT_TRUE(before.before);
  EXPECT_EQ(before.pin->phase, "release");
  const Fault after = fault("{after: A.release.sent, plus: 1s, crash: A}");
  EXPECT_FALSE(after.before);
  EXPECT_EQ(after.plus, seconds(1));
  EXPECT_FALSE(after.at);
}

TEST(Fault, EveryKindIsListedWithAMeaning) {
  EXPECT_EQ(fault_kinds().size(), 13u);
  for (const FaultKindInfo& info : fault_kinds()) EXPECT_FALSE(info.meaning.empty()) << info.name;
}

TEST(CommandLine, SplitsOnBlanksOutsideQuotes) {
  using Argv = std::vector<std::string>;
  EXPECT_EQ(*parse_command_line("DEL a").argv, (Argv{"DEL", "a"}));
  EXPECT_EQ(*parse_command_line("  SET  a   \"b c\" ").argv, (Argv{"SET", "a", "b c"}));
  EXPECT_EQ(*parse_command_line(R"(SET a "x\"y\\z\n")").argv, (Argv{"SET", "a", R"(x"y\z\n)"}));
  EXPECT_EQ(*parse_command_line(R"(SET a "")").argv, (Argv{"SET", "a", ""}));
  EXPECT_EQ(*parse_command_line(R"(SET a"b c"d)").argv, (Argv{"SET", "ab cd"}));
  EXPECT_EQ(*parse_command_line("ECHO it's").argv, (Argv{"ECHO", "it's"}));
}

TEST(CommandLine, RefusesWhatIsNoCommand) {
  for (const char* text : {"", "   ", "\"", "DEL \"a", "DEL \"a\\\"", "\"\"", "\"\" a"}) {
    EXPECT_FALSE(parse_command_line(text).argv) << text;
  }
  std::string many = "DEL";
  for (int i = 0; i < 64; ++i) many += " k";
  EXPECT_EQ(parse_command_line(many).error, "more than 64 arguments; allowed: up to 64");
}

TEST(CommandLine, IsSpelledSoThatItReadsAlike) {
  for (const std::vector<std::string>& argv :
       {std::vector<std::string>{"DEL", "a"}, {"SET", "a b", ""}, {"SET", "\"", "\\", "x\ty"}}) {
    EXPECT_EQ(*parse_command_line(spell_command(argv)).argv, argv);
  }
}

}  // namespace
}  // namespace locklapse::scenario
