#include "sim/scenario/fault_line.h"

#include <fmt/format.h>

#include "sim/scenario/command_line.h"
#include "sim/scenario/duration.h"
#include "sim/scenario/step.h"

namespace locklapse::scenario {
namespace {

std::string when(const Fault& fault, const Scenario& scenario) {
  if (fault.at) return " at " + spell_duration(*fault.at);
  if (!fault.pin) return "";
  const std::string delay = fault.plus.ns > 0 ? " " + spell_duration(fault.plus) : "";
  return fmt::format("{} {} {}", delay, fault.before ? "before" : "after",
                     spell_step(*fault.pin, scenario));
}

std::string body(const Fault& fault, std::string_view target, const Scenario& scenario) {
  const std::string at = when(fault, scenario);
  const std::string length = spell_duration(fault.length);
  switch (fault.kind) {
    case FaultKind::kPause:
      return fmt::format("pause of {}{} for {}", target, at, length);
    case FaultKind::kStall:
      return fmt::format("stall of {}'s thread{} for {}", target, at, length);
    case FaultKind::kSlow:
      return fmt::format("slow-down of {}{} by {}", target, at, length);
    case FaultKind::kCrash: {
      const std::string back =
          fault.restart_after ? ", back after " + spell_duration(*fault.restart_after) : "";
      return fmt::format("crash of {}{}{}", target, at, back);
    }
    case FaultKind::kRestart:
      return fmt::format("restart of {}{}", target, at);
    case FaultKind::kDrop:
      return "loss of " + spell_message(fault.message, scenario);
    case FaultKind::kDelay:
      return fmt::format("delay of {} by {}", spell_message(fault.message, scenario), length);
    case FaultKind::kDuplicate:
      return fmt::format("copy of {} {} later", spell_message(fault.message, scenario), length);
    case FaultKind::kPartition:
      return fmt::format("partition of {} from redis{} for {}", target, at, length);
    case FaultKind::kClockStep:
      return fmt::format("clock of {} set {} {}{}", target,
                         spell_duration(fault.step.ns < 0 ? -fault.step : fault.step),
                         fault.step.ns < 0 ? "back" : "forward", at);
    case FaultKind::kClockDrift:
      return fmt::format("clock of {} drifting by {} ppm{}", target, fault.ppm, at);
    case FaultKind::kOperator:
      return fmt::format("operator's {}{}", spell_command(fault.argv), at);
  }
  return {};
}

}  // namespace

std::string fault_line(const Fault& fault, std::string_view target, const Scenario& scenario) {
  std::string line = body(fault, target, scenario);
  if (!fault.why.empty()) line += " (" + fault.why + ")";
  return line;
}

}  // namespace locklapse::scenario
