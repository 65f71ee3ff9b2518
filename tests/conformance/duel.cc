#include "tests/conformance/duel.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory_resource>

#include "sim/redis/resp.h"
#include "tests/conformance/unordered.h"

namespace locklapse::conformance {

namespace {

// A reply that is not here after this long is looked for behind a fence.
constexpr std::chrono::milliseconds kFenceAfter{200};
// The longest run of commands that one connection sends at once.
constexpr std::size_t kBurst = 64;

redis::ServerConfig config() {
  // As in the real server, keys go when somebody touches them.
  redis::ServerConfig out;
  out.active_expire = false;
  return out;
}

}  // namespace

// One sequence on its way: the model's side, and what is still to be compared.
struct Duel::Play {
  struct Message {
    std::size_t step;
    std::string bytes;
  };

  Play(redis::ScriptEngine& engine, int wanted_protocol)
      : new_protocol(wanted_protocol), server(memory, engine, config(), nullptr) {
    std::fill(std::begin(ids), std::end(ids), redis::kNobody);
  }

  redis::ConnectionId id(int connection) {
    auto& known = ids[connection];
    if (known == redis::kNobody) {
      known = server.connect();
      protocol[connection] = new_protocol;
      // What HELLO answers, ids and versions, is not compared.
      redis::Outbox unread(&memory);
      const std::string_view hello[] = {"HELLO", "3"};
      if (new_protocol == 3) server.execute(known, hello, now, unread);
    }
    return known;
  }

  int connection_of(redis::ConnectionId wanted) const {
    return static_cast<int>(std::find(std::begin(ids), std::end(ids), wanted) - std::begin(ids));
  }

  // Files what the model has sent since: under whom it is for, and what step has brought it about.
  void keep(const redis::Outbox& outbox, std::size_t step) {
    for (const redis::Delivery& delivery : outbox) {
      const int to = connection_of(delivery.to);
      if (to == kConnections) continue;
      std::size_t cause = step;
      if (!delivery.push) {
        cause = unanswered[to].front();
        unanswered[to].pop_front();
      }
      std::pmr::string bytes;
      if (protocol[to] == 3) {
        redis::encode_resp3(delivery.reply, bytes);
      } else {
        redis::encode_resp2(delivery.reply, bytes);
      }
      if (bytes == "+RESET\r\n") protocol[to] = 2;
      expected[to].push_back({cause, std::string(bytes)});
    }
  }

  bool any_blocked() const {
    return std::any_of(std::begin(unanswered), std::end(unanswered),
                       [](const auto& steps) { return !steps.empty(); });
  }

