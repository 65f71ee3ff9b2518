#include "sim/locks/contender.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory_resource>
#include <new>
#include <utility>
#include <vector>

#include "sim/core/join.h"
#include "sim/world/world.h"

namespace locklapse {

namespace {

constexpr Time kNever{std::numeric_limits<std::int64_t>::max()};

// In the order of Section.
constexpr std::string_view kSectionEnds[] = {"done", "failed", "stopped"};

}  // namespace

Contender::Contender(Client& client, const Strategy& strategy, const ContenderPlan& plan)
    : client_(client), strategy_(strategy), plan_(plan), inner_(&client.world.arena) {
  client.life = this;
  client.live = &Contender::live;
}

void Contender::live(Client& client, void* contender) {
  auto& self = *static_cast<Contender*>(contender);
  const bool first_time = self.round_ == 0;
  // Whatever a crash interrupted is forgotten.
  self.subscribed_ = false;
  self.depth_ = 1;
  self.inner_.clear();
  client.roots.start(self.life(first_time));
}

Task<> Contender::life(bool first_time) {
  if (first_time) {
    if (plan_.at > Duration{}) co_await client_.sleep(plan_.at);
    round_ = 1;
  }
  // A restarted process begins the round that its crash cut short once more.
  for (; round_ <= plan_.rounds; ++round_) {
    co_await round();
    if (round_ < plan_.rounds && plan_.think > Duration{}) co_await client_.sleep(plan_.think);
  }
  client_.note(EventKind::kFinished);
}

Task<> Contender::round() {
  order_ = !plan_.order.empty() ? plan_.order
                                : join(client_.info.name, '/', static_cast<std::uint64_t>(round_));
  Hold* hold = co_await obtain();
  if (hold == nullptr) {
    if (!plan_.fail_open) co_return;
    hold = &new_hold();
    hold->locked = false;
  }
  co_await hold_and_release(*hold);
}

Task<Contender::Hold*> Contender::obtain() {
  const Time give_up_at = plan_.retry.give_up ? now() + *plan_.retry.give_up : kNever;
  for (std::uint32_t tries = 1;; ++tries) {
    Hold& hold = new_hold();
    std::int64_t free_in_ms = -1;
    const Grant grant = co_await try_once(hold, free_in_ms);
    if (grant == Grant::kGranted) co_return &hold;
    if (plan_.clean_up) co_await strategy_.release(redis(Phase::kRelease, hold.attempt), hold.claim);
    const bool last = !plan_.retry.enabled || tries == plan_.retry.limit;
    if (!last && now() < give_up_at) co_await wait_for_turn(hold, free_in_ms, give_up_at);
    if (last || now() >= give_up_at) {
      client_.note(EventKind::kGaveUp, {}, tries);
      co_return nullptr;
    }
  }
}

Task<Grant> Contender::try_once(Hold& hold, std::int64_t& free_in_ms) {
  client_.attempt = hold.attempt;
  client_.note(EventKind::kAttempt, hold.claim.token, depth_, hold.claim.key);
  const Acquired acquired = co_await strategy_.acquire(redis(Phase::kAcquire, hold.attempt), hold.claim);
  if (acquired.grant == Grant::kRefused) client_.note(EventKind::kRefused);
  if (acquired.grant == Grant::kUnknown) client_.note(EventKind::kUnknown);
  hold.fence = acquired.fence;
  hold.granted_at = now();
  free_in_ms = acquired.free_in_ms;
  co_return acquired.grant;
}

Task<> Contender::wait_for_turn(const Hold& hold, std::int64_t free_in_ms, Time give_up_at) {
  const Duration pause =
      plan_.retry.every +
      client_.world.choose_up_to(plan_.retry.jitter, {ChoiceKind::kRetryJitter, client_.id});
  if (!strategy_.wakes_waiters()) {
    co_await client_.sleep(std::min(pause, give_up_at - now()));
    co_return;
  }
  if (!subscribed_) {
    // What was published before we listened is lost: after subscribing, try again before sleeping.
    subscribed_ = true;
    co_await strategy_.subscribe(Redis(client_.mailbox, Phase::kWait, hold.attempt), hold.claim);
    co_return;
  }
  // Nobody publishes when a TTL ends, so sleep no longer than it: one ms more, and the key is dead.
  const Duration longest = free_in_ms >= 0 ? milliseconds(free_in_ms + 1) : pause;
  co_await client_.mailbox.wait_for_push(std::min(now() + longest, give_up_at));
}

// Ends when the holder is told that it lost the lock.
class Contender::Stopped {
 public:
  Stopped(Kernel& kernel, Hold& hold) : kernel_(kernel), hold_(hold) {}
  ~Stopped() {
    hold_.stopping = nullptr;
    kernel_.cancel(hold_.stop_timer);
  }
  Stopped(const Stopped&) = delete;
  Stopped& operator=(const Stopped&) = delete;
  bool await_ready() const noexcept { return hold_.lost; }
  void await_suspend(std::coroutine_handle<> waiter) { hold_.stopping = waiter; }
  void await_resume() noexcept {}

