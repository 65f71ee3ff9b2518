#include <fmt/format.h>

#include "tests/reports/story.h"

namespace locklapse::reports {
namespace {

constexpr Time at_ms(std::int64_t ms) { return Time{ms * 1'000'000}; }

ClientSummary summary(ClientId client, std::uint32_t attempts, std::int64_t acquired_ms,
                      std::int64_t held_ms, std::int64_t released_ms, std::string reply,
                      std::string_view token) {
  ClientSummary s;
  s.client = client;
  s.attempts = attempts;
  s.refused = attempts - 1;
  s.acquired_at = at_ms(acquired_ms);
  s.waited = milliseconds(2);
  s.held = milliseconds(held_ms);
  s.released_at = at_ms(released_ms);
  s.release_reply = std::move(reply);
  s.token = token;
  s.ttl_ms = 30'000;
  return s;
}

// Three clients of any name through the late delete, with its verdict.
void tell_late_delete(Story& story, ClientId a, ClientId b, ClientId c) {
  story.faults.push_back(story.keep("at 5 s: A pauses for 35 s (gc)"));
  story.acquire(a, at_ms(0));
  story.pause(a, at_ms(5'000), seconds(35), "gc");
  story.end_ttl(a, at_ms(30'002));
  story.acquire(b, at_ms(31'000));
  for (int i = 0; i < 5; ++i) story.refuse(c, at_ms(35'000 + 1'002 * i));
  story.resume(a, at_ms(40'000));
  story.leave_and_delete(a, at_ms(40'002), b);
  story.acquire(c, at_ms(40'010));
  story.leave_and_delete(c, at_ms(45'012), c);
  story.leave_and_delete(b, at_ms(51'002), kNoClient);

  Verdict& v = story.verdict;
  v.outcome = Outcome::kViolated;
  const std::string name_a(story.clients[a].name);
  const std::string key(story.clients[a].key);
  v.overlaps.push_back({"stock",
                        a,
                        b,
                        at_ms(31'002),
                        at_ms(40'002),
                        Cause::kTtlOverrun,
                        {},
                        name_a + " was inside for 40 s under a TTL of 30 s, 35 s of it paused; its "
                                 "TTL ended at 30.002 s"});
  v.overlaps.push_back({"stock",
                        b,
                        c,
                        at_ms(40'012),
                        at_ms(45'012),
                        Cause::kUnownedDelete,
                        {Cause::kTtlOverrun},
                        name_a + "'s DEL at 40.003 s removed a key that it no longer owned"});
  v.unowned.push_back(
      {a, "DEL " + key, key, b, std::string(story.token(b)), at_ms(40'003), Cause::kUnownedDelete});
  v.told.push_back({a, at_ms(30'002), {}});
  v.told.push_back({b, at_ms(40'003), {}});
  v.clients = {summary(a, 1, 2, 40'000, 40'004, "1 (deleted)", story.token(a)),
               summary(b, 1, 31'002, 20'000, 51'004, "0 (nothing to delete)", story.token(b)),
               summary(c, 6, 40'012, 5'000, 45'014, "1 (deleted)", story.token(c))};
  v.clients[2].waited = milliseconds(5'012);
  v.counters = {3, 5, 1, 1, 11, 3, milliseconds(5'016)};
}

}  // namespace

std::unique_ptr<Story> late_delete_story() {
  auto story = std::make_unique<Story>();
  story->run.scenario = "late-delete";
  story->run.title = "A's late DEL removes B's lock, and C walks in";
  story->run.story =
      "A takes the lock for 30 s and stops for a garbage collection of 35 s. Redis lets the lock "
      "expire and gives it to B. A wakes up, does not know, and deletes the key: B's. C, which has "
      "waited for B, walks in.";
  story->run.strategy = "set-del";
  story->run.guard = "none";
  story->run.seed = 1;
  story->run.as_expected = true;
  story->resources.push_back("stock");
  const ClientId a = story->add_client("A");
  const ClientId b = story->add_client("B");
  const ClientId c = story->add_client("C");
  tell_late_delete(*story, a, b, c);
  return story;
}

std::unique_ptr<Story> quiet_story() {
  auto story = std::make_unique<Story>();
  story->run.scenario = "quiet";
  story->run.title = "One client, nothing goes wrong";
  story->run.strategy = "set-lua";
  story->run.guard = "none";
  const ClientId a = story->add_client("A");
  story->acquire(a, at_ms(0));
  story->leave_and_delete(a, at_ms(1'002), a);
  story->verdict.clients = {summary(a, 1, 2, 1'000, 1'004, "1", story->token(a))};
  story->verdict.counters.acquisitions = 1;
  story->verdict.counters.redis_commands = 2;
  story->verdict.counters.redis_commands_per_s_max = 1;
  return story;
}

std::unique_ptr<Story> hostile_story() {
  auto story = std::make_unique<Story>();
  story->run.scenario = "evil\x1b]0;owned\x07 name\n|x|";
  story->run.title =
      "\x1b[2Jtitle <script>alert(1)</script> @everyone ]]> \xe2\x80\xae"
      "desrever";
  story->run.story =
      "line one\n## line two `code` \x9b"
      "31m; %% end\nend";
  story->run.strategy = "set-del; end";
  story->run.guard = "none\"' & <b>";
  story->run.as_expected = false;
  story->run.mismatches = {"expected <no> overlap | `none` && \x01\x02 got\r\n2"};
  story->resources.push_back(story->keep("stock\n%% end"));
  const ClientId a = story->add_client("end\nparticipant x\x1b[31m", "lock:\xff\xfe;#<b>|\u202e`");
  const ClientId b =
      story->add_client("客户端 👩‍💻 e\u0301\u200b", "lock:\xff\xfe;#<b>|\u202e`");
  const ClientId c = story->add_client(std::string(300, 'n') + "\"'", "lock:\xff\xfe;#<b>|\u202e`");
  tell_late_delete(*story, a, b, c);
  return story;
}

std::unique_ptr<Story> crowd_story() {
  auto story = std::make_unique<Story>();
  story->run.scenario = "crowd";
  story->run.title = "Twelve workers want one lock and its holder dies";
  story->run.strategy = "setnx-expire";
  story->run.guard = "version";
  story->run.as_expected = false;
  story->run.mismatches = {"overlaps: expected none, got checkout-worker-1 + checkout-worker-2"};
  story->resources.push_back("stock");
  for (int i = 1; i <= 12; ++i) {
    story->add_client(fmt::format("checkout-worker-{}", i), "lock:checkout", 10'000);
  }
  story->acquire(0, at_ms(0));
  for (int i = 0; i < 20; ++i) {
    for (ClientId c = 1; c < 12; ++c) story->refuse(c, at_ms(100 + 500 * i + 3 * c));
  }
  story->end_ttl(0, at_ms(10'002));
  story->acquire(1, at_ms(10'100));
  story->add(at_ms(10'500), EventKind::kRead, 1, {}, {}, 1, 0).place = 0;
  story->add(at_ms(11'000), EventKind::kCrashed, kNoClient, "out of memory").place = 0;
  story->add(at_ms(11'000), EventKind::kLeft, 0, "crashed");
  story->add(at_ms(12'000), EventKind::kWritten, 1, "order-7", {}, -1, 0).place = 0;
  story->add(at_ms(12'001), EventKind::kCrashed, kNoClient, "out of memory").place = 1;
  story->add(at_ms(12'001), EventKind::kLeft, 1, "crashed");
  story->add(at_ms(20'102), EventKind::kTtlEnded, kNoClient, "lock:checkout", "checkout-worker-2-1")
      .place = 0;
  for (ClientId c = 2; c < 12; ++c) {
    story->add(at_ms(20'200), EventKind::kGaveUp, c, {}, {}, 20);
  }
  Verdict& v = story->verdict;
  v.outcome = Outcome::kViolated;
  v.overlaps.push_back({"stock", 0, 1, at_ms(10'102), at_ms(11'000), Cause::kTtlOverrun, {}, ""});
  v.stuck.push_back({"lock:checkout",
                     at_ms(12'001),
                     at_ms(20'102),
                     Cause::kStuckUntilTtl,
                     {},
                     "checkout-worker-2 crashed at 12.001 s and left a TTL of 8.101 s"});
  v.damage.push_back({DamageKind::kOversell, 1, at_ms(12'000), "stock is -1", {}});
  v.told.push_back({0, at_ms(10'002), at_ms(10'900)});
  v.counters = {2, 220, 0, 1, 222, 24, seconds(210)};
  for (ClientId c = 0; c < 12; ++c) {
    ClientSummary s;
    s.client = c;
    s.attempts = c == 0 ? 1 : 20;
    s.waited = seconds(20);
    s.ttl_ms = 10'000;
    v.clients.push_back(s);
  }
  return story;
}

std::unique_ptr<Story> every_kind_story() {
  auto story = std::make_unique<Story>();
  story->run.scenario = "every-kind";
  story->run.strategy = "set-lua";
  story->run.guard = "fence";
  story->resources.push_back("stock");
  const ClientId a = story->add_client("A");
  for (int kind = 0; kind < kEventKinds; ++kind) {
    Event& e =
        story->add(at_ms(kind * 10), static_cast<EventKind>(kind), a, "text", "detail", 1, 1);
    e.place = 0;
    e.phase = Phase::kAcquire;
    e.command = 7;
    if (e.kind == EventKind::kKeyWritten || e.kind == EventKind::kKeyRestored) {
      e.text = "lock:order:123";
    }
  }
  story->verdict.outcome = Outcome::kUnknown;
  story->verdict.outcome_reason = "every event once is no run";
  return story;
}

}  // namespace locklapse::reports