  const int new_protocol;
  int protocol[kConnections] = {};
  std::pmr::unsynchronized_pool_resource memory;
  redis::Server server;
  WallTime now = kEpoch;
  redis::ConnectionId ids[kConnections];
  std::vector<Message> expected[kConnections];
  std::deque<std::size_t> unanswered[kConnections];   // commands that block, or wait behind one
};

Duel::Duel(int protocol)
    : protocol_(protocol), server_({}, kEpoch), admin_(io_, server_.socket()), connections_(kConnections) {}

live::Connection& Duel::real_connection(int index) {
  auto& connection = connections_[static_cast<std::size_t>(index)];
  if (connection == nullptr) {
    connection = std::make_unique<live::Connection>(io_, server_.socket());
    if (protocol_ == 3) connection->call({"HELLO", "3"});
  }
  return *connection;
}

void Duel::fence() {
  // The second is read in a later turn of the server's event loop than all that was sent before the first.
  admin_.call({"PING"});
  admin_.call({"PING"});
}

void Duel::reset_real() {
  for (auto& connection : connections_) connection.reset();
  // Only once it knows that they are gone: what was held on one must not run at another time.
  fence();
  server_.set_clock(kEpoch);
  std::string bytes;
  for (const std::initializer_list<std::string_view> argv :
       {std::initializer_list<std::string_view>{"FLUSHALL"}, {"SCRIPT", "FLUSH"}, {"CONFIG", "RESETSTAT"}}) {
    redis::append_command(std::span(argv.begin(), argv.size()), bytes);
  }
  admin_.send(bytes);
  for (int i = 0; i < 3; ++i) admin_.receive();
  fence();
}

std::optional<Difference> Duel::compare(Play& play, int connection, std::span<const Step> sequence) {
  auto& expected = play.expected[connection];
  for (std::size_t first = 0; first < expected.size();) {
    // All that one step has sent to this connection.
    std::size_t last = first;
    while (last < expected.size() && expected[last].step == expected[first].step) ++last;
    Difference seen{.step = expected[first].step, .connection = connection, .model = {}, .real = {}};
    live::Connection& from = real_connection(connection);
    for (std::size_t i = first; i < last; ++i) {
      seen.model.push_back(expected[i].bytes);
      auto message = from.poll(kFenceAfter);
      if (!message) {
        fence();
        message = from.poll();
      }
      if (!message) break;
      seen.real.emplace_back(*message);
    }
    if (seen.model != seen.real) {
      const auto& words = sequence[seen.step].words;
      auto model = seen.model;
      auto real = seen.real;
      if (!words.empty()) {
        for (auto* side : {&model, &real}) {
          for (std::string& message : *side) message = comparable(words, message);
          std::sort(side->begin(), side->end());
        }
      }
      if (model != real) return seen;
    }
    first = last;
  }
  expected.clear();
  return std::nullopt;
}

std::optional<Difference> Duel::compare_all(Play& play, std::span<const Step> sequence) {
  for (int connection = 0; connection < kConnections; ++connection) {
    if (auto difference = compare(play, connection, sequence)) return difference;
  }
  return std::nullopt;
}

// What a real server has sent although the model has not.
std::optional<Difference> Duel::find_surplus(std::size_t step) {
  fence();
  for (int i = 0; i < kConnections; ++i) {
    const auto& connection = connections_[static_cast<std::size_t>(i)];
    if (connection == nullptr) continue;
    if (const auto message = connection->poll()) {
      return Difference{.step = step, .connection = i, .model = {}, .real = {std::string(*message)}};
    }
  }
  return std::nullopt;
}

std::size_t Duel::play_burst(Play& play, std::span<const Step> sequence, std::size_t begin) {
  const int connection = sequence[begin].connection;
  // Who blocks is served between two bursts on a real server, between two commands in the model.
  const std::size_t limit = play.any_blocked() ? 1 : kBurst;
  std::string bytes;
  std::vector<std::string_view> argv;
  std::size_t end = begin;
  while (end < sequence.size() && end - begin < limit && sequence[end].kind == Step::Kind::kCommand &&
         sequence[end].connection == connection) {
    argv.assign(sequence[end].words.begin(), sequence[end].words.end());
    redis::append_command(argv, bytes);
    ++end;
  }
  real_connection(connection).send(bytes);
  const redis::ConnectionId id = play.id(connection);
  for (std::size_t step = begin; step < end; ++step) {
    argv.assign(sequence[step].words.begin(), sequence[step].words.end());
    redis::Outbox outbox(&play.memory);
    play.unanswered[connection].push_back(step);
    play.server.execute(id, argv, play.now, outbox);
    play.keep(outbox, step);
  }
  commands_ += end - begin;
  return end;
}

std::optional<Difference> Duel::play(std::span<const Step> sequence) {
  reset_real();
  Play play(engine_, protocol_);
  for (std::size_t i = 0; i < sequence.size();) {
    const Step& step = sequence[i];
    const bool blocked = play.any_blocked();
    std::size_t next = i + 1;
    switch (step.kind) {
      case Step::Kind::kCommand:
        next = play_burst(play, sequence, i);
        break;
      case Step::Kind::kClock: {
        // Who is answered first is not promised, and neither is what their next commands find.
        if (play.server.timeouts_tie()) return find_surplus(i);
        play.now.us += step.clock_us;
        server_.set_clock(play.now);
        redis::Outbox outbox(&play.memory);
        play.server.wake(play.now, outbox);
        play.keep(outbox, i);
        break;
      }
      case Step::Kind::kClose:
        if (play.ids[step.connection] != redis::kNobody) play.server.disconnect(play.id(step.connection));
        play.ids[step.connection] = redis::kNobody;
        play.unanswered[step.connection].clear();
        connections_[static_cast<std::size_t>(step.connection)].reset();
        fence();
        break;
    }
    // Nobody answers a command that blocks, so that the server has read it must be seen otherwise.
    if (blocked || play.any_blocked()) fence();
    if (auto difference = compare_all(play, sequence)) return difference;
    i = next;
  }
  return find_surplus(sequence.empty() ? 0 : sequence.size() - 1);
}

}  // namespace locklapse::conformance
