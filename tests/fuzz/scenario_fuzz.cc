// Any bytes as a scenario file: read or refused, never more.
//
// Up to the first NUL the input is the file; what follows are `--set` overlays, separated by NULs.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/read.h"

namespace locklapse::scenario {
namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

const Vocabulary& names() {
  static const Vocabulary out{
      {"setnx-expire", "set-del", "set-lua", "watchdog", "reentrant", "fenced"},
      {"none", "version", "idempotent", "fence"}};
  return out;
}

void check_errors(const Result& result) {
  require(!result.errors.empty(), "no scenario, so at least one error");
  require(result.errors.size() <= kErrorsMax, "errors are bounded");
  for (const std::string& error : result.errors) {
    for (char c : error)
      require(c != '\n' && c != '\x1b' && c != '\0', "an error is one printable line");
    require(error.size() < 10'000, "an error is short");
  }
}

void check_step(const Scenario& scenario, const Step& step) {
  require(step.client < scenario.clients.size(), "a step's client is in range");
  require(step.nth >= 1, "a step's count starts at 1");
}

void check_faults(const Scenario& scenario) {
  require(scenario.faults.size() <= kFaultsMax, "faults are bounded");
  for (const Fault& fault : scenario.faults) {
    require(!fault.line.empty(), "a fault has its line");
    require(fault.length.ns >= 0 && fault.length <= kDurationMax, "a fault's length is in range");
    switch (fault.kind) {
      case FaultKind::kPause:
      case FaultKind::kCrash:
      case FaultKind::kRestart:
        require(fault.target < scenario.processes.size(), "process");
        break;
      case FaultKind::kStall:
      case FaultKind::kSlow:
      case FaultKind::kPartition:
        require(fault.target < scenario.clients.size(), "client");
        break;
      case FaultKind::kClockStep:
      case FaultKind::kClockDrift:
        require(fault.target <= scenario.hosts.size(), "host");
        break;
      case FaultKind::kDrop:
      case FaultKind::kDelay:
      case FaultKind::kDuplicate:
        check_step(scenario, fault.message.step);
        continue;
      case FaultKind::kOperator:
        require(!fault.argv.empty(), "an operator says something");
        break;
    }
    require(fault.at.has_value() != fault.pin.has_value(), "a fault has a time or a step");
    if (fault.pin) check_step(scenario, *fault.pin);
  }
}

void check_scenario(const Scenario& scenario) {
  require(!scenario.clients.empty() && scenario.clients.size() <= kClientsMax,
          "1 .. kClientsMax clients");
  for (const Client& client : scenario.clients) {
    require(!client.name.empty() && !client.key.empty(), "names and keys are not empty");
    require(client.process < scenario.processes.size(), "a client's process is in range");
    require(client.resource < scenario.resources.size(), "a client's resource is in range");
    require(client.at.ns >= 0 && client.at <= kDurationMax, "a client's start is in range");
    require(!client.ttl || client.ttl->ns > 0, "a TTL is above zero");
  }
  for (const Process& process : scenario.processes) {
    require(process.host < scenario.hosts.size(), "a process's host is in range");
  }
  require(scenario.latency.min <= scenario.latency.max, "latencies are in order");
  check_faults(scenario);
}

}  // namespace
}  // namespace locklapse::scenario

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace locklapse::scenario;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> parts;
  while (parts.size() < 8) {
    const std::size_t end = rest.find('\0');
    parts.emplace_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  const std::string text = parts.front();
  parts.erase(parts.begin());
  const Result result = read_scenario_text(text, "fuzz.yaml", names(), parts);
  if (result.ok()) {
    require(result.errors.empty(), "a scenario, so no errors");
    check_scenario(*result.scenario);
  } else {
    check_errors(result);
  }
  return 0;
}
