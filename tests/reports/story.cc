#include "tests/reports/story.h"

#include <fmt/format.h>

#include "sim/history/history.h"

namespace locklapse::reports {

std::string_view Story::keep(std::string_view text) {
  texts_.emplace_back(text);
  return texts_.back();
}

ClientId Story::add_client(std::string name, std::string key, std::int64_t ttl_ms) {
  const auto id = static_cast<ClientId>(clients.size());
  ClientInfo info;
  info.name = keep(name);
  info.process = id;
  info.host = id;
  info.resource = 0;
  info.key = keep(key);
  info.lock_name = info.key;
  info.thread = info.name;
  info.ttl_ms = ttl_ms;
  clients.push_back(info);
  names_.push_back(info.name);
  tokens_.push_back(keep(name + "-1"));
  attempts_.push_back(0);
  return id;
}

Event& Story::add(Time at, EventKind kind, ClientId client, std::string_view text,
                  std::string_view detail, std::int64_t number, std::int64_t extra) {
  Event event{.at = at, .kind = kind};
  event.client = client;
  event.attempt = client < attempts_.size() ? attempts_[client] : 0;
  event.text = keep(text);
  event.detail = keep(detail);
  event.number = number;
  event.extra = extra;
  events.push_back(event);
  return events.back();
}

Event& Story::command(Time at, EventKind kind, ClientId client, Phase phase, std::string_view text,
                      std::string_view detail) {
  Event& event = add(at, kind, client, text, detail);
  event.phase = phase;
  event.place = 0;
  event.command = commands_;
  return event;
}

void Story::acquire(ClientId client, Time at) {
  const ClientInfo& info = clients[client];
  ++attempts_[client];
  ++commands_;
  const std::int64_t deadline = WallTime{kEpoch.us + at.us() + 1'000}.ms() + info.ttl_ms;
  add(at, EventKind::kAttempt, client, tokens_[client], info.key);
  command(at, EventKind::kSent, client, Phase::kAcquire,
          fmt::format("SET {} {} NX PX {}", info.key, tokens_[client], info.ttl_ms), "set");
  Event& written = command(at + milliseconds(1), EventKind::kKeyWritten, client, Phase::kAcquire,
                           info.key, tokens_[client]);
  written.number = deadline;
  written.extra = 1;
  command(at + milliseconds(1), EventKind::kExecuted, client, Phase::kAcquire, "OK").number = 1;
  command(at + milliseconds(2), EventKind::kReplied, client, Phase::kAcquire, "OK");
  add(at + milliseconds(2), EventKind::kEntered, client, tokens_[client]);
}

void Story::refuse(ClientId client, Time at) {
  const ClientInfo& info = clients[client];
  ++attempts_[client];
  ++commands_;
  add(at, EventKind::kAttempt, client, tokens_[client], info.key);
  command(at, EventKind::kSent, client, Phase::kAcquire,
          fmt::format("SET {} {} NX PX {}", info.key, tokens_[client], info.ttl_ms), "set");
  command(at + milliseconds(1), EventKind::kExecuted, client, Phase::kAcquire, "(nil)").number = 1;
  command(at + milliseconds(2), EventKind::kReplied, client, Phase::kAcquire, "(nil)");
  add(at + milliseconds(2), EventKind::kRefused, client);
}

void Story::leave_and_delete(ClientId client, Time at, ClientId removed) {
  const ClientInfo& info = clients[client];
  ++commands_;
  const bool hit = removed != kNoClient;
  const std::string_view reply = hit ? "1" : "0";
  add(at, EventKind::kLeft, client, "done");
  add(at, EventKind::kReleasing, client);
  command(at, EventKind::kSent, client, Phase::kRelease, fmt::format("DEL {}", info.key), "del");
  const Time executed = at + milliseconds(1);
  if (hit) {
    command(executed, EventKind::kKeyRemoved, client, Phase::kRelease, info.key, tokens_[removed]);
  }
  command(executed, EventKind::kExecuted, client, Phase::kRelease, reply).number = 1;
  command(at + milliseconds(2), EventKind::kReplied, client, Phase::kRelease, reply);
  add(at + milliseconds(2), EventKind::kReleased, client, reply, {}, hit ? 1 : 0);
}

void Story::end_ttl(ClientId owner, Time at) {
  add(at, EventKind::kTtlEnded, kNoClient, clients[owner].key, tokens_[owner],
      WallTime{kEpoch.us + at.us()}.ms() - 1)
      .place = 0;
}

void Story::pause(ClientId client, Time at, Duration length, std::string_view why) {
  add(at, EventKind::kPaused, kNoClient, why, {}, length.ns).place = client;
}

void Story::resume(ClientId client, Time at) {
  add(at, EventKind::kResumed, kNoClient).place = client;
}

const RunReport& Story::report() {
  if (nodes.empty()) nodes.push_back("redis");
  history_.cast.clients = clients;
  history_.cast.processes = names_;
  history_.cast.hosts = names_;
  history_.cast.nodes = nodes;
  history_.cast.resources = resources;
  history_.cast.faults = faults;
  history_.cast.has_resource = !resources.empty();
  history_.events = events;
  if (!events.empty()) history_.end = events.back().at;
  run.history = &history_;
  run.verdict = &verdict;
  run.trace_hash = trace_hash(history_);
  return run;
}

}  // namespace locklapse::reports
