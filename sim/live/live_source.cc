#include "sim/live/live_source.h"

#include <exception>
#include <utility>

#include "sim/live/error.h"

namespace locklapse::live {

// Passes calls on until the first failure of the run.
class LiveSource::Node final : public redis::Backend {
 public:
  explicit Node(std::optional<Failure>& failure) : failure_(failure) {}

  void open(LiveServers& servers, const redis::ServerConfig& config, redis::KeyspaceObserver* observer) {
    attempt([&] { server_ = make_live_backend(servers, config, observer); });
  }

  redis::ConnectionId connect() override {
    // Nothing goes over the connections of a silent node, so they need not be told apart.
    return ask([&] { return server_->connect(); }, redis::ConnectionId{0});
  }
  void disconnect(redis::ConnectionId connection) override {
    attempt([&] { server_->disconnect(connection); });
  }
  void execute(redis::ConnectionId connection, redis::Argv argv, WallTime now, redis::Outbox& outbox) override {
    attempt([&] { server_->execute(connection, argv, now, outbox); });
    if (failure_) outbox.clear();
  }
  void wake(WallTime now, redis::Outbox& outbox) override {
    attempt([&] { server_->wake(now, outbox); });
    if (failure_) outbox.clear();
  }
  std::optional<WallTime> next_wakeup() const override {
    return failure_ ? std::nullopt : server_->next_wakeup();
  }
  void tell_ended_ttls(WallTime now) override {
    attempt([&] { server_->tell_ended_ttls(now); });
  }
  std::optional<std::int64_t> next_deadline_ms() const override {
    return failure_ ? std::nullopt : server_->next_deadline_ms();
  }

  std::int64_t offset() const override { return failure_ ? 0 : server_->offset(); }
  bool is_master() const override { return failure_ || server_->is_master(); }
  void follow(redis::Address master, WallTime now, redis::Outbox& outbox) override {
    attempt([&] { server_->follow(master, now, outbox); });
  }
  redis::SyncKind sync(redis::Backend& master, WallTime now) override {
    return ask([&] { return server_->sync(behind(master), now); }, redis::SyncKind::kFull);
  }
  bool receive(redis::Backend& master, std::int64_t up_to, WallTime now, redis::Outbox& outbox) override {
    return ask([&] { return server_->receive(behind(master), up_to, now, outbox); }, false);
  }
  void promote(WallTime now, redis::Outbox& outbox) override {
    attempt([&] { server_->promote(now, outbox); });
  }
  void acknowledged(redis::ReplicaId replica, redis::Address address, std::int64_t offset, WallTime now,
                    redis::Outbox& outbox) override {
    attempt([&] { server_->acknowledged(replica, address, offset, now, outbox); });
  }
  void replica_lost(redis::ReplicaId replica, WallTime now) override {
    attempt([&] { server_->replica_lost(replica, now); });
  }
  void master_lost(WallTime now) override {
    attempt([&] { server_->master_lost(now); });
  }
  bool take_acknowledgement_request() override {
    return ask([&] { return server_->take_acknowledgement_request(); }, false);
  }
  bool take_role_change() override {
    return ask([&] { return server_->take_role_change(); }, false);
  }
  redis::Address master_address() const override {
    return failure_ ? redis::Address{} : server_->master_address();
  }

  void stop(redis::StopKind kind, WallTime now) override {
    attempt([&] { server_->stop(kind, now); });
  }
  void start(WallTime now) override {
    attempt([&] { server_->start(now); });
  }
  void save(WallTime now) override {
    attempt([&] { server_->save(now); });
  }

 private:
  static redis::Backend& behind(redis::Backend& node) { return *static_cast<Node&>(node).server_; }

  template <typename Call>
  void attempt(Call call) {
    if (failure_) return;
    try {
      call();
    } catch (const NotRunnable& error) {
      failure_ = {true, error.what()};
    } catch (const std::exception& error) {
      failure_ = {false, error.what()};
    }
  }
  template <typename Call, typename Answer>
  Answer ask(Call call, Answer when_failed) {
    Answer answer = when_failed;
    attempt([&] { answer = call(); });
    return answer;
  }

  std::optional<Failure>& failure_;
  std::unique_ptr<redis::Backend> server_;  // null where it could not be opened
};

LiveSource::LiveSource(RealServerOptions options) : servers_(std::move(options)) {}

LiveSource::~LiveSource() = default;

void LiveSource::begin_run() {
  nodes_.clear();
  failure_.reset();
}

redis::Backend& LiveSource::make(Arena&, const redis::ServerConfig& config, redis::KeyspaceObserver* observer) {
  nodes_.push_back(std::make_unique<Node>(failure_));
  nodes_.back()->open(servers_, config, observer);
  return *nodes_.back();
}

}  // namespace locklapse::live