 private:
  Kernel& kernel_;
  Hold& hold_;
};

Task<> Contender::until_told(Hold& hold) { co_await Stopped(client_.world.kernel, hold); }

void Contender::tell(Hold& hold, std::string_view how) {
  if (hold.lost || hold.over) return;
  hold.lost = true;
  note(hold, EventKind::kTold, how);
  if (hold.stopping) {
    hold.stop_timer = client_.world.kernel.resume_soon(&client_.thread, hold.stopping);
  }
}

Task<> Contender::hold_and_release(Hold& hold) {
  client_.inside = true;
  client_.attempt = hold.attempt;
  Event entered = client_.event(EventKind::kEntered, hold.claim.token, hold.fence);
  entered.extra = hold.locked ? 0 : 1;
  co_await client_.mark(Stage::kSection, Point::kStarted, entered);

  Roots renewals(client_.world.arena);
  const bool renewed = hold.locked && plan_.renewal.enabled;
  if (renewed) {
    Roots& keeper = plan_.renewal.stop_at_release ? renewals : client_.roots;
    keeper.start(keep_renewing(hold));
  }
  Section end = Section::kDone;
  if (renewed && plan_.renewal.holder_stops) {
    Task<Section> work = section(hold);
    Task<> told = until_told(hold);
    auto first = co_await when_any(std::move(work), std::move(told));
    end = std::get<0>(first) ? *std::get<0>(first) : Section::kStopped;
  } else {
    end = co_await section(hold);
  }
  client_.inside = false;
  client_.attempt = hold.attempt;
  depth_ = 1;
  hold.over = true;
  co_await client_.mark(Stage::kSection, Point::kEnded,
                        client_.event(EventKind::kLeft, kSectionEnds[static_cast<int>(end)]));
  if (renewed && plan_.renewal.stop_at_release && !hold.renewal_ended) {
    renewals.cancel_all();
    note(hold, EventKind::kRenewalEnded, "stopped");
  }
  co_await release_inner();
  if (hold.locked) co_await release(hold);
  if (plan_.commit_after_release && end == Section::kDone && client_.resource) {
    co_await client_.sleep(*plan_.commit_after_release);
    co_await write_resource(hold);
  }
}

Task<Contender::Section> Contender::section(Hold& hold) {
  bool entered = true;
  for (depth_ = 2; depth_ <= plan_.nest; ++depth_) {
    Hold* again = co_await obtain();
    entered = again != nullptr;
    if (!entered) break;
    inner_.push_back(again);
    client_.note(EventKind::kReentered, again->claim.token, depth_);
  }
  depth_ = 1;
  Section end = Section::kFailed;
  if (entered) end = co_await do_work(hold);
  co_await release_inner();
  co_return end;
}

Task<> Contender::release_inner() {
  for (; !inner_.empty(); inner_.pop_back()) co_await release(*inner_.back());
}

// Keeps renewals that share the holder's thread waiting while the thread is at work.
class BusyThread {
 public:
  BusyThread(Gate& renewals, bool shared) : renewals_(shared ? &renewals : nullptr) {
    if (renewals_ != nullptr) renewals_->close();
  }
  ~BusyThread() {
    if (renewals_ != nullptr) renewals_->open();
  }
  BusyThread(const BusyThread&) = delete;
  BusyThread& operator=(const BusyThread&) = delete;

