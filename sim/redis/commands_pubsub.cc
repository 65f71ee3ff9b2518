#include <algorithm>
#include <utility>

#include "sim/redis/commands.h"
#include "sim/redis/glob.h"

namespace locklapse::redis {

namespace {

// Confirms one (un)subscription. A command that names several channels is confirmed once for each;
// the first message is its reply, the others come like messages do.
class Confirmations {
 public:
  Confirmations(Call& call, std::string_view kind) : call_(call), kind_(kind) {
    call_.no_reply = true;
  }

  void confirm(Reply name) {
    Reply array = call_.server.message_for(call_.connection.id);
    array.append(call_.bulk(kind_));
    array.append(std::move(name));
    array.append(call_.count(call_.connection.subscriptions()));
    call_.server.deliver(call_.connection.id, std::move(array), !first_);
    first_ = false;
  }
  void confirm(std::string_view name) { confirm(call_.bulk(name)); }
  void confirm_nothing() {
    if (first_) confirm(call_.nil());
  }

 private:
  Call& call_;
  std::string_view kind_;
  bool first_ = true;
};

void start_listening(Call& call, ServerState::Listeners& listeners, std::string_view name) {
  auto found = listeners.find(name);
  if (found == listeners.end()) {
    found = listeners.emplace(name, std::pmr::vector<ConnectionId>(call.memory())).first;
  }
  found->second.push_back(call.connection.id);
}

void leave_channel(Call& call, std::string_view name) {
  auto& channels = call.connection.channels;
  const auto found = channels.find(name);
  if (found == channels.end()) return;
  channels.erase(found);
  call.server.stop_listening(call.server.channel_listeners, name, call.connection.id);
}

void leave_pattern(Call& call, std::string_view name) {
  auto& patterns = call.connection.patterns;
  const auto found = patterns.find(name);
  if (found == patterns.end()) return;
  patterns.erase(found);
  call.server.stop_listening(call.server.pattern_listeners, name, call.connection.id);
}

}  // namespace

std::int64_t ServerState::publish(std::string_view channel, std::string_view payload) {
  const auto send = [this](ConnectionId id, std::initializer_list<std::string_view> parts) {
    Reply message = message_for(id);
    for (const std::string_view part : parts) message.append(Reply::bulk(part, &memory));
    deliver(id, std::move(message), true);
  };
  std::int64_t receivers = 0;
  if (const auto found = channel_listeners.find(channel); found != channel_listeners.end()) {
    for (const ConnectionId id : found->second) {
      send(id, {"message", channel, payload});
      ++receivers;
    }
  }
  for (const auto& [pattern, listeners] : pattern_listeners) {
    work += static_cast<std::int64_t>(1 + pattern.size() * channel.size() / 16);
    if (!glob_match(pattern, channel)) continue;
    for (const ConnectionId id : listeners) {
      send(id, {"pmessage", pattern, channel, payload});
      ++receivers;
    }
  }
  work += receivers * static_cast<std::int64_t>(1 + payload.size() / 16);
  return receivers;
}

Reply publish_command(Call& call) {
  const std::int64_t receivers = call.server.publish(call.argv[1], call.argv[2]);
  call.propagate_as(call.argv);
  return call.integer(receivers);
}

Reply subscribe_command(Call& call) {
  Confirmations confirmations(call, "subscribe");
  for (const std::string_view name : call.argv.subspan(1)) {
    if (call.connection.channels.find(name) == call.connection.channels.end()) {
      call.connection.channels.emplace(name);
      start_listening(call, call.server.channel_listeners, name);
    }
    confirmations.confirm(name);
  }
  call.connection.subscribed = true;
  return call.nil();
}

Reply unsubscribe_command(Call& call) {
  Confirmations confirmations(call, "unsubscribe");
  for (const std::string_view name : call.argv.subspan(1)) {
    leave_channel(call, name);
    confirmations.confirm(name);
  }
  if (call.argv.size() == 1) {
    while (!call.connection.channels.empty()) {
      const std::pmr::string name(*call.connection.channels.begin(), call.memory());
      leave_channel(call, name);
      confirmations.confirm(name);
    }
    confirmations.confirm_nothing();
  }
  if (call.connection.subscriptions() == 0) call.connection.subscribed = false;
  return call.nil();
}

Reply psubscribe_command(Call& call) {
  Confirmations confirmations(call, "psubscribe");
  for (const std::string_view name : call.argv.subspan(1)) {
    auto& patterns = call.connection.patterns;
    if (patterns.find(name) == patterns.end()) {
      patterns.emplace(name, call.server.subscriptions_made++);
      start_listening(call, call.server.pattern_listeners, name);
    }
    confirmations.confirm(name);
  }
  call.connection.subscribed = true;
  return call.nil();
}

Reply punsubscribe_command(Call& call) {
  Confirmations confirmations(call, "punsubscribe");
  for (const std::string_view name : call.argv.subspan(1)) {
    leave_pattern(call, name);
    confirmations.confirm(name);
  }
  if (call.argv.size() == 1) {
    // Oldest first.
    std::pmr::vector<std::pair<std::uint64_t, std::pmr::string>> names(call.memory());
    for (const auto& [name, age] : call.connection.patterns) names.emplace_back(age, name);
    std::sort(names.begin(), names.end());
    for (const auto& [age, name] : names) {
      leave_pattern(call, name);
      confirmations.confirm(name);
    }
    confirmations.confirm_nothing();
  }
  if (call.connection.subscriptions() == 0) call.connection.subscribed = false;
  return call.nil();
}

}  // namespace locklapse::redis
