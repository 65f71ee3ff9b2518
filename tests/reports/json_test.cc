#include "reports/json.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/event_fields.h"
#include "tests/golden/golden.h"
#include "tests/reports/story.h"

namespace locklapse::reports {
namespace {

using Json = nlohmann::ordered_json;

const std::string kSchema = std::string(LOCKLAPSE_SOURCE_DIR) + "/reports/run.schema.json";

Json schema() { return Json::parse(*read_file(kSchema), nullptr, false); }

Json parse(Story& story, bool events) {
  return Json::parse(json_report({&story.report(), 1}, {events}), nullptr, false);
}

// Exit status of validate_json.py on `text`; 77 when there is no validator.
int validate(const std::string& text, const std::string& name) {
  const auto path = std::filesystem::temp_directory_path() / ("locklapse-" + name + ".json");
  std::ofstream(path, std::ios::binary) << text;
  const std::string command = "python3 '" + std::string(LOCKLAPSE_SOURCE_DIR) +
                              "/tests/reports/validate_json.py' '" + kSchema + "' '" +
                              path.string() + "'";
  const int status = std::system(command.c_str());
  std::filesystem::remove(path);
  return status < 0 ? status : status >> 8;
}

void expect_valid(std::unique_ptr<Story> story, const std::string& name) {
  for (Event& event : story->events) {
    const bool message = event.kind == EventKind::kDropped || event.kind == EventKind::kDelayed ||
                         event.kind == EventKind::kDuplicated;
    if (message) event.text = "reply";
  }
  for (const bool events : {false, true}) {
    const int status = validate(json_report({&story->report(), 1}, {events}), name);
    if (status == 77) GTEST_SKIP() << "python3-jsonschema is not installed";
    EXPECT_EQ(status, 0) << name << (events ? " with events" : "");
  }
}

TEST(JsonReport, TheLateDeleteIsValid) { expect_valid(late_delete_story(), "late-delete"); }
TEST(JsonReport, ACrowdIsValid) { expect_valid(crowd_story(), "crowd"); }
TEST(JsonReport, HostileNamesAreValid) { expect_valid(hostile_story(), "hostile"); }
TEST(JsonReport, EveryKindOfEventIsValid) { expect_valid(every_kind_story(), "every-kind"); }

TEST(JsonReport, TheSchemaRefusesWhatItDoesNotName) {
  auto story = quiet_story();
  Json json = parse(*story, true);
  json["runs"][0]["events"][0]["surprise"] = 1;
  const int status = validate(json.dump(), "surprise");
  if (status == 77) GTEST_SKIP() << "python3-jsonschema is not installed";
  EXPECT_EQ(status, 1);
}

TEST(JsonReport, TheLateDeleteHasTheseBytes) {
  auto story = late_delete_story();
  expect_golden("late-delete.json", json_report({&story->report(), 1}, {}));
}

TEST(JsonReport, TheFindingsAreWhereTheContractSays) {
  auto story = late_delete_story();
  const Json json = parse(*story, false);
  ASSERT_FALSE(json.is_discarded());
  const Json& run = json["runs"][0];
  EXPECT_EQ(run["overlaps"][0]["holders"], Json::array({"A", "B"}));
  EXPECT_EQ(run["overlaps"][0]["from_us"], 31'002'000);
  EXPECT_EQ(run["overlaps"][1]["cause"], "unowned-delete");
  EXPECT_EQ(run["overlaps"][1]["contributing"], Json::array({"ttl-overrun"}));
  EXPECT_EQ(run["unowned"][0]["owner"], "B");
  EXPECT_EQ(run["told"][0]["told_at_us"], nullptr);
  EXPECT_EQ(run["clients"][2]["attempts"], 6);
  EXPECT_EQ(run["clients"][2]["ttl_us"], 30'000'000);
  EXPECT_EQ(run["as_expected"], true);
  EXPECT_FALSE(run.contains("events"));
}

TEST(JsonReport, AnEventHasOnlyTheFieldsOfItsKind) {
  auto story = quiet_story();
  const Json json = parse(*story, true);
  const Json expected = {{"at_us", 2'000},       {"kind", "entered"}, {"client", "A"},
                         {"attempt", 1},         {"token", "A-1"},    {"fence", 0},
                         {"without_lock", false}};
  EXPECT_EQ(json["runs"][0]["events"][5], expected);
}

std::set<std::string> enum_in_schema(const char* definition) {
  std::set<std::string> names;
  const Json json = schema();
  for (const Json& name : json["definitions"][definition]["enum"]) names.insert(name);
  return names;
}

template <typename Enum, typename Name>
std::set<std::string> names_in_code(int count, Name name) {
  std::set<std::string> names;
  for (int i = 0; i < count; ++i) names.emplace(name(static_cast<Enum>(i)));
  return names;
}

TEST(JsonSchema, ItsEnumsAreTheNamesInTheCode) {
  EXPECT_EQ(enum_in_schema("cause"), names_in_code<Cause>(kCauses, cause_name));
  EXPECT_EQ(enum_in_schema("event_kind"), names_in_code<EventKind>(kEventKinds, event_name));
  EXPECT_EQ(enum_in_schema("outcome"), names_in_code<Outcome>(4, outcome_name));
  EXPECT_EQ(enum_in_schema("damage_kind"), names_in_code<DamageKind>(4, damage_name));
  EXPECT_EQ(enum_in_schema("phase"), names_in_code<Phase>(8, phase_name));
}

TEST(JsonSchema, ItNamesTheFieldsOfEveryKindOfEvent) {
  const Json definitions = schema()["definitions"];
  for (int i = 0; i < kEventKinds; ++i) {
    const auto kind = static_cast<EventKind>(i);
    std::string name = "event_" + std::string(event_name(kind));
    for (char& c : name) c = c == '-' ? '_' : c;
    ASSERT_TRUE(definitions.contains(name)) << name;
    const Json& properties = definitions[name]["properties"];
    const EventFields& fields = fields_of(kind);
    for (const char* field : {fields.text, fields.detail, fields.number, fields.extra}) {
      EXPECT_TRUE(field == nullptr || properties.contains(field))
          << name << "." << (field ? field : "");
    }
  }
}

// additionalProperties: false wherever an object lists its properties.
void expect_closed(const Json& json, const std::string& where) {
  if (json.is_object() && json.contains("properties")) {
    EXPECT_EQ(json.value("additionalProperties", true), false) << where;
  }
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) expect_closed(value, where + "/" + key);
}

TEST(JsonSchema, EveryObjectIsClosed) {
  ASSERT_FALSE(schema().is_discarded());
  expect_closed(schema(), "");
}

}  // namespace
}  // namespace locklapse::reports
