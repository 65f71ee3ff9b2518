#include "sim/live/live_backend.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sim/live/error.h"
#include "sim/live/key_mirror.h"
#include "sim/redis/ascii.h"
#include "sim/redis/command_table.h"
#include "sim/redis/number.h"
#include "sim/redis/resp.h"

namespace locklapse::live {

namespace {

using redis::Argv;
using redis::ConnectionId;
using redis::Outbox;
using redis::Reply;

// The model's expiry cycle runs at these ticks.
constexpr std::int64_t kTickMs = 100;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
// A reply that is not here after this long is looked for behind a fence.
constexpr std::chrono::milliseconds kFenceAfter{200};

// A command that has not been answered.
struct Unanswered {
  std::string name;             // lower case
  std::vector<std::string> words;
  bool held = false;            // it waits, or waited, behind one that blocks
  bool blocks = false;          // it has begun to
  std::int64_t until_ms = 0;    // 0: for ever
  std::uint64_t blocked_as = 0; // whoever has waited longest is served first
};

struct Client {
  Client(ConnectionId client_id, Connection opened) : id(client_id), connection(std::move(opened)) {}

  ConnectionId id;
  Connection connection;
  std::deque<Unanswered> unanswered;
  bool subscribed = false;
  int db = 0;
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = redis::to_lower(c);
  return out;
}

// Up to when a command that has begun to block at `now` does so.
std::int64_t blocks_until_ms(const Unanswered& command, WallTime now) {
  long double ms = 0;
  if (command.name == "wait") {
    if (command.words.size() < 3 || !redis::parse_long_double(command.words[2], ms)) return 0;
  } else {
    if (!redis::parse_long_double(command.words.back(), ms)) return 0;
    ms = std::ceil(ms * 1000);
  }
  return ms <= 0 || ms > 1e15L ? 0 : now.ms() + static_cast<std::int64_t>(ms);
}

bool may_block(std::string_view name) {
  return name == "wait" || name == "blpop" || name == "brpop" || name == "blmove" || name == "brpoplpush" ||
         name == "bzpopmin" || name == "bzpopmax";
}

// Commands that read, and nothing else: with no dead key about they change nothing.
bool only_reads(std::string_view name) {
  const redis::CommandSpec* spec = redis::find_command(name, redis::Dialect::kRedis70);
  return spec != nullptr && spec->flags == redis::kReadOnly;
}

bool is_message(const Reply& reply) {
  if (reply.elements().size() < 3) return false;
  const std::string_view kind = reply.elements()[0].text();
  return kind == "message" || kind == "pmessage";
}

bool is_confirmation(const Reply& reply) {
  return reply.elements().size() == 3 && reply.elements()[0].text().ends_with("subscribe");
}

constexpr const char* kNoReplication = "replication between real servers is not there yet";

[[noreturn]] void refuse_replication() { throw NotRunnable(kNoReplication); }

// Commands that would blind or lock out whoever watches the server, reach beyond it, or make it wait by the machine's
// time.
void refuse_unsafe(Argv argv, std::string_view name) {
  const auto is_one_of = [name](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto second_is = [argv](std::string_view word) { return argv.size() > 1 && redis::is_word(argv[1], word); };
  if (is_one_of({"replicaof", "slaveof", "psync", "sync", "replconf", "failover"})) refuse_replication();
  const bool refused = is_one_of({"debug", "shutdown", "monitor", "migrate", "cluster", "module", "acl"}) ||
                       (name == "config" && (second_is("set") || second_is("rewrite"))) ||
                       (name == "client" && second_is("kill"));
  if (!refused) return;
  std::string shown(name);
  for (char& c : shown) c = redis::to_upper(c);
  if (name == "config") shown += second_is("set") ? " SET" : " REWRITE";
  if (name == "client") shown += " KILL";
  throw NotRunnable(shown + " is not sent to a real server: it would change how the run controls or observes it");
}

// What a redis-server must be told of a configuration.
std::vector<std::string> arguments_of(const redis::ServerConfig& config) {
  using Kind = redis::PersistenceKind;
  if (config.replication.propagates) refuse_replication();
  if (config.dialect != redis::Dialect::kRedis70) {
    throw NotRunnable("the real server here is of the 7.0 line; other dialects are modelled only");
  }
  if (config.memory.max_bytes > 0) {
    throw NotRunnable("which keys a real server evicts depends on its allocator and its random numbers");
  }
  if (config.notify != 0) {
    throw NotRunnable("notifications are what a real server is observed by, so clients cannot have them");
  }
  if (!config.password.empty()) throw NotRunnable("a real server is started without a password");
  if (config.persistence.loading_ms > 0) {
    throw NotRunnable("how long a real server loads is the machine's affair");
  }
  switch (config.persistence.kind) {
    case Kind::kNone:
    case Kind::kRdb: return {};
    case Kind::kAofAlways: return {"--appendonly", "yes", "--appendfsync", "always"};
    case Kind::kAofEverySecond: return {"--appendonly", "yes", "--appendfsync", "everysec"};
    case Kind::kAofNo: return {"--appendonly", "yes", "--appendfsync", "no"};
  }
  return {};
}

class LiveBackend final : public redis::Backend {
 public:
  LiveBackend(LiveServers& servers, const redis::ServerConfig& config, redis::KeyspaceObserver* observer)
      : servers_(servers),
        arguments_(arguments_of(config)),
        server_(servers.take(arguments_)),
        config_(config),
        mirror_(observer) {}

  ~LiveBackend() override {
    clients_.clear();
    try {
      if (reusable_) {
        server_->fence();
        servers_.give_back(arguments_, std::move(server_));
      }
    } catch (const std::exception&) {
      // A server that does not answer is not kept.
    }
  }

  ConnectionId connect() override {
    const ConnectionId id{next_id_++};
    clients_.emplace(id, Client(id, server_->connect()));
    return id;
  }

  void disconnect(ConnectionId connection) override {
    if (clients_.erase(connection) > 0) server_->fence();
  }

  void execute(ConnectionId connection, Argv argv, WallTime now, Outbox& outbox) override;
  void wake(WallTime now, Outbox& outbox) override;
  std::optional<WallTime> next_wakeup() const override;
  void tell_ended_ttls(WallTime now) override { mirror_.tell_ended_ttls(now.ms()); }
  std::optional<std::int64_t> next_deadline_ms() const override { return mirror_.next_untold_ms(); }

  std::int64_t offset() const override { return 0; }
  bool is_master() const override { return true; }
  void follow(redis::Address, WallTime, Outbox&) override { refuse_replication(); }
  redis::SyncKind sync(redis::Backend&, WallTime) override { refuse_replication(); }
  bool receive(redis::Backend&, std::int64_t, WallTime, Outbox&) override { refuse_replication(); }
  void promote(WallTime, Outbox&) override { refuse_replication(); }
  void acknowledged(redis::ReplicaId, redis::Address, std::int64_t, WallTime, Outbox&) override {
    refuse_replication();
  }
  void replica_lost(redis::ReplicaId, WallTime) override { refuse_replication(); }
  void master_lost(WallTime) override { refuse_replication(); }
  bool take_acknowledgement_request() override { return false; }
  bool take_role_change() override { return false; }
  redis::Address master_address() const override { return {}; }

  void stop(redis::StopKind kind, WallTime now) override;
  void start(WallTime now) override;
  void save(WallTime now) override;

 private:
  // Delivers what clients have been sent; returns whether there was anything.
  bool collect(Outbox& outbox, std::vector<Taken>& taken);
  void receive(Client& client, Outbox& outbox, std::vector<Taken>& taken);
  void drop(ConnectionId id, Outbox& outbox);
  void settle(WallTime now, ConnectionId by, Outbox& outbox);
  void note_silent(Argv argv, std::string_view name);

  LiveServers& servers_;
  const std::vector<std::string> arguments_;
  std::unique_ptr<LiveServer> server_;
  const redis::ServerConfig config_;
  KeyMirror mirror_;
  std::map<ConnectionId, Client> clients_;
  std::uint32_t next_id_ = 0;
  std::uint64_t blocked_ = 0;
  std::optional<ConnectionId> held_ran_;
  bool reusable_ = true;  // by another run
  // FLUSHALL, FLUSHDB and SWAPDB send no notification. Once such a word has come up, all keys are looked at after
  // whatever might have run it.
  bool silent_seen_ = false;
  bool silent_possible_ = false;
};

void LiveBackend::execute(ConnectionId connection, Argv argv, WallTime now, Outbox& outbox) {
  const auto found = clients_.find(connection);
  if (found == clients_.end() || argv.empty()) return;
  const std::string name = lower(argv[0]);
  refuse_unsafe(argv, name);
  server_->set_clock(now);
  Client& client = found->second;
  // What the model does not know may leave something behind that a reset does not remove.
  if (redis::find_command(name, redis::Dialect::kRedis70) == nullptr) reusable_ = false;
  std::string bytes;
  redis::append_command(argv, bytes);
  client.connection.send(bytes);
  const bool held = !client.unanswered.empty();
  client.unanswered.push_back({.name = name, .words = {argv.begin(), argv.end()}, .held = held});
  note_silent(argv, name);

  std::vector<Taken> taken;
  const std::size_t begin = outbox.size();
  if (!held && !may_block(name)) {
    if (client.connection.poll(kFenceAfter)) receive(client, outbox, taken);
  }
  const auto dead = mirror_.earliest_deadline_ms();
  const bool answered = client.unanswered.empty();
  if (answered && only_reads(name) && (!dead || now.ms() <= *dead)) return;
  settle(now, connection, outbox);
  // A server writes what a command causes for others before its own reply, but what it unblocks after it.
  std::stable_partition(outbox.begin() + static_cast<std::ptrdiff_t>(begin), outbox.end(),
                        [&](const redis::Delivery& sent) { return sent.push && sent.to != connection; });
}

void LiveBackend::wake(WallTime now, Outbox& outbox) {
  server_->set_clock(now);
  server_->fence();
  settle(now, redis::kNobody, outbox);
  if (!config_.active_expire) return;
  const std::int64_t tick_ms = now.ms() - ((now.ms() % kTickMs) + kTickMs) % kTickMs;
  for (const KeyId& key : mirror_.dead_at(tick_ms)) server_->touch(key);
  settle(now, redis::kNobody, outbox);
}

std::optional<WallTime> LiveBackend::next_wakeup() const {
  std::int64_t earliest_ms = kNever;
  for (const auto& [id, client] : clients_) {
    if (client.unanswered.empty() || !client.unanswered.front().blocks) continue;
    const std::int64_t until_ms = client.unanswered.front().until_ms;
    // A blocked command times out once its time lies in the past.
    if (until_ms != 0) earliest_ms = std::min(earliest_ms, until_ms + 1);
  }
  constexpr std::int64_t kLatestMs = kNever / 1000 - kTickMs;
  if (const auto deadline_ms = mirror_.earliest_deadline_ms();
      config_.active_expire && deadline_ms && *deadline_ms <= kLatestMs) {
    const std::int64_t floor = *deadline_ms - ((*deadline_ms % kTickMs) + kTickMs) % kTickMs;
    earliest_ms = std::min(earliest_ms, floor + kTickMs);
  }
  if (earliest_ms == kNever) return std::nullopt;
  return WallTime{earliest_ms * 1000};
}

void LiveBackend::receive(Client& client, Outbox& outbox, std::vector<Taken>& taken) {
  Reply reply = client.connection.reply(outbox.get_allocator());
  const bool listens = client.subscribed || reply.type() == Reply::Type::kPush;
  if (listens && is_message(reply) && is_notification(reply)) return;
  const bool confirmation = is_confirmation(reply);
  if (confirmation) client.subscribed = reply.elements()[2].integer() > 0;
  const bool push = (listens && is_message(reply)) || client.unanswered.empty();
  if (!push) {
    const Unanswered answered = std::move(client.unanswered.front());
    client.unanswered.pop_front();
    if (answered.held && !answered.blocks) held_ran_ = client.id;
    if (answered.name == "reset") {
      client.subscribed = false;
      client.db = 0;
    }
    std::int64_t db = 0;
    if (answered.name == "select" && reply.is_ok() && redis::parse_int64(answered.words[1], db)) {
      client.db = static_cast<int>(db);
    }
    if (answered.blocks && reply.elements().size() == 2) {
      taken.push_back({.by = client.id, .key = {client.db, std::string(reply.elements()[0].text())},
                       .element = std::string(reply.elements()[1].text())});
    }
  }
  outbox.push_back({client.id, std::move(reply), push});
}

bool LiveBackend::collect(Outbox& outbox, std::vector<Taken>& taken) {
  std::vector<std::pair<std::uint64_t, Client*>> order;
  for (auto& [id, client] : clients_) {
    order.emplace_back(client.unanswered.empty() ? 0 : client.unanswered.front().blocked_as, &client);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  bool any = false;
  for (const auto& [blocked_as, client] : order) {
    while (client->connection.poll()) {
      receive(*client, outbox, taken);
      any = true;
    }
    if (client->connection.closed()) drop(client->id, outbox);
  }
  return any;
}

// The server has closed the connection: it says so with the last thing it sent.
void LiveBackend::drop(ConnectionId id, Outbox& outbox) {
  const auto last = std::find_if(outbox.rbegin(), outbox.rend(),
                                 [&](const redis::Delivery& sent) { return sent.to == id; });
  if (last != outbox.rend()) last->closes = true;
  clients_.erase(id);
}

void LiveBackend::settle(WallTime now, ConnectionId by, Outbox& outbox) {
  held_ran_.reset();
  std::vector<Taken> taken;
  std::vector<KeyEvent> events;
  const auto waits = [](const auto& entry) { return !entry.second.unanswered.empty(); };
  for (bool more = true; more;) {
    // Whoever has just been unblocked may have sent more, which may unblock others.
    if (std::any_of(clients_.begin(), clients_.end(), waits)) server_->fence();
    for (KeyEvent& event : server_->take_events()) events.push_back(std::move(event));
    more = collect(outbox, taken) && std::any_of(clients_.begin(), clients_.end(), waits);
  }
  for (auto& [id, client] : clients_) {
    if (client.unanswered.empty() || client.unanswered.front().blocks) continue;
    Unanswered& first = client.unanswered.front();
    first.blocks = true;
    first.until_ms = blocks_until_ms(first, now);
    first.blocked_as = ++blocked_;
  }
  if (!events.empty()) {
    const std::vector<KeyId> keys = touched(events);
    const std::vector<KeyState> states = server_->look(keys);
    std::map<KeyId, KeyState> by_key;
    for (std::size_t i = 0; i < keys.size(); ++i) by_key.emplace(keys[i], states[i]);
    // Time itself does nothing but let commands run that had waited.
    mirror_.apply(events, by_key, by == redis::kNobody ? held_ran_.value_or(by) : by, taken);
  }
  if (std::exchange(silent_possible_, false)) mirror_.changed_silently(server_->look_at_all(), by, now.ms());
}

void LiveBackend::stop(redis::StopKind kind, WallTime now) {
  using Persistence = redis::PersistenceKind;
  const Persistence keeps = config_.persistence.kind;
  if (kind == redis::StopKind::kMachineCrash &&
      (keeps == Persistence::kAofEverySecond || keeps == Persistence::kAofNo)) {
    throw NotRunnable("what a power failure takes of a file that was not synced can only be modelled");
  }
  server_->set_clock(now);
  reusable_ = false;
  clients_.clear();
  if (kind == redis::StopKind::kShutdown) {
    server_->shut_down(keeps == Persistence::kRdb);
  } else {
    server_->kill();
  }
}

void LiveBackend::start(WallTime now) {
  server_->set_clock(now);
  server_->start();
  mirror_.replaced(server_->look_at_all());
}

void LiveBackend::save(WallTime now) {
  server_->set_clock(now);
  if (const auto reply = server_->call({"SAVE"}); reply != "+OK\r\n") throw Error("SAVE: " + reply);
}

void LiveBackend::note_silent(Argv argv, std::string_view name) {
  for (const std::string_view word : argv) {
    const std::string text = lower(word);
    if (text.find("flush") != std::string::npos || text.find("swapdb") != std::string::npos) silent_seen_ = true;
  }
  const bool itself = name.starts_with("flush") || name == "swapdb";
  const bool runs_others = name == "exec" || name.starts_with("eval") || name == "fcall";
  silent_possible_ = itself || (silent_seen_ && runs_others);
}

}  // namespace

std::unique_ptr<LiveServer> LiveServers::take(const std::vector<std::string>& arguments) {
  auto& idle = idle_[arguments];
  if (!idle.empty()) {
    auto server = std::move(idle.back());
    idle.pop_back();
    server->reset(kEpoch);
    return server;
  }
  RealServerOptions options = options_;
  options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
  return std::make_unique<LiveServer>(std::move(options), kEpoch);
}

void LiveServers::give_back(const std::vector<std::string>& arguments, std::unique_ptr<LiveServer> server) {
  idle_[arguments].push_back(std::move(server));
}

std::unique_ptr<redis::Backend> make_live_backend(LiveServers& servers, const redis::ServerConfig& config,
                                                  redis::KeyspaceObserver* observer) {
  return std::make_unique<LiveBackend>(servers, config, observer);
}

}  // namespace locklapse::live
