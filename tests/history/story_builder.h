// Histories written by hand: one call per event, times in milliseconds.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sim/history/history.h"

namespace locklapse {

class StoryBuilder {
 public:
  // Clients "A", "B", ... each in a process of its own, all after the key "lock" with this TTL.
  explicit StoryBuilder(int clients = 3, std::int64_t ttl_ms = 30'000) {
    for (int i = 0; i < clients; ++i) {
      names_.push_back(std::string(1, static_cast<char>('A' + i)));
      ClientInfo info;
      info.name = names_.back();
      info.process = static_cast<PlaceId>(i);
      info.key = info.lock_name = "lock";
      info.resource = 0;
      info.ttl_ms = ttl_ms;
      clients_.push_back(info);
    }
    processes_ = {"p0", "p1", "p2", "p3"};
  }

  ClientInfo& client(ClientId id) { return clients_[id]; }

  Event& add(std::int64_t at_ms, EventKind kind, ClientId client = kNoClient) {
    Event& event = events_.emplace_back();
    event.at = Time{} + milliseconds(at_ms);
    event.kind = kind;
    event.client = client;
    event.attempt = client == kNoClient ? 0 : 1;
    event.place = client == kNoClient || kind >= EventKind::kSent ? PlaceId{0} : kNoPlace;
    return event;
  }
  // A command that is sent, and of which later events are part.
  std::uint32_t sends(std::int64_t at_ms, ClientId client, Phase phase, std::string_view line,
                      std::string_view name) {
    Event& event = add(at_ms, EventKind::kSent, client);
    event.phase = phase;
    event.command = ++commands_;
    event.text = line;
    event.detail = name;
    return commands_;
  }
  void executes(std::int64_t at_ms, ClientId client, std::uint32_t command) {
    add(at_ms, EventKind::kExecuted, client).command = command;
  }
  // Takes the key at at_ms (its TTL runs from there) and enters one millisecond later.
  void takes(std::int64_t at_ms, ClientId client, std::string_view token, std::int64_t deadline_ms) {
    Event& attempt = add(at_ms - 1, EventKind::kAttempt, client);
    attempt.text = token;
    attempt.detail = clients_[client].key;
    const std::uint32_t command = sends(at_ms - 1, client, Phase::kAcquire, "SET lock", "set");
    writes(at_ms, client, command, token, deadline_ms, Phase::kAcquire);
    executes(at_ms, client, command);
  }
  void writes(std::int64_t at_ms, ClientId client, std::uint32_t command, std::string_view token,
              std::int64_t deadline_ms, Phase phase) {
    key(at_ms, EventKind::kKeyWritten, client, command, phase).detail = token;
    events_.back().number = deadline_ms;
  }
  Event& key(std::int64_t at_ms, EventKind kind, ClientId client, std::uint32_t command, Phase phase) {
    Event& event = add(at_ms, kind, client);
    event.place = 0;
    event.phase = phase;
    event.command = command;
    event.text = client == kNoClient ? "lock" : clients_[client].lock_name;
    event.number = -1;
    return event;
  }
  void enters(std::int64_t at_ms, ClientId client) { add(at_ms, EventKind::kEntered, client); }
  void leaves(std::int64_t at_ms, ClientId client, std::string_view how = "done") {
    add(at_ms, EventKind::kLeft, client).text = how;
  }
  void ttl_ends(std::int64_t at_ms) { key(at_ms, EventKind::kTtlEnded, kNoClient, 0, Phase::kNone); }
  // Sends out a release at at_ms that removes the key one millisecond later.
  void releases_by(std::int64_t at_ms, ClientId client, std::string_view line, std::string_view name) {
    add(at_ms, EventKind::kReleasing, client);
    const std::uint32_t command = sends(at_ms, client, Phase::kRelease, line, name);
    key(at_ms + 1, EventKind::kKeyRemoved, client, command, Phase::kRelease);
    executes(at_ms + 1, client, command);
    Event& released = add(at_ms + 2, EventKind::kReleased, client);
    released.text = "1";
    released.number = 1;
  }

  History history(std::int64_t end_ms) const {
    History history;
    history.cast.clients = clients_;
    history.cast.processes = processes_;
    history.cast.hosts = hosts_;
    history.cast.nodes = nodes_;
    history.cast.resources = resources_;
    history.cast.stock = 1;
    history.cast.take = 1;
    history.cast.has_resource = true;
    history.events = events_;
    history.end = Time{} + milliseconds(end_ms);
    return history;
  }

 private:
  std::deque<std::string> names_;
  std::vector<ClientInfo> clients_;
  std::vector<std::string_view> processes_;
  std::vector<std::string_view> hosts_ = {"redis"};
  std::vector<std::string_view> nodes_ = {"redis"};
  std::vector<std::string_view> resources_ = {"resource"};
  std::vector<Event> events_;
  std::uint32_t commands_ = 0;
};

}  // namespace locklapse
