#include <utility>

#include "sim/redis/commands.h"

namespace locklapse::redis {

Reply multi_command(Call& call) {
  if (call.connection.in_multi) return call.error("ERR MULTI calls can not be nested");
  call.connection.in_multi = true;
  return call.ok();
}

Reply discard_command(Call& call) {
  if (!call.connection.in_multi) return call.error("ERR DISCARD without MULTI");
  call.server.leave_transaction(call.connection);
  return call.ok();
}

namespace {

// Takes what has been delivered to `id` since `start` out of the outbox, in order.
std::pmr::vector<Reply> take_deliveries(Outbox& outbox, std::size_t start, ConnectionId id,
                                        std::pmr::memory_resource* memory) {
  std::pmr::vector<Reply> taken(memory);
  std::size_t kept = start;
  for (std::size_t i = start; i < outbox.size(); ++i) {
    if (outbox[i].to == id) {
      taken.push_back(std::move(outbox[i].reply));
    } else {
      if (kept != i) outbox[kept] = std::move(outbox[i]);
      ++kept;
    }
  }
  outbox.erase(outbox.begin() + static_cast<std::ptrdiff_t>(kept), outbox.end());
  return taken;
}

}  // namespace

Reply exec_command(Call& call) {
  Connection& connection = call.connection;
  if (!connection.in_multi) return call.error("ERR EXEC without MULTI");
  if (call.server.watched_key_died(connection)) connection.watch_broken = true;
  if (connection.queue_broken) {
    call.server.leave_transaction(connection);
    return call.error("EXECABORT Transaction discarded because of previous errors.");
  }
  if (connection.watch_broken) {
    call.server.leave_transaction(connection);
    return call.nil_array();
  }

  // Watches end here, so that what the transaction does itself cannot break it.
  call.server.unwatch_all(connection);
  const std::pmr::vector<QueuedCommand> queue(std::move(connection.queue));
  connection.queue.clear();
  const std::size_t start = call.server.outbox().size();
  connection.may_block = false;
  for (const QueuedCommand& queued : queue) {
    const std::pmr::vector<std::string_view> argv(queued.words.begin(), queued.words.end(),
                                                  call.memory());
    call.server.run(connection, *queued.spec, argv);
  }
  connection.may_block = true;
  call.server.leave_transaction(connection);

  // On the wire the header of the array comes first, and then whatever the commands write, be it
  // several messages for one command (SUBSCRIBE a b) or a published message in between. Whoever
  // reads it takes the first ones as the elements.
  auto written = take_deliveries(call.server.outbox(), start, connection.id, call.memory());
  Reply results = call.array();
  for (std::size_t i = 0; i < queue.size(); ++i) results.append(std::move(written[i]));
  call.server.deliver(connection.id, std::move(results));
  for (std::size_t i = queue.size(); i < written.size(); ++i) {
    call.server.deliver(connection.id, std::move(written[i]), true);
  }
  call.no_reply = true;
  return call.nil();
}

Reply watch_command(Call& call) {
  if (call.connection.in_multi) return call.error("ERR WATCH inside MULTI is not allowed");
  if (!call.connection.watch_broken) {
    for (const std::string_view name : call.argv.subspan(1)) {
      call.server.watch(call.connection, name);
    }
  }
  return call.ok();
}

Reply unwatch_command(Call& call) {
  call.server.unwatch_all(call.connection);
  call.connection.watch_broken = false;
  return call.ok();
}

}  // namespace locklapse::redis
