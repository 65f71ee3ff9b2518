// Which keys each map of a scenario file may hold: the one table that the reader obeys and that a
// test holds scenarios/schema.json against.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace locklapse::scenario {

enum class Section : std::uint8_t {
  kScenario,
  kLock,
  kToken,
  kRenew,
  kRetry,
  kLibrary,
  kRedis,
  kClient,
  kCall,
  kResource,
  kNetwork,
  kLatency,
  kProcess,
  kHost,
  kFault,
  kExpectation,
  kGuardExpectation,
  kDurationRange,
  kCountRange,
};
inline constexpr int kSections = static_cast<int>(Section::kCountRange) + 1;

// In the order in which people would write them.
std::span<const std::string_view> keys_of(Section section);

// What errors call the map, and its name under "definitions" in the schema: "lock",
// "duration-range".
std::string_view section_name(Section section);

}  // namespace locklapse::scenario
