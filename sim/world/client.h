// A client as the world knows it: a thread of a process, with connections to Redis and to the resource.
//
// What it does with them, its life, is written in sim/locks (contender.h); the world starts that life,
// destroys it at a crash and starts it anew at a restart.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/core/event.h"
#include "sim/world/fault.h"
#include "sim/world/node.h"
#include "sim/world/process.h"
#include "sim/world/requester.h"
#include "sim/world/resource.h"

namespace locklapse {

class World;

struct ClientPlan {
  ClientInfo info;
  RequestPolicy policy;
  bool renews_in_work_thread = false;   // its renewals wait while its thread is stalled or at work
};

class Client {
 public:
  Client(World& world, ClientId client_id, const ClientPlan& plan, Process& its_process, Node& node,
         Resource* guarded);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Marks a point in the client's life: lets pinned faults act before it, writes the event, lets pinned
  // faults act after it. Suspends only when a fault acts.
  class Mark {
   public:
    Mark(Client& client, Stage stage, Point point, const Event& event)
        : client_(client), stage_(stage), point_(point), event_(event) {}
    ~Mark();
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;
    bool await_ready();
    void await_suspend(std::coroutine_handle<> waiter);
    void await_resume() noexcept { timer_ = Timer{}; }

   private:
    static void go_on(void* mark, std::uint64_t);
    bool happen();   // writes the event; whether a fault acts after it
    Client& client_;
    Stage stage_;
    Point point_;
    Event event_;
    bool happened_ = false;
    Timer timer_;
    std::coroutine_handle<> waiter_;
  };
  Mark mark(Stage stage, Point point, const Event& event) { return Mark(*this, stage, point, event); }

  // Some time of work or of waiting for a downstream; a `slow` fault makes it longer.
  class Busy {
   public:
    Busy(Client& client, Duration length) : client_(client), length_(length) {}
    ~Busy();
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiter);
    void await_resume() noexcept { timer_ = Timer{}; }

   private:
    static void due(void* busy, std::uint64_t);
    Client& client_;
    Duration length_;
    Timer timer_;
    std::coroutine_handle<> waiter_;
  };
  Busy busy(Duration length) { return Busy(*this, length); }

  // Sleeps by the monotonic clock of its host. A drift that sets in later does not change a sleep that
  // is under way.
  Kernel::Sleep sleep(Duration delay) { return sleep_in(thread, delay); }
  Kernel::Sleep sleep_in_renewal_thread(Duration delay) { return sleep_in(renewal_thread, delay); }
  Time now() const;
  // What its host's monotonic clock reads.
  Time local_now() const;
  // Writes an event of this client at this instant.
  void note(EventKind kind, std::string_view text = {}, std::int64_t number = 0,
            std::string_view detail = {}, std::int64_t extra = 0);
  Event event(EventKind kind, std::string_view text = {}, std::int64_t number = 0) const;

  World& world;
  ClientId id;
  ClientInfo info;
  Process& process;
  Gate thread;            // the thread it works in
  Gate renewal_thread;    // a second thread of the same process
  Roots roots;
  Requester redis;        // of the working thread
  Requester renewals;     // of the renewal thread
  Requester mailbox;      // subscribed connection
  std::optional<Requester> resource;
  Resource* guarded;
  Duration slowed{};      // by a fault, not yet spent
  bool inside = false;    // its critical section
  std::uint32_t attempt = 0;

  // Starts its life; set by whoever writes it.
  void (*live)(Client& client, void* life) = nullptr;
  void* life = nullptr;

 private:
  Kernel::Sleep sleep_in(Gate& gate, Duration delay);
};

}  // namespace locklapse
