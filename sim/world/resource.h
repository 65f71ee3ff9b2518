// The guarded resource: a stock row that clients read, work on and write, defended by a guard.
//
// It speaks commands and replies like a Redis node, over the same links and client libraries, so its
// messages can be late, lost and resent as well:
//   READ fence                            -> [quantity, version]                 or an error: refused
//   WRITE quantity version order fence    -> OK                                  or an error: refused
// where `quantity` and `version` are what the client has read and `fence` is its number, 0 for none: a
// request without a number is not checked by the fence guards.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "sim/world/endpoint.h"
#include "sim/world/guard.h"

namespace locklapse {

class World;

struct ResourcePlan {
  std::int64_t stock = 1;
  std::int64_t take = 1;      // units that one write takes
  Guard guard;
};

class Resource final : public Endpoint {
 public:
  Resource(World& world, PlaceId place, const ResourcePlan& plan);

  void execute(Command& command, std::uint32_t sending) override;
  PlaceId place() const override { return place_; }
  bool is_resource() const override { return true; }
  std::int64_t take() const { return plan_.take; }

 private:
  struct Write {
    std::int64_t quantity_read;
    std::int64_t version_read;
    std::string_view order;
    std::int64_t fence;
  };
  redis::Reply read(const Command& command, std::int64_t fence);
  redis::Reply write(const Command& command, const Write& request);
  // Why the guard refuses this write; empty when it does not.
  std::string_view refusal(const Write& request) const;

  World& world_;
  PlaceId place_;
  ResourcePlan plan_;
  std::int64_t quantity_;
  std::int64_t version_ = 0;
  std::int64_t highest_fence_ = 0;
  std::pmr::vector<std::string_view> applied_orders_;
};

}  // namespace locklapse
