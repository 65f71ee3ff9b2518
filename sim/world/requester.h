// A client library's connection to one endpoint: sends commands over a link, waits, times out, resends.
//
// One Requester belongs to one thread of one client: what comes back passes that thread's gate, so a
// paused or stalled thread sees replies and time-outs only when it runs again.
//
// What the wire does: messages of one direction arrive in the order they left (one TCP connection), with
// a latency that is a choice when the network has a range. A message that a fault delays, and a second
// copy, travel by themselves, like on another connection of a pool: later messages overtake them.
// A client that stopped waiting for a sending ignores its reply: it has closed that connection.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>

#include "sim/core/kernel.h"
#include "sim/redis/server.h"
#include "sim/world/command.h"
#include "sim/world/endpoint.h"

namespace locklapse {

class World;

// What a client library does about a reply that does not come.
struct RequestPolicy {
  std::optional<Duration> timeout = seconds(5);   // empty: waits for ever
  std::uint32_t retries = 0;         // how many times the same command is sent again
  Duration backoff{};                // before each resend
  Duration jitter{};                 // 0 .. jitter is added to it, by choice
};

class Requester final : public CommandPort {
 public:
  Requester(World& world, ClientId client, Gate& gate, Endpoint& endpoint, const RequestPolicy& policy)
      : world_(world), client_(client), gate_(gate), endpoint_(endpoint), policy_(policy) {}

  void start(Operation& operation) override;
  void abandon(Operation& operation) override;

  // The endpoint's answer to one sending; travels back to the client.
  void reply(Command& command, std::uint32_t sending, redis::Reply&& reply);
  // A pub/sub message; travels back to the client.
  void push();

  // While a link is cut nothing that is sent over it arrives, in either direction.
  void cut() { ++cuts_; }
  void heal() { --cuts_; }

  // The endpoint's end of it, opened when the first command arrives there.
  std::optional<redis::ConnectionId> connection;

  // Waits for a pub/sub message, at most until `until`: true when one came (or had come already).
  class PushWait {
   public:
    PushWait(Requester& requester, Time until) : requester_(requester), until_(until) {}
    ~PushWait();
    PushWait(const PushWait&) = delete;
    PushWait& operator=(const PushWait&) = delete;
    bool await_ready();
    void await_suspend(std::coroutine_handle<> waiter);
    bool await_resume() { return pushed_; }

   private:
    friend class Requester;
    Requester& requester_;
    Time until_;
    Timer timer_;
    std::coroutine_handle<> waiter_;
    bool pushed_ = false;
  };
  PushWait wait_for_push(Time until) { return PushWait(*this, until); }

 private:
  struct ReplyMessage {
    Command* command;
    std::uint32_t sending;
    redis::Reply reply;
    bool awaited = false;   // faults pinned before its arrival have had their turn
  };

  static void depart_later(void* command, std::uint64_t);
  static void arrive(void* command, std::uint64_t sending);
  static void execute_now(void* command, std::uint64_t sending);
  static void reply_arrives(void* message, std::uint64_t);
  static void timed_out(void* command, std::uint64_t);
  static void push_arrives(void* requester, std::uint64_t);
  void depart(Command& command);
  void complete(Command& command);
  void on_timeout(Command& command);
  Time arrival(Time& last, Duration extra);
  void journal(EventKind kind, const Command& command, std::string_view text = {},
               std::int64_t number = 0);
  // Sends one message, or its two copies, or nothing, as the faults have it.
  void transmit(const Command& command, bool is_reply, Callback deliver, void* target,
                std::uint64_t argument, Time& last);

  World& world_;
  ClientId client_;
  Gate& gate_;
  Endpoint& endpoint_;
  RequestPolicy policy_;
  int cuts_ = 0;
  Time last_request_{};
  Time last_reply_{};
  std::uint32_t pushes_ = 0;          // arrived and not waited for
  PushWait* push_wait_ = nullptr;
};

}  // namespace locklapse
