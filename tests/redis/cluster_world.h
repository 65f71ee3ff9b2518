// Cluster nodes with stub servers on a small simulated network, for tests of the bus side alone.
//
// Nodes 0 .. masters-1 are masters with even shares of the slots; node masters+i replicates master
// i, and so on round again.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/redis/cluster.h"
#include "tests/redis/small_network.h"

namespace locklapse::redis {

class StubClusterServer final : public ClusterServer {
 public:
  std::int64_t replication_offset() const override { return offset; }
  std::int64_t seconds_without_master(WallTime) const override { return silent_s; }
  bool has_key(std::string_view key) const override { return keys.contains(std::string(key)); }
  void promote(WallTime) override { follows = kNoNode; }
  void follow(NodeId master, WallTime) override { follows = master; }
  void drop_keys_of(cluster::RangeSet, WallTime) override { ++drops; }

  std::int64_t offset = 1'000;
  std::int64_t silent_s = 0;
  NodeId follows = kNoNode;
  std::set<std::string> keys;
  int drops = 0;
};

class ClusterWorld : public ClusterObserver {
 public:
  struct Options {
    int masters = 3;
    int replicas = 3;
    std::int64_t node_timeout_ms = 2'000;
    std::uint64_t seed = 0;  // 0: every jitter is 0 and every latency the smallest
    std::uint32_t latency_spread_us = 300;
    int isolated_slot = -1;
    bool require_full_coverage = true;
    bool allow_reads_when_down = false;
  };

  explicit ClusterWorld(const Options& options)
      : options_(options),
        net_({options.seed, 100, options.latency_spread_us}),
        jitter_random_(options.seed, 2) {
    cluster::SlotLayout layout = cluster::SlotLayout::even(options.masters);
    if (options.isolated_slot >= 0) {
      layout.isolate(static_cast<std::uint16_t>(options.isolated_slot));
    }
    const int nodes = options.masters + options.replicas;
    ClusterConfig config;
    config.layout = layout;
    config.node_timeout_ms = options.node_timeout_ms;
    config.require_full_coverage = options.require_full_coverage;
    config.allow_reads_when_down = options.allow_reads_when_down;
    for (int i = 0; i < nodes; ++i) config.nodes.add(id(i));
    JitterSource jitter;
    if (options.seed != 0) {
      jitter.choose = [](void* world, JitterKind, std::uint32_t n) {
        return static_cast<ClusterWorld*>(world)->jitter_random_.below(n);
      };
      jitter.context = this;
    }
    for (int i = 0; i < nodes; ++i) {
      Host host;
      host.server = std::make_unique<StubClusterServer>();
      config.id = id(i);
      config.first_tick_after = options.seed == 0 ? milliseconds(1 + 17 * i)
                                                  : milliseconds(1 + jitter_random_.below(100));
      host.node = std::make_unique<ClusterNode>(memory, config, *host.server, jitter, this);
      const cluster::SlotLayout shares = cluster::SlotLayout::even(options.masters);
      for (int m = 0; m < options.masters; ++m) {
        cluster::RangeSet slots;
        for (const cluster::RangeId range : layout.all()) {
          if (static_cast<int>(shares.range_of(layout.first_slot(range))) == m) slots.add(range);
        }
        host.node->set_slots(id(m), slots, static_cast<std::uint64_t>(m + 1));
      }
      for (int r = options.masters; r < nodes; ++r) {
        host.node->set_replica(id(r), id((r - options.masters) % options.masters));
      }
      hosts_.push_back(std::move(host));
    }
    for (int i = 0; i < nodes; ++i) begin(i, ClusterNode::Start::kSettled);
  }
  ClusterWorld(const ClusterWorld&) = delete;
  ClusterWorld& operator=(const ClusterWorld&) = delete;

  static NodeId id(int i) { return NodeId{static_cast<std::uint16_t>(i)}; }
  int size() const { return static_cast<int>(hosts_.size()); }
  ClusterNode& node(int i) { return *hosts_[at(i)].node; }
  StubClusterServer& server(int i) { return *hosts_[at(i)].server; }
  CountingMemory memory;

  std::int64_t now_ms() const { return net_.now_ms(); }
  WallTime wall() const { return {kEpoch.us + net_.now_us()}; }
  void run_for(std::int64_t ms) { net_.run_for(ms); }

