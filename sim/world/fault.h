// Faults as a world understands them: what goes wrong, where, and at what time or step.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/core/event.h"
#include "sim/core/time.h"

namespace locklapse {

enum class Point : std::uint8_t { kSent, kExecuted, kReplied, kStarted, kEnded };

// What steps there are beside the phases of commands.
enum class Stage : std::uint8_t { kCommand, kWork, kCall, kSection };

// A place in a client's life: the nth time that it sends a command of this phase, starts to work ...
struct StepPattern {
  ClientId client = kNoClient;
  Stage stage = Stage::kCommand;
  Phase phase = Phase::kNone;
  std::string_view command;      // lower case; empty: any
  Point point = Point::kSent;
  bool before = false;
  std::uint32_t nth = 1;
};

struct Action {
  enum class Kind : std::uint8_t {
    kPause, kStall, kSlow, kCrash, kRestart, kPartition, kClockStep, kClockDrift, kOperator,
  };
  Kind kind = Kind::kPause;
  std::uint16_t target = 0;      // process, client or host, by kind
  Duration length{};             // kPause, kStall, kSlow, kPartition; by how much for kClockStep
  std::int64_t ppm = 0;
  std::optional<Duration> restart_after;
  std::span<const std::string_view> argv;    // kOperator
  int db = 0;
  std::string_view why;
  std::uint32_t index = 0;       // of the fault in its scenario
};

// What befalls one message.
struct MessageFault {
  enum class Kind : std::uint8_t { kDrop, kDelay, kDuplicate };
  Kind kind = Kind::kDrop;
  ClientId client = kNoClient;
  Phase phase = Phase::kNone;
  std::string_view command;
  std::uint32_t nth = 1;
  bool reply = false;
  Duration length{};
  std::uint32_t index = 0;
};

}  // namespace locklapse
