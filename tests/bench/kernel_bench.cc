// Clients as coroutines on our kernel. Every client stands behind a gate of its own, as the clients of
// a world do, though nothing here closes it.
#include <coroutine>
#include <deque>
#include <vector>

#include "sim/core/arena.h"
#include "sim/core/kernel.h"
#include "sim/core/task.h"
#include "tests/bench/count_allocations.h"
#include "tests/bench/ping_pong.h"

namespace {

using locklapse::Arena;
using locklapse::Gate;
using locklapse::Kernel;
using locklapse::Task;
using locklapse::Time;

class Ignored final : public locklapse::Completion {
 public:
  std::coroutine_handle<> on_completed() noexcept override { return std::noop_coroutine(); }
};

struct Client {
  Client(Kernel& k, Arena& arena, std::uint32_t i) : kernel(k), gate(k, arena), latency(i), index(i) {}
  Kernel& kernel;
  Gate gate;
  ping_pong::Latency latency;
  std::uint32_t index;
};

// One request and its reply: co_await it.
class RoundTrip {
 public:
  explicit RoundTrip(Client& client) : client_(client) {}
  ~RoundTrip() { client_.kernel.cancel(timer_); }
  RoundTrip(const RoundTrip&) = delete;
  RoundTrip& operator=(const RoundTrip&) = delete;

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> client) {
    waiting_ = client;
    timer_ = client_.kernel.at(arrival(), nullptr, &serve, this);
  }
  void await_resume() noexcept { timer_ = {}; }

 private:
  Time arrival() { return client_.kernel.now() + locklapse::nanoseconds(client_.latency.next_ns()); }
  // The server's side: the request has arrived and is answered.
  static void serve(void* self, std::uint64_t) {
    auto* trip = static_cast<RoundTrip*>(self);
    Client& client = trip->client_;
    trip->timer_ = client.kernel.resume_at(trip->arrival(), &client.gate, trip->waiting_);
  }

  Client& client_;
  std::coroutine_handle<> waiting_;
  locklapse::Timer timer_;
};

Task<> live(Client& client, ping_pong::Replies& replies) {
  for (;;) {
    co_await RoundTrip(client);
    replies.add(client.kernel.now().ns, client.index);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const ping_pong::Plan plan = ping_pong::read_plan(argc, argv);
  Arena arena;
  const Arena::Use use(arena);
  Kernel kernel(arena);
  Ignored ignored;
  ping_pong::Replies replies;
  std::deque<Client> clients;
  std::vector<Task<>> lives;
  lives.reserve(plan.clients);
  for (std::uint32_t i = 0; i < plan.clients; ++i) {
    lives.push_back(live(clients.emplace_back(kernel, arena, i), replies));
    lives.back().start(ignored);
  }
  kernel.run(Time{plan.warm_until_ns});

  const ping_pong::Replies warm = replies;
  const std::uint64_t allocations_before = ping_pong::allocations;
  const double start = ping_pong::seconds_now();
  kernel.run(Time{plan.until_ns});
  const double seconds = ping_pong::seconds_now() - start;
  ping_pong::print("locklapse", plan, warm, replies, seconds,
                   ping_pong::allocations - allocations_before);
}
