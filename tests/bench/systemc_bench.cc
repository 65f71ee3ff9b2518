// The same clients as SystemC threads, written as one would write them there: a module per client with
// an SC_THREAD for the client and an SC_METHOD, the cheapest process there is, for the server's side.
// Messages are timed notifications of events; times are made from integers, not from doubles.
#include <malloc.h>

#include <deque>
#include <string>

#include <systemc>

#include "tests/bench/count_allocations.h"
#include "tests/bench/ping_pong.h"

namespace {

class Client : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Client);
  Client(const sc_core::sc_module_name& name, std::uint32_t index, ping_pong::Replies& replies)
      : sc_module(name), latency_(index), index_(index), replies_(replies) {
    SC_THREAD(live);
    set_stack_size(16 * 1024);
    SC_METHOD(serve);
    sensitive << request_;
    dont_initialize();
  }

 private:
  void live() {
    for (;;) {
      request_.notify(travel());
      wait(reply_);
      replies_.add(static_cast<std::int64_t>(sc_core::sc_time_stamp().value()), index_);
    }
  }
  void serve() { reply_.notify(travel()); }
  // The resolution is one nanosecond.
  sc_core::sc_time travel() {
    return sc_core::sc_time::from_value(static_cast<std::uint64_t>(latency_.next_ns()));
  }

  sc_core::sc_event request_;
  sc_core::sc_event reply_;
  ping_pong::Latency latency_;
  std::uint32_t index_;
  ping_pong::Replies& replies_;
};

// SystemC guards every stack by a page without access, which splits a mapping in three, and Linux allows
// 65,530 mappings: beyond some 30,000 threads the guards fail (SystemC goes on without), and so would
// the next growth of the heap. So the heap grows first, once, to hold all stacks.
void grow_heap_for(std::uint32_t clients) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  auto* volatile block = static_cast<char*>(std::malloc(std::size_t{clients} * 32 * 1024));
  std::free(block);
}

}  // namespace

int sc_main(int argc, char** argv) {
  const ping_pong::Plan plan = ping_pong::read_plan(argc, argv);
  grow_heap_for(plan.clients);
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
  ping_pong::Replies replies;
  std::deque<Client> clients;
  for (std::uint32_t i = 0; i < plan.clients; ++i) {
    clients.emplace_back(("client_" + std::to_string(i)).c_str(), i, replies);
  }
  const auto run_for = [](std::int64_t ns) {
    sc_core::sc_start(sc_core::sc_time::from_value(static_cast<std::uint64_t>(ns)));
  };
  run_for(plan.warm_until_ns);

  const ping_pong::Replies warm = replies;
  const std::uint64_t allocations_before = ping_pong::allocations;
  const double start = ping_pong::seconds_now();
  run_for(plan.until_ns - plan.warm_until_ns);
  const double seconds = ping_pong::seconds_now() - start;
  ping_pong::print("systemc", plan, warm, replies, seconds,
                   ping_pong::allocations - allocations_before);
  std::fflush(stdout);
  std::_Exit(0);  // not the teardown of a hundred thousand threads
}