  void kill(int i) {
    Host& host = hosts_[at(i)];
    host.running = false;
    ++host.life;
    host.inbox.clear();
    for (int other = 0; other < size(); ++other) {
      if (other != i && hosts_[at(other)].connected_to[i] != 0) {
        answer(i, other, hosts_[at(other)].connected_to[i], cluster::LinkDown{});
      }
    }
    host.connected_to.clear();
  }
  void start(int i) { begin(i, ClusterNode::Start::kCold); }
  void pause(int i) { hosts_[at(i)].paused = true; }
  void resume(int i) {
    hosts_[at(i)].paused = false;
    for (const cluster::Packet& packet : std::exchange(hosts_[at(i)].inbox, {})) deliver(i, packet);
    tick(i, hosts_[at(i)].life);
  }
  void cut(int a, int b) { net_.cut(a, b); }
  void mend_all() { net_.mend_all(); }
  template <typename Send>
  void operate(int i, Send&& send) {
    cluster::Outbox outbox;
    send(node(i), outbox);
    send_all(i, outbox);
  }

  // Steps until `done()` holds, by 1 ms, at most `ms`; how long it took, or -1.
  template <typename Done>
  std::int64_t until(std::int64_t ms, Done&& done) {
    const std::int64_t since_ms = now_ms();
    while (now_ms() - since_ms <= ms) {
      if (done()) return now_ms() - since_ms;
      run_for(1);
    }
    return -1;
  }

  const std::vector<std::pair<std::int64_t, ClusterEvent>>& events() const { return events_; }
  std::vector<std::int64_t> when(ClusterEventKind kind, std::int64_t since_ms = 0,
                                 int by = -1) const {
    std::vector<std::int64_t> found;
    for (const auto& [ms, event] : events_) {
      if (event.kind == kind && ms >= since_ms && (by < 0 || event.by == id(by)))
        found.push_back(ms);
    }
    return found;
  }
  std::string log() const {
    std::string text;
    for (const auto& [ms, event] : events_) {
      text += std::to_string(ms) + " n" + std::to_string(static_cast<int>(event.by)) + ' ' +
              name_of(event.kind) + " about " + std::to_string(static_cast<int>(event.about)) +
              " epoch " + std::to_string(event.epoch) + " number " + std::to_string(event.number) +
              '\n';
    }
    return text;
  }

 private:
  struct Host {
    std::unique_ptr<StubClusterServer> server;
    std::unique_ptr<ClusterNode> node;
    bool running = false;
    bool paused = false;
    int life = 0;
    std::vector<cluster::Packet> inbox;  // while paused
    std::map<int, std::uint32_t> connected_to;
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  void on_cluster_event(const ClusterEvent& event) override {
    events_.emplace_back(now_ms(), event);
  }

  void begin(int i, ClusterNode::Start how) {
    Host& host = hosts_[at(i)];
    host.running = true;
    host.node->start(wall(), how);
    plan_tick(i);
  }
  void plan_tick(int i) {
    net_.at(net_.now_us() + node(i).next_wakeup_in().us(),
            [this, i, life = hosts_[at(i)].life] { tick(i, life); });
  }
  void tick(int i, int life) {
    Host& host = hosts_[at(i)];
    if (!host.running || host.paused || host.life != life) return;
    operate(i, [&](ClusterNode& node, cluster::Outbox& outbox) { node.wake(wall(), outbox); });
    plan_tick(i);
  }
  void send_all(int i, const cluster::Outbox& outbox) {
    for (const cluster::Packet& packet : outbox) {
      const int to = static_cast<int>(packet.peer);
      cluster::Packet arriving = packet;
      arriving.peer = id(i);
      if (std::holds_alternative<cluster::Connect>(packet.body)) {
        hosts_[at(i)].connected_to[to] = packet.connection;
      }
      net_.carry(i, to, [this, i, to, arriving] { arrive(to, i, arriving); });
    }
  }
  void answer(int from, int to, std::uint32_t connection, const cluster::Body& body) {
    const cluster::Packet packet{id(from), true, connection, body};
    net_.carry(from, to, [this, to, packet] { deliver(to, packet); });
  }
  void arrive(int to, int from, const cluster::Packet& packet) {
    if (std::holds_alternative<cluster::Close>(packet.body)) return;
    const bool connect = std::holds_alternative<cluster::Connect>(packet.body);
    if (!hosts_[at(to)].running) {
      if (connect) answer(to, from, packet.connection, cluster::LinkDown{});
    } else if (connect) {
      answer(to, from, packet.connection, cluster::Connected{});
    } else {
      deliver(to, packet);
    }
  }
  void deliver(int i, const cluster::Packet& packet) {
    Host& host = hosts_[at(i)];
    if (!host.running) return;
    if (host.paused) {
      host.inbox.push_back(packet);
      return;
    }
    operate(i, [&](ClusterNode& node, cluster::Outbox& outbox) {
      node.receive(packet, wall(), outbox);
    });
  }

  Options options_;
  SmallNetwork net_;
  Random jitter_random_;
  std::vector<Host> hosts_;
  std::vector<std::pair<std::int64_t, ClusterEvent>> events_;
};

}  // namespace locklapse::redis
