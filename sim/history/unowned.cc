#include <algorithm>

#include "sim/history/oracles.h"

namespace locklapse {

std::vector<UnownedMutation> find_unowned(const Reading& reading) {
  std::vector<UnownedMutation> result;
  for (const Tenure& tenure : reading.tenures) {
    for (const Touch& touch : tenure.touches) {
      const Event& event = reading.event(touch.event);
      // What an operator does is a fault of the scenario, not a mistake of a client.
      if (!touch.unowned || event.client == kNoClient) continue;
      UnownedMutation& mutation = result.emplace_back();
      mutation.client = event.client;
      mutation.command = reading.command_line(event);
      mutation.key = std::string(tenure.key);
      mutation.owner = tenure.client;
      mutation.owner_token = std::string(tenure.token);
      mutation.at = event.at;
      mutation.cause = event.kind == EventKind::kKeyRemoved    ? Cause::kUnownedDelete
                       : event.kind == EventKind::kKeyDeadline ? Cause::kUnownedExtend
                       : reading.history.cast.free_while_key_exists ? Cause::kUnownedDelete
                                                                    : Cause::kUnownedWrite;
    }
  }
  std::stable_sort(result.begin(), result.end(), [](const UnownedMutation& a, const UnownedMutation& b) {
    return a.at < b.at;
  });
  return result;
}

}  // namespace locklapse
