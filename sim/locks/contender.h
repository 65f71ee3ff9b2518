// The life of a client that contends for a lock: try, wait, hold, work, release, think, again.
//
// One critical section is: enter; read the resource; work (and call the downstream); write the resource;
// leave; release. A holder is inside from the instant its acquire told it yes until its work ends, it
// crashes, or it is told of the loss and stops. Everything that happens is written into the journal.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/core/task.h"
#include "sim/core/time.h"
#include "sim/locks/strategy.h"
#include "sim/world/client.h"

namespace locklapse {

// What a waiter does after a refusal.
struct RetryPlan {
  bool enabled = false;                // false: one try
  Duration every = milliseconds(100);
  Duration jitter{};                   // 0 .. jitter is added, by choice
  std::uint32_t limit = 0;             // tries in all; 0: no limit
  std::optional<Duration> give_up;     // after the first try
};

struct RenewalPlan {
  bool enabled = false;
  Duration every{};                    // > 0
  bool in_work_thread = false;         // starves while the client works
  bool stop_at_release = true;
  bool stop_on_error = false;          // an unanswered renewal ends the loop, and nobody hears of it
  bool holder_stops = true;            // when told of the loss
};

struct CallPlan {
  Duration takes{};
  std::uint32_t tries = 1;
  std::uint32_t fails = 0;             // the first so many tries fail
  Duration backoff{};
};

enum class ReleaseBy : std::uint8_t { kSelf, kOtherThread, kNobody, kForce };

struct ContenderPlan {
  Duration at{};
  Duration work{};
  std::optional<CallPlan> call;
  RetryPlan retry;
  RenewalPlan renewal;
  std::int64_t rounds = 1;
  Duration think{};
  TokenScope token_scope = TokenScope::kPerAttempt;
  std::string_view token;              // for kConstant
  std::string_view process_name;
  std::int64_t ttl_ms = 0;
  std::int64_t renewal_ttl_ms = 0;
  std::optional<Duration> at_least_for;
  bool clean_up = false;               // release also after a try that got no yes
  std::string_view order;              // empty: one of its own per round
  std::optional<Duration> commit_after_release;
  int nest = 1;
  std::optional<std::int64_t> nest_ttl_ms;
  bool fail_open = false;
  ReleaseBy release = ReleaseBy::kSelf;
};

class Contender {
 public:
  // REQUIRES: all of them outlive the run.
  Contender(Client& client, const Strategy& strategy, const ContenderPlan& plan);
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

 private:
  // One acquisition, from the try that got it to its release; lives as long as the run.
  struct Hold {
    Claim claim;
    std::uint32_t attempt = 0;
    std::int64_t fence = 0;
    Time granted_at{};
    bool locked = true;                // false: it went on without the lock
    bool lost = false;                 // the holder was told
    bool over = false;                 // it left its section
    bool renewal_ended = false;
    std::coroutine_handle<> stopping;  // waits to be told
    Timer stop_timer;
  };
  // What the holder has read of the resource.
  struct Seen {
    std::int64_t quantity = 0;
    std::int64_t version = 0;
  };
  enum class Section : std::uint8_t { kDone, kFailed, kStopped };
  class Stopped;   // awaits Hold::lost

  static void live(Client& client, void* contender);
  Task<> life(bool first_time);
  Task<> round();
  Task<Hold*> obtain();
  Task<Grant> try_once(Hold& hold, std::int64_t& free_in_ms);
  Task<> wait_for_turn(const Hold& hold, std::int64_t free_in_ms, Time give_up_at);
  Task<> hold_and_release(Hold& hold);
  Task<Section> section(Hold& hold);
  Task<Section> do_work(const Hold& hold);
  Task<> until_told(Hold& hold);
  Task<bool> call_downstream();
  Task<bool> read_resource(const Hold& hold);
  Task<bool> write_resource(const Hold& hold);
  Task<> release(Hold& hold);
  Task<> release_inner();
  Task<> keep_renewing(Hold& hold);
  Redis redis(Phase phase, std::uint32_t attempt) { return Redis(client_.redis, phase, attempt); }
  void note(const Hold& hold, EventKind kind, std::string_view text = {}, std::int64_t number = 0);
  void note_release(const Hold& hold, const Released& released);
  void tell(Hold& hold, std::string_view how);
  void end_renewal(Hold& hold, std::string_view how);
  Hold& new_hold();
  std::string_view make_token();
  std::string_view join(std::string_view a, char separator, std::string_view b);
  std::string_view join(std::string_view a, char separator, std::uint64_t number);
  Time now() const { return client_.now(); }

  Client& client_;
  const Strategy& strategy_;
  const ContenderPlan plan_;
  std::int64_t round_ = 0;           // from 1; 0 before the first
  std::uint32_t attempts_ = 0;
  int depth_ = 1;                    // how deep in its own lock it is trying
  std::pmr::vector<Hold*> inner_;    // entries into the lock it holds already, not released yet
  bool subscribed_ = false;
  std::string_view order_;
  Seen seen_;
};

}  // namespace locklapse
