// Runs made by hand for the tests of reports: a Story owns a history, a verdict and the report over
// both.
//
// The tests of reports must not depend on what the simulator happens to do today, so histories are
// written down here event by event, in the order and with the fields that a world writes.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reports/run_report.h"

namespace locklapse::reports {

class Story {
 public:
  Story() = default;
  Story(const Story&) = delete;
  Story& operator=(const Story&) = delete;

  // A client in a process and on a host of its own name, with token "<name>-1".
  ClientId add_client(std::string name, std::string key = "lock:order:123",
                      std::int64_t ttl_ms = 30'000);

  Event& add(Time at, EventKind kind, ClientId client, std::string_view text = {},
             std::string_view detail = {}, std::int64_t number = 0, std::int64_t extra = 0);

  // tries at `at`, is answered 2 ms later; the key is written in between.
  void acquire(ClientId client, Time at);
  void refuse(ClientId client, Time at);
  // done at `at`; DEL is executed 1 ms later (removing `removed`'s key, if anyone's) and answered
  // after 2.
  void leave_and_delete(ClientId client, Time at, ClientId removed);
  void end_ttl(ClientId owner, Time at);
  void pause(ClientId client, Time at, Duration length, std::string_view why);
  void resume(ClientId client, Time at);

  std::string_view keep(std::string_view text);
  std::string_view token(ClientId client) const { return tokens_[client]; }

  // Fills in the views; call after the last add, and again after more.
  const RunReport& report();

  RunReport run;
  Verdict verdict;
  std::vector<Event> events;
  std::vector<ClientInfo> clients;
  std::vector<std::string_view> nodes, resources, faults;

 private:
  Event& command(Time at, EventKind kind, ClientId client, Phase phase, std::string_view text,
                 std::string_view detail = {});

  std::deque<std::string> texts_;
  std::vector<std::string_view> names_;
  std::vector<std::string_view> tokens_;
  std::vector<std::uint32_t> attempts_;
  std::uint32_t commands_ = 0;
  History history_;
};

// The story of the README: A pauses 35 s inside a 30 s TTL; its late DEL removes B's lock; C walks
// in.
std::unique_ptr<Story> late_delete_story();

// One client, nothing goes wrong.
std::unique_ptr<Story> quiet_story();

// The same shape as the late delete, with every name hostile to some format.
std::unique_ptr<Story> hostile_story();

// Twelve clients with long names that spin for one lock; two nodes; a crash; a stuck lock; damage.
std::unique_ptr<Story> crowd_story();

// Every kind of event once, so that no report can overlook one.
std::unique_ptr<Story> every_kind_story();

}  // namespace locklapse::reports
