// Whatever executes commands: a Redis node, the guarded resource.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/core/event.h"
#include "sim/world/command.h"

namespace locklapse {

class Endpoint {
 public:
  // Executes a command that has just arrived, writes kExecuted into the journal and hands the reply to
  // command.requester->reply(). `sending` tells a resent or duplicated request from the first.
  virtual void execute(Command& command, std::uint32_t sending) = 0;
  virtual PlaceId place() const = 0;
  virtual bool is_resource() const = 0;

 protected:
  ~Endpoint() = default;
};

}  // namespace locklapse
