// Sentinels and stub Redis nodes on a small simulated network, for tests of the sentinel alone.
//
// Node 0 is the first master, the others replicate it; sentinels come after them as hosts. A
// connection delivers in order. What is sent over a cut pair of hosts waits, as in TCP, until the
// cut is mended.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/random.h"
#include "sim/redis/sentinel.h"
#include "tests/redis/small_network.h"

namespace locklapse::redis {

using SentinelEvents = std::vector<std::pair<std::int64_t, SentinelEvent>>;  // true ms

class SentinelWorld : public SentinelObserver {
 public:
  struct Options {
    int nodes = 3;
    int sentinels = 3;
    int quorum = 2;
    std::int64_t down_after_ms = 2'000;
    std::int64_t failover_timeout_ms = 180'000;
    std::uint64_t seed = 0;  // 0: every jitter is 0 and every latency the smallest
    std::int64_t latency_us = 100;
    std::uint32_t latency_spread_us = 0;  // with a seed: up to this much more
  };

  explicit SentinelWorld(const Options& options)
      : options_(options),
        net_({options.seed, options.latency_us, options.latency_spread_us}),
        jitter_random_(options.seed, 2) {
    for (int i = 0; i < options.nodes; ++i) {
      Node node;
      node.run_id = static_cast<std::uint64_t>(100 + i);
      node.master = i == 0 ? kNoNode : NodeId{0};
      node.offset = 1'000;
      nodes_.push_back(node);
    }
    for (int i = 0; i < options.sentinels; ++i) {
      SentinelConfig config;
      config.id = SentinelId{static_cast<std::uint16_t>(i)};
      config.master = NodeId{0};
      config.quorum = options.quorum;
      config.down_after_ms = options.down_after_ms;
      config.failover_timeout_ms = options.failover_timeout_ms;
      config.first_tick_after = milliseconds(10 + 37 * i);
      JitterSource jitter;
      if (options.seed != 0) {
        jitter.choose = [](void* world, JitterKind, std::uint32_t n) {
          return static_cast<SentinelWorld*>(world)->jitter_random_.below(n);
        };
        jitter.context = this;
      }
      sentinels_.push_back({std::make_unique<Sentinel>(memory, config, jitter, this)});
      start_sentinel(i);
    }
  }

  SentinelWorld(const SentinelWorld&) = delete;
  SentinelWorld& operator=(const SentinelWorld&) = delete;

  Sentinel& sentinel(int i) { return *sentinels_[at(i)].sentinel; }
  CountingMemory memory;

  std::int64_t now_ms() const { return net_.now_ms(); }

  void run_for(std::int64_t ms) { net_.run_for(ms); }

  // --- faults at nodes
  void kill_node(int i) {
    Node& node = nodes_[at(i)];
    node.running = false;
    node.inbox.clear();
    for (const Connection& connection : std::exchange(node.connections, {})) reset(i, connection);
  }
  void start_node(int i) {
    Node& node = nodes_[at(i)];
    node.running = true;
    node.run_id += 1'000;
  }
  void pause_node(int i) { nodes_[at(i)].paused = true; }
  void resume_node(int i) {
    nodes_[at(i)].paused = false;
    for (const auto& [from, packet] : std::exchange(nodes_[at(i)].inbox, {})) {
      serve_node(i, from, packet);
    }
  }
  bool is_master(int i) const { return nodes_[at(i)].master == kNoNode; }
  NodeId follows(int i) const { return nodes_[at(i)].master; }
  void set_offset(int i, std::int64_t offset) { nodes_[at(i)].offset = offset; }
  void set_priority(int i, int priority) { nodes_[at(i)].priority = priority; }
  // When the node last became a master or a replica by command; -1 never.
  std::int64_t role_changed_ms(int i) const { return nodes_[at(i)].role_changed_ms; }

