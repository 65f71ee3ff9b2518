#include "tests/conformance/backends.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tests/conformance/step.h"

namespace locklapse::conformance {

namespace {

std::string full_name(int db, std::string_view key) { return fmt::format("{}/{}", db, quoted_word(key)); }

const char* name_of(redis::KeyChangeKind kind) {
  switch (kind) {
    case redis::KeyChangeKind::kWritten: return "written";
    case redis::KeyChangeKind::kDeadline: return "deadline";
    case redis::KeyChangeKind::kRemoved: return "removed";
    case redis::KeyChangeKind::kExpired: return "expired";
    case redis::KeyChangeKind::kEvicted: return "evicted";
    case redis::KeyChangeKind::kLost: return "lost";
    case redis::KeyChangeKind::kLoaded: return "loaded";
  }
  return "?";
}

}  // namespace

void Told::on_key_change(const redis::KeyChange& change) {
  const int by = change.by == redis::kNobody ? -1 : static_cast<int>(change.by);
  const std::string after =
      fmt::format("{} x{}, until {}", quoted_word(change.owner_after), change.count_after, change.deadline_ms);
  changes.push_back({full_name(change.db, change.key),
                     fmt::format("{} by {}: {} -> {}{}", name_of(change.kind), by, quoted_word(change.owner_before),
                                 after, change.existed_before ? "" : ", new"),
                     after});
}

void Told::on_ttl_ended(int db, std::string_view key, std::string_view owner, std::int64_t deadline_ms) {
  const std::string text = fmt::format("ttl ended: {}, {}", quoted_word(owner), deadline_ms);
  changes.push_back({full_name(db, key), text, text});
}

Driver::Driver(BackendKind kind, const redis::ServerConfig& config)
    : backend_(make_backend(kind, config, &told_)), ids_(kConnections, redis::kNobody), sent_(kConnections),
      unanswered_(kConnections) {}

redis::ConnectionId Driver::id(int connection) {
  auto& known = ids_[static_cast<std::size_t>(connection)];
  if (known == redis::kNobody) known = backend_->connect();
  return known;
}

void Driver::keep(const redis::Outbox& outbox) {
  for (const redis::Delivery& delivery : outbox) {
    const auto to = std::find(ids_.begin(), ids_.end(), delivery.to);
    if (to == ids_.end()) continue;
    if (!delivery.push) --unanswered_[static_cast<std::size_t>(to - ids_.begin())];
    std::pmr::string bytes;
    redis::encode_resp2(delivery.reply, bytes);
    sent_[static_cast<std::size_t>(to - ids_.begin())].push_back((delivery.push ? "push " : "") +
                                                                 std::string(bytes));
    if (delivery.closes) *to = redis::kNobody;
  }
}

std::string Driver::run(int connection, const std::vector<std::string>& words) {
  const std::vector<std::string_view> argv(words.begin(), words.end());
  redis::Outbox outbox;
  const redis::ConnectionId from = id(connection);
  ++unanswered_[static_cast<std::size_t>(connection)];
  backend_->execute(from, argv, now_, outbox);
  keep(outbox);
  std::string all;
  for (const std::string& message : take(connection)) all += message;
  return all;
}

void Driver::move_clock(std::int64_t us) {
  const WallTime target{now_.us + us};
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  for (;;) {
    const auto wakeup = backend_->next_wakeup();
    const auto deadline = backend_->next_deadline_ms();
    const std::int64_t ended_us = deadline && *deadline < kNever / 1000 - 1 ? (*deadline + 1) * 1000 : kNever;
    const std::int64_t next_us = std::min(wakeup ? wakeup->us : kNever, ended_us);
    if (next_us > target.us) break;
    now_.us = std::max(now_.us, next_us);
    if (ended_us == next_us) {
      backend_->tell_ended_ttls(now_);
    } else {
      redis::Outbox outbox;
      backend_->wake(now_, outbox);
      keep(outbox);
    }
  }
  now_ = target;
}

void Driver::close(int connection) {
  auto& known = ids_[static_cast<std::size_t>(connection)];
  if (known != redis::kNobody) backend_->disconnect(known);
  known = redis::kNobody;
  unanswered_[static_cast<std::size_t>(connection)] = 0;
  sent_[static_cast<std::size_t>(connection)].clear();
}

void Driver::restart(redis::StopKind kind, std::int64_t down_us) {
  backend_->stop(kind, now_);
  ids_.assign(kConnections, redis::kNobody);
  sent_.assign(kConnections, {});
  unanswered_.assign(kConnections, 0);
  now_.us += down_us;
  backend_->start(now_);
}

std::vector<std::string> Driver::take(int connection) {
  return std::exchange(sent_[static_cast<std::size_t>(connection)], {});
}

}  // namespace locklapse::conformance