 private:
  Gate* renewals_;
};

Task<Contender::Section> Contender::do_work(const Hold& hold) {
  if (client_.resource) {
    const bool read = co_await read_resource(hold);
    if (!read) co_return Section::kFailed;
  }
  {
    BusyThread busy(client_.renewal_thread, plan_.renewal.in_work_thread);
    const Event working = client_.event(EventKind::kWorking, "", plan_.work.ns);
    co_await client_.mark(Stage::kWork, Point::kStarted, working);
    co_await client_.busy(plan_.work);
    bool called = true;
    if (plan_.call) called = co_await call_downstream();
    co_await client_.mark(Stage::kWork, Point::kEnded, client_.event(EventKind::kWorked));
    if (!called) co_return Section::kFailed;
  }
  if (client_.resource && !plan_.commit_after_release) {
    const bool written = co_await write_resource(hold);
    if (!written) co_return Section::kFailed;
  }
  co_return Section::kDone;
}

Task<bool> Contender::call_downstream() {
  for (std::uint32_t number = 1; number <= plan_.call->tries; ++number) {
    const bool succeeds = number > plan_.call->fails;
    Event calling = client_.event(EventKind::kCalling, {}, number);
    calling.extra = plan_.call->takes.ns;
    co_await client_.mark(Stage::kCall, Point::kStarted, calling);
    co_await client_.busy(plan_.call->takes);
    Event called = client_.event(EventKind::kCalled, {}, number);
    called.extra = succeeds ? 1 : 0;
    co_await client_.mark(Stage::kCall, Point::kEnded, called);
    if (succeeds) co_return true;
    if (number < plan_.call->tries) co_await client_.sleep(plan_.call->backoff);
  }
  co_return false;
}

Task<bool> Contender::read_resource(const Hold& hold) {
  const Answer answer = co_await Operation(*client_.resource, Phase::kRead, hold.attempt, "READ",
                                           [&](Operation& o) { o.add_number(hold.fence); });
  if (!answer.replied() || answer.reply.is_error()) co_return false;
  seen_.quantity = answer.reply.elements()[0].integer();
  seen_.version = answer.reply.elements()[1].integer();
  co_return true;
}

// False when the resource refused the write or did not answer. With too little left there is nothing to
// write; an atomic update leaves that decision to the resource.
Task<bool> Contender::write_resource(const Hold& hold) {
  if (seen_.quantity < client_.guarded->take()) co_return true;
  const Answer answer = co_await Operation(*client_.resource, Phase::kWrite, hold.attempt, "WRITE",
                                           [&](Operation& o) {
                                             o.add_number(seen_.quantity);
                                             o.add_number(seen_.version);
                                             o.add(order_);
                                             o.add_number(hold.fence);
                                           });
  co_return answer.is_ok();
}

Task<> Contender::release(Hold& hold) {
  if (plan_.release == ReleaseBy::kNobody) co_return;
  client_.attempt = hold.attempt;
  Claim claim = hold.claim;
  if (plan_.release == ReleaseBy::kOtherThread) claim.token = join(claim.token, '~', "another-thread");
  if (plan_.at_least_for) {
    claim.keep_ms = (hold.granted_at + *plan_.at_least_for - now()).ms();
  }
  client_.note(EventKind::kReleasing);
  const Redis connection = redis(Phase::kRelease, hold.attempt);
  if (plan_.release == ReleaseBy::kForce) {
    const Answer forced = co_await connection.del(claim.key);
    note_release(hold, Released(forced, forced.is_integer(1)));
    co_return;
  }
  const Released released = co_await strategy_.release(connection, claim);
  note_release(hold, released);
}

void Contender::note_release(const Hold& hold, const Released& released) {
  std::string_view words = "no answer";
  if (released.result != ReleaseResult::kUnknown) words = client_.world.words(released.reply);
  note(hold, EventKind::kReleased, words,
       released.result == ReleaseResult::kReleased  ? 1
       : released.result == ReleaseResult::kRefused ? 0
                                                    : -1);
}

Task<> Contender::keep_renewing(Hold& hold) {
  note(hold, EventKind::kRenewing, {}, plan_.renewal.every.ns);
  // What the holder may believe by its own clock when Redis does not answer.
  Time valid_until = client_.local_now() + milliseconds(hold.claim.ttl_ms);
  Duration pause = plan_.renewal.every;
  for (;;) {
    co_await client_.sleep_in_renewal_thread(pause);
    pause = plan_.renewal.every;
    const Time sent_at = client_.local_now();
    const Renewed renewed =
        co_await strategy_.renew(Redis(client_.renewals, Phase::kRenew, hold.attempt), hold.claim);
    if (renewed == Renewed::kRenewed) {
      note(hold, EventKind::kRenewed, {}, hold.claim.renewal_ttl_ms);
      valid_until = sent_at + milliseconds(hold.claim.renewal_ttl_ms);
      continue;
    }
    if (renewed == Renewed::kUnknown && plan_.renewal.stop_on_error) {
      end_renewal(hold, "failed");
      co_return;
    }
    if (renewed == Renewed::kLost || client_.local_now() >= valid_until) {
      end_renewal(hold, "lost");
      tell(hold, renewed == Renewed::kLost ? "a renewal found the lock lost"
                                           : "its own clock says that the TTL is over");
      co_return;
    }
    pause = std::min(pause, valid_until - client_.local_now());
  }
}

void Contender::end_renewal(Hold& hold, std::string_view how) {
  hold.renewal_ended = true;
  note(hold, EventKind::kRenewalEnded, how);
}

void Contender::note(const Hold& hold, EventKind kind, std::string_view text, std::int64_t number) {
  Event event = client_.event(kind, text, number);
  event.attempt = hold.attempt;
  client_.world.journal.add(event);
}

Contender::Hold& Contender::new_hold() {
  Arena& arena = client_.world.arena;
  auto* hold = new (arena.take(sizeof(Hold))) Hold;
  hold->attempt = ++attempts_;
  hold->claim.key = client_.info.key;
  hold->claim.token = make_token();
  hold->claim.ttl_ms = depth_ > 1 && plan_.nest_ttl_ms ? *plan_.nest_ttl_ms : plan_.ttl_ms;
  hold->claim.renewal_ttl_ms = plan_.renewal_ttl_ms;
  return *hold;
}

std::string_view Contender::make_token() {
  switch (plan_.token_scope) {
    case TokenScope::kPerClient: return client_.info.name;
    case TokenScope::kPerThread: return join(plan_.process_name, ':', client_.info.thread);
    case TokenScope::kPerProcess: return plan_.process_name;
    case TokenScope::kConstant: return plan_.token;
    case TokenScope::kPerAttempt: break;
  }
  return join(client_.info.name, '#', std::uint64_t{attempts_});
}

std::string_view Contender::join(std::string_view a, char separator, std::string_view b) {
  char* text = static_cast<char*>(client_.world.arena.take(a.size() + b.size() + 1));
  char* end = std::copy(a.begin(), a.end(), text);
  *end++ = separator;
  end = std::copy(b.begin(), b.end(), end);
  return {text, static_cast<std::size_t>(end - text)};
}

std::string_view Contender::join(std::string_view a, char separator, std::uint64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return join(a, separator, std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

}  // namespace locklapse