  // --- faults at sentinels
  void kill_sentinel(int i) {
    sentinels_[at(i)].running = false;
    ++sentinels_[at(i)].life;
    for (auto& [key, to] : inbound_) {
      if (key.second == i)
        net_.carry(to.first, to.first, [this, to = to] { deliver_sentinel(to.first, to.second); });
    }
    std::erase_if(inbound_, [i](const auto& entry) { return entry.first.second == i; });
  }
  void start_sentinel(int i) {
    sentinels_[at(i)].running = true;
    sentinels_[at(i)].sentinel->start(wall(i));
    plan_tick(i);
  }
  void pause_sentinel_for(int i, std::int64_t ms) {
    sentinels_[at(i)].paused_until_us = net_.now_us() + ms * 1'000;
  }
  void step_clock(int i, std::int64_t ms) { sentinels_[at(i)].clock_offset_us += ms * 1'000; }

  // --- the network. Hosts: nodes 0 .. n-1, sentinels n ..
  int host_of_sentinel(int i) const { return options_.nodes + i; }
  void cut(int a, int b) { net_.cut(a, b); }
  void mend_all() { net_.mend_all(); }

  // --- what the sentinels said of themselves
  const SentinelEvents& events() const { return events_; }
  // Instants of a kind since `since_ms`, in order; by one sentinel or by any (-1).
  std::vector<std::int64_t> when(SentinelEventKind kind, std::int64_t since_ms = 0,
                                 int by = -1) const {
    std::vector<std::int64_t> found;
    for (const auto& [ms, event] : events_) {
      const bool whose = by < 0 || event.by == SentinelId{static_cast<std::uint16_t>(by)};
      if (event.kind == kind && ms >= since_ms && whose) found.push_back(ms);
    }
    return found;
  }
  std::vector<std::int64_t> when_about(SentinelEventKind kind, sentinel::Peer about,
                                       std::int64_t since_ms) const {
    std::vector<std::int64_t> found;
    for (const auto& [ms, event] : events_) {
      if (event.kind == kind && ms >= since_ms && event.about == about) found.push_back(ms);
    }
    return found;
  }
  std::string log() const {
    std::string text;
    for (const auto& [ms, event] : events_) {
      text += std::to_string(ms) + " s" + std::to_string(static_cast<int>(event.by)) + ' ' +
              name_of(event.kind) + ' ' + (event.about.is_sentinel ? "s" : "n") +
              std::to_string(event.about.index) + " epoch " + std::to_string(event.epoch) + '\n';
    }
    return text;
  }

 private:
  struct Connection {
    int sentinel;
    sentinel::Channel channel;
    std::uint32_t number;
    bool operator==(const Connection&) const = default;
  };
  struct Node {
    bool running = true;
    bool paused = false;
    std::uint64_t run_id = 0;
    NodeId master = kNoNode;
    std::int64_t offset = 0;
    int priority = 100;
    std::int64_t role_changed_ms = -1;
    std::int64_t follows_since_ms = -10'000;
    std::int64_t link_lost_ms = -1;
    std::vector<Connection> connections;
    std::vector<std::pair<int, sentinel::Packet>> inbox;  // while paused
  };
  struct SentinelHost {
    std::unique_ptr<Sentinel> sentinel;
    bool running = false;
    int life = 0;
    std::int64_t clock_offset_us = 0;
    std::int64_t paused_until_us = 0;
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  WallTime wall(int i) const {
    return {kEpoch.us + net_.now_us() + sentinels_[at(i)].clock_offset_us};
  }

  void on_sentinel_event(const SentinelEvent& event) override {
    events_.emplace_back(now_ms(), event);
  }

  void plan_tick(int i) {
    SentinelHost& host = sentinels_[at(i)];
    const std::int64_t at_us =
        std::max(net_.now_us() + host.sentinel->next_wakeup_in().us(), host.paused_until_us);
    net_.at(at_us, [this, i, life = host.life] { tick(i, life); });
  }
  void tick(int i, int life) {
    SentinelHost& host = sentinels_[at(i)];
    if (!host.running || host.life != life) return;
    if (host.paused_until_us > net_.now_us()) return plan_tick(i);
    sentinel::Outbox outbox;
    host.sentinel->wake(wall(i), outbox);
    send_all(i, outbox);
    plan_tick(i);
  }

  void send_all(int i, const sentinel::Outbox& outbox) {
    for (const sentinel::Packet& packet : outbox) {
      const int from = host_of_sentinel(i);
      if (!packet.peer.is_sentinel) {
        net_.carry(from, packet.peer.index,
                   [this, i, packet] { arrive_at_node(packet.peer.index, i, packet); });
        continue;
      }
      sentinel::Packet arriving = packet;
      arriving.peer = sentinel::peer(SentinelId{static_cast<std::uint16_t>(i)});
      const int to = packet.peer.index;
      net_.carry(from, host_of_sentinel(to),
                 [this, i, to, arriving] { arrive_at_sentinel(to, i, arriving); });
    }
  }
  void arrive_at_sentinel(int to, int from, const sentinel::Packet& packet) {
    if (std::holds_alternative<sentinel::Close>(packet.body)) return;
    if (!sentinels_[at(to)].running) {
      sentinel::Packet down{sentinel::peer(SentinelId{static_cast<std::uint16_t>(to)}),
                            packet.channel, packet.connection, sentinel::LinkDown{}};
      net_.carry(host_of_sentinel(to), host_of_sentinel(from),
                 [this, from, down] { deliver_sentinel(from, down); });
      return;
    }
    if (std::holds_alternative<sentinel::Connect>(packet.body)) {
      inbound_[{from, to}] = {from,
                              {sentinel::peer(SentinelId{static_cast<std::uint16_t>(to)}),
                               packet.channel, packet.connection, sentinel::LinkDown{}}};
      return;
    }
    deliver_sentinel(to, packet);
  }
  void deliver_sentinel(int i, const sentinel::Packet& packet) {
    SentinelHost& host = sentinels_[at(i)];
    if (!host.running) return;
    if (host.paused_until_us > net_.now_us()) {
      net_.at(host.paused_until_us, [this, i, packet] { deliver_sentinel(i, packet); });
      return;
    }
    sentinel::Outbox outbox;
    host.sentinel->receive(packet, wall(i), outbox);
    send_all(i, outbox);
  }

  void answer(int node, const Connection& to, const sentinel::Body& body) {
    const sentinel::Packet packet{sentinel::peer(NodeId{static_cast<std::uint16_t>(node)}),
                                  to.channel, to.number, body};
    net_.carry(node, host_of_sentinel(to.sentinel),
               [this, to, packet] { deliver_sentinel(to.sentinel, packet); });
  }
  void reset(int node, const Connection& connection) {
    answer(node, connection, sentinel::LinkDown{});
  }

  void arrive_at_node(int i, int from, const sentinel::Packet& packet) {
    Node& node = nodes_[at(i)];
    const Connection connection{from, packet.channel, packet.connection};
    if (!node.running) return reset(i, connection);
    if (std::holds_alternative<sentinel::Connect>(packet.body)) {
      node.connections.push_back(connection);
    } else if (node.paused) {
      node.inbox.emplace_back(from, packet);
    } else {
      serve_node(i, from, packet);
    }
  }
  void serve_node(int i, int from, const sentinel::Packet& packet) {
    Node& node = nodes_[at(i)];
    const Connection connection{from, packet.channel, packet.connection};
    if (std::find(node.connections.begin(), node.connections.end(), connection) ==
        node.connections.end()) {
      return;
    }
    if (std::holds_alternative<sentinel::Close>(packet.body)) {
      std::erase(node.connections, connection);
    } else if (std::holds_alternative<sentinel::Ping>(packet.body)) {
      answer(i, connection, sentinel::Pong{});
    } else if (std::holds_alternative<sentinel::Info>(packet.body)) {
      answer(i, connection, info(i));
    } else if (const auto* published = std::get_if<sentinel::Publish>(&packet.body)) {
      answer(i, connection, sentinel::Published{});
      for (const Connection& to : node.connections) {
        if (to.channel == sentinel::Channel::kPubSub)
          answer(i, to, sentinel::Heard{published->hello});
      }
    } else if (const auto* slave_of = std::get_if<sentinel::SlaveOf>(&packet.body)) {
      node.master = slave_of->master;
      node.role_changed_ms = node.follows_since_ms = now_ms();
      for (const Connection& to : std::exchange(node.connections, {connection})) {
        if (to != connection) reset(i, to);
      }
      answer(i, connection, sentinel::Done{});
    } else {
      answer(i, connection, sentinel::Done{});
    }
  }
  // A replica is up with its master a second after it was told to follow it.
  bool follows_well(const Node& node) const {
    const int m = static_cast<int>(node.master);
    const Node& master = nodes_[at(m)];
    return master.running && !master.paused && now_ms() - node.follows_since_ms >= 1'000 &&
           !net_.is_cut(static_cast<int>(&node - nodes_.data()), m);
  }
  sentinel::InfoReply info(int i) {
    Node& node = nodes_[at(i)];
    sentinel::InfoReply reply;
    reply.run_id = node.run_id;
    reply.offset = node.offset;
    reply.priority = node.priority;
    if (node.master == kNoNode) {
      reply.role = sentinel::Role::kMaster;
      for (int r = 0; r < options_.nodes; ++r) {
        const Node& replica = nodes_[at(r)];
        if (replica.running && replica.master == NodeId{static_cast<std::uint16_t>(i)} &&
            follows_well(replica)) {
          reply.replicas.add(NodeId{static_cast<std::uint16_t>(r)});
        }
      }
      return reply;
    }
    reply.role = sentinel::Role::kReplica;
    reply.master = node.master;
    reply.master_link_up = follows_well(node);
    if (reply.master_link_up) {
      node.link_lost_ms = -1;
    } else {
      if (node.link_lost_ms < 0) node.link_lost_ms = now_ms();
      reply.master_link_down_s = (now_ms() - node.link_lost_ms) / 1'000;
    }
    return reply;
  }

  Options options_;
  SmallNetwork net_;
  Random jitter_random_;
  std::vector<Node> nodes_;
  std::vector<SentinelHost> sentinels_;
  // The connection a sentinel has to another, and what tells it that it is gone.
  std::map<std::pair<int, int>, std::pair<int, sentinel::Packet>> inbound_;
  SentinelEvents events_;
};

}  // namespace locklapse::redis
