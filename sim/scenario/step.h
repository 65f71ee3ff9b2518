// Steps and messages: the places in a client's life that a fault can be pinned to.
//
//   A.acquire.executed         the first command of A's acquire was executed
//   A.acquire.expire.sent      the first EXPIRE among them was sent
//   A.renew#3.replied          the reply to A's third renewal command arrived
//   A.section.started          A entered its critical section
//   A.release.del#2.request    (a message) the request of the second DEL of A's releases
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace locklapse::scenario {

inline constexpr std::uint32_t kNthMax = 1'000'000;

struct ParsedStep {
  std::optional<Step> value;
  std::string error;  // what was found and what is allowed; empty if `value` is set
};
struct ParsedMessage {
  std::optional<Message> value;
  std::string error;
};

// `clients` are the names in the order of Scenario::clients.
ParsedStep parse_step(std::string_view text, std::span<const std::string_view> clients);
ParsedMessage parse_message(std::string_view text, std::span<const std::string_view> clients);

// Back to text. REQUIRES: the step's client is within `scenario`.
std::string spell_step(const Step& step, const Scenario& scenario);
std::string spell_message(const Message& message, const Scenario& scenario);

}  // namespace locklapse::scenario
