#include "sim/world/resource.h"

#include <algorithm>
#include <charconv>

#include "sim/world/requester.h"
#include "sim/world/world.h"

namespace locklapse {

namespace {

std::int64_t number_of(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

Resource::Resource(World& world, PlaceId place, const ResourcePlan& plan)
    : world_(world), place_(place), plan_(plan), quantity_(plan.stock), applied_orders_(&world.arena) {}

void Resource::execute(Command& command, std::uint32_t sending) {
  const auto argv = command.argv;
  redis::Reply reply =
      command.phase == Phase::kRead
          ? read(command, number_of(argv[1]))
          : write(command, Write{number_of(argv[1]), number_of(argv[2]), argv[3], number_of(argv[4])});
  world_.journal.add({.at = world_.kernel.now(),
                      .kind = EventKind::kExecuted,
                      .phase = command.phase,
                      .client = command.client,
                      .place = place_,
                      .attempt = command.attempt,
                      .command = command.id,
                      .text = world_.words(reply),
                      .number = sending});
  command.requester->reply(command, sending, std::move(reply));
}

redis::Reply Resource::read(const Command& command, std::int64_t fence) {
  if (plan_.guard.fence && fence != 0) {
    if (fence < highest_fence_) {
      return redis::Reply::error("REFUSED an older fence number", &world_.arena);
    }
    highest_fence_ = fence;
  }
  world_.journal.add({.at = world_.kernel.now(),
                      .kind = EventKind::kRead,
                      .phase = Phase::kRead,
                      .client = command.client,
                      .place = place_,
                      .attempt = command.attempt,
                      .command = command.id,
                      .number = quantity_,
                      .extra = version_});
  redis::Reply reply = redis::Reply::array(&world_.arena);
  reply.append(redis::Reply::integer(quantity_, &world_.arena));
  reply.append(redis::Reply::integer(version_, &world_.arena));
  return reply;
}

std::string_view Resource::refusal(const Write& request) const {
  const Guard& guard = plan_.guard;
  if ((guard.fence || guard.fence_on_write) && request.fence != 0 && request.fence < highest_fence_) {
    return "an older fence number";
  }
  if (guard.idempotent && std::find(applied_orders_.begin(), applied_orders_.end(), request.order) !=
                              applied_orders_.end()) {
    return "this order was applied before";
  }
  if (guard.version && request.version_read != version_) return "the version read is not current";
  if (guard.atomic_update && quantity_ < plan_.take) return "not enough left";
  return {};
}

redis::Reply Resource::write(const Command& command, const Write& request) {
  Event event{.at = world_.kernel.now(),
              .kind = EventKind::kWritten,
              .phase = Phase::kWrite,
              .client = command.client,
              .place = place_,
              .attempt = command.attempt,
              .command = command.id,
              .text = request.order};
  event.detail = refusal(request);
  if (!event.detail.empty()) {
    event.kind = EventKind::kWriteRefused;
    world_.journal.add(event);
    return redis::Reply::error("REFUSED by the guard", &world_.arena);
  }
  const Guard& guard = plan_.guard;
  if ((guard.fence || guard.fence_on_write) && request.fence != 0) highest_fence_ = request.fence;
  if (guard.idempotent) applied_orders_.push_back(request.order);
  quantity_ = (guard.atomic_update ? quantity_ : request.quantity_read) - plan_.take;
  ++version_;
  event.number = quantity_;
  event.extra = guard.atomic_update ? -1 : request.version_read;
  world_.journal.add(event);
  return redis::Reply::simple("OK", &world_.arena);
}

}  // namespace locklapse
