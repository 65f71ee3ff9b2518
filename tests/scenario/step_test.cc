#include "sim/scenario/step.h"

#include <gtest/gtest.h>

#include <array>

namespace locklapse::scenario {
namespace {

const std::array<std::string_view, 2> kClients{"A", "pod-1_b"};

Scenario two_clients() {
  Scenario scenario;
  for (std::string_view name : kClients) scenario.clients.emplace_back().name = name;
  return scenario;
}

TEST(Step, HasAClientAPhaseAndAPoint) {
  const ParsedStep parsed = parse_step("pod-1_b.release.replied", kClients);
  ASSERT_TRUE(parsed.value) << parsed.error;
  EXPECT_EQ(parsed.value->client, 1u);
  EXPECT_EQ(parsed.value->phase, "release");
  EXPECT_EQ(parsed.value->command, "");
  EXPECT_EQ(parsed.value->nth, 1u);
  EXPECT_EQ(parsed.value->point, "replied");
}

TEST(Step, MayNameACommandAndACount) {
  const ParsedStep parsed = parse_step("A.acquire.EXPIRE#3.sent", kClients);
  ASSERT_TRUE(parsed.value) << parsed.error;
  EXPECT_EQ(parsed.value->command, "expire");
  EXPECT_EQ(parsed.value->nth, 3u);
  EXPECT_EQ(parse_step("A.renew#1000000.executed", kClients).value->nth, 1'000'000u);
}

TEST(Step, WorkCallAndSectionStartAndEnd) {
  for (const char* text :
       {"A.work.started", "A.call#2.ended", "A.section.started", "A.section#2.ended"}) {
    EXPECT_TRUE(parse_step(text, kClients).value) << text;
  }
  EXPECT_FALSE(parse_step("A.work.executed", kClients).value);
  EXPECT_FALSE(parse_step("A.acquire.started", kClients).value);
}

TEST(Step, IsSpelledAsItIsRead) {
  const Scenario scenario = two_clients();
  for (const char* text : {"A.acquire.executed", "A.acquire.set.sent", "A.renew#3.replied",
                           "pod-1_b.release.del#2.executed", "A.section.started", "A.wait.sent"}) {
    const ParsedStep parsed = parse_step(text, kClients);
    ASSERT_TRUE(parsed.value) << text << ": " << parsed.error;
    EXPECT_EQ(spell_step(*parsed.value, scenario), text);
  }
}

TEST(Step, AnythingElseIsRefused) {
  for (const char* text : {"",
                           ".",
                           "...",
                           "A",
                           "A.acquire",
                           "A.acquire.",
                           ".acquire.sent",
                           "A..sent",
                           "A.acquire.set.sent.x",
                           "A.acquire.set.sent.x.y.z",
                           "A.acquire#.sent",
                           "A.acquire#0.sent",
                           "A.acquire#-1.sent",
                           "A.acquire#1000001.sent",
                           "A.acquire#99999999999999999999.sent",
                           "A.acquire#2#3.sent",
                           "A#2.acquire.sent",
                           "A.acquire..sent",
                           "A.acquire.#2.sent",
                           "A.acquire.set1.sent",
                           "a.acquire.sent",
                           "A.acquire.sent ",
                           "A.acquire#2.set.sent",
                           "A.operator.sent"}) {
    const ParsedStep parsed = parse_step(text, kClients);
    EXPECT_FALSE(parsed.value) << text;
    EXPECT_FALSE(parsed.error.empty()) << text;
  }
}

TEST(Message, IsARequestOrAReply) {
  const Scenario scenario = two_clients();
  const ParsedMessage reply = parse_message("A.acquire.reply", kClients);
  ASSERT_TRUE(reply.value) << reply.error;
  EXPECT_TRUE(reply.value->reply);
  EXPECT_TRUE(reply.value->step.point.empty());
  const ParsedMessage request = parse_message("pod-1_b.write.SET#2.request", kClients);
  ASSERT_TRUE(request.value) << request.error;
  EXPECT_FALSE(request.value->reply);
  EXPECT_EQ(spell_message(*request.value, scenario), "pod-1_b.write.set#2.request");
}

TEST(Message, WhatSendsNothingHasNone) {
  for (const char* text :
       {"", "A.work.request", "A.section.reply", "A.acquire.sent", "A.acquire"}) {
    EXPECT_FALSE(parse_message(text, kClients).value) << text;
  }
}

}  // namespace
}  // namespace locklapse::scenario
