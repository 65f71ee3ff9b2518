#include "sim/world/client.h"

#include <utility>

#include "sim/world/world.h"

namespace locklapse {

Client::Client(World& its_world, ClientId client_id, const ClientPlan& plan, Process& its_process,
               Node& node, Resource* guarded_resource)
    : world(its_world), id(client_id), info(plan.info), process(its_process),
      thread(world.kernel, world.arena, &process.gate),
      renewal_thread(world.kernel, world.arena, plan.renews_in_work_thread ? &thread : &process.gate),
      roots(world.arena),
      redis(world, id, thread, node, plan.policy),
      renewals(world, id, renewal_thread, node, plan.policy),
      mailbox(world, id, thread, node, plan.policy), guarded(guarded_resource) {
  if (guarded != nullptr) resource.emplace(world, id, thread, *guarded, plan.policy);
}

Kernel::Sleep Client::sleep_in(Gate& gate, Duration delay) {
  const Time now = world.kernel.now();
  const Clock& clock = world.host(process.host).monotonic_clock;
  return Kernel::Sleep(world.kernel, &gate, clock.when(clock.read_ns(now) + delay.ns, now));
}

Time Client::now() const { return world.kernel.now(); }

Time Client::local_now() const {
  return Time{world.host(process.host).monotonic_clock.read_ns(world.kernel.now())};
}

Event Client::event(EventKind kind, std::string_view text, std::int64_t number) const {
  return {.at = world.kernel.now(),
          .kind = kind,
          .client = id,
          .place = kNoPlace,
          .attempt = attempt,
          .text = text,
          .number = number};
}

void Client::note(EventKind kind, std::string_view text, std::int64_t number, std::string_view detail,
                  std::int64_t extra) {
  Event noted = event(kind, text, number);
  noted.detail = detail;
  noted.extra = extra;
  world.journal.add(noted);
}

Client::Mark::~Mark() { client_.world.kernel.cancel(timer_); }

bool Client::Mark::happen() {
  happened_ = true;
  event_.at = client_.world.kernel.now();
  client_.world.journal.add(event_);
  return client_.world.reach_step(client_.id, stage_, Phase::kNone, {}, point_, false);
}

bool Client::Mark::await_ready() {
  if (client_.world.reach_step(client_.id, stage_, Phase::kNone, {}, point_, true)) return false;
  return !happen();
}

void Client::Mark::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  timer_ = client_.world.kernel.post(&client_.thread, &go_on, this);
}

void Client::Mark::go_on(void* target, std::uint64_t) {
  auto& mark = *static_cast<Mark*>(target);
  if (!mark.happened_ && mark.happen()) {
    mark.timer_ = mark.client_.world.kernel.post(&mark.client_.thread, &go_on, target);
    return;
  }
  mark.waiter_.resume();
}

Client::Busy::~Busy() { client_.world.kernel.cancel(timer_); }

void Client::Busy::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  const Kernel& kernel = client_.world.kernel;
  timer_ = client_.world.kernel.at(kernel.now() + length_, &client_.thread, &due, this);
}

void Client::Busy::due(void* target, std::uint64_t) {
  auto& busy = *static_cast<Busy*>(target);
  const Duration more = std::exchange(busy.client_.slowed, Duration{});
  if (more > Duration{}) {
    Kernel& kernel = busy.client_.world.kernel;
    busy.timer_ = kernel.at(kernel.now() + more, &busy.client_.thread, &due, target);
    return;
  }
  busy.waiter_.resume();
}

}  // namespace locklapse
