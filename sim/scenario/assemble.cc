#include "sim/scenario/assemble.h"

#include <algorithm>
#include <charconv>

namespace locklapse::scenario {

namespace {

constexpr std::string_view kFixedToken = "locked";

std::int64_t ms_of(const std::optional<Duration>& duration) { return duration ? duration->ms() : 0; }

class Assembly {
 public:
  Assembly(const Scenario& scenario, const Strategy& strategy, World& world)
      : scenario_(scenario), strategy_(strategy), world_(world) {}

  void build(const Guard& guard, redis::BackendSource& nodes) {
    for (const Host& host : scenario_.hosts) world_.add_host(host.name, host.skew, host.drift_ppm);
    for (const Process& process : scenario_.processes) {
      world_.add_process(process.name, static_cast<PlaceId>(process.host));
    }
    redis::ServerConfig config;
    config.active_expire = scenario_.redis.active_expire;
    world_.add_node("redis", scenario_.redis.skew, scenario_.redis.drift_ppm, nodes, config);
    add_resources(guard);
    for (const Client& client : scenario_.clients) add_client(client);
    for (std::size_t i = 0; i < scenario_.faults.size(); ++i) {
      add_fault(scenario_.faults[i], static_cast<std::uint32_t>(i));
    }
  }

 private:
  void add_resources(const Guard& guard) {
    resources_.resize(scenario_.resources.size(), nullptr);
    for (std::size_t i = 0; i < scenario_.resources.size(); ++i) {
      if (!scenario_.resource) break;
      const ResourcePlan plan{scenario_.resource->stock, scenario_.resource->take, guard};
      resources_[i] = &world_.add_resource(scenario_.resources[i], plan);
    }
  }

  // What the history calls the key: databases other than 0 are part of the name.
  std::string_view lock_name(const Client& client) {
    if (client.db == 0) return client.key;
    char prefix[16] = "db";
    char* end = std::to_chars(prefix + 2, prefix + sizeof prefix - 1, client.db).ptr;
    *end++ = '/';
    const auto length = static_cast<std::size_t>(end - prefix);
    char* text = static_cast<char*>(world_.arena.take(length + client.key.size()));
    std::copy(prefix, end, text);
    std::copy(client.key.begin(), client.key.end(), text + length);
    return {text, length + client.key.size()};
  }

  void add_client(const Client& client) {
    const Process& process = scenario_.processes[client.process];
    ClientPlan plan;
    plan.info.name = client.name;
    plan.info.process = static_cast<PlaceId>(client.process);
    plan.info.host = static_cast<PlaceId>(process.host);
    plan.info.resource = static_cast<PlaceId>(client.resource);
    plan.info.db = client.db;
    plan.info.key = client.key;
    plan.info.lock_name = lock_name(client);
    plan.info.thread = client.thread.empty() ? client.name : client.thread;
    plan.info.ttl_ms = ms_of(client.ttl);
    plan.policy = client.policy;
    const ContenderPlan life = contender_plan(client, process);
    plan.info.renews = life.renewal.enabled;
    plan.renews_in_work_thread = life.renewal.in_work_thread;
    locklapse::Resource* guarded = client.resource < resources_.size() ? resources_[client.resource] : nullptr;
    world_.arena.make<Contender>(world_.add_client(plan, guarded), strategy_, life);
  }

  ContenderPlan contender_plan(const Client& client, const Process& process) const {
    ContenderPlan plan;
    plan.at = client.at;
    plan.work = client.work;
    plan.call = client.call;
    plan.retry = client.retry;
    plan.renewal = renewal_plan(client);
    plan.rounds = client.rounds;
    plan.think = client.think;
    set_token(client, plan);
    plan.process_name = process.name;
    plan.ttl_ms = ms_of(client.ttl);
    plan.renewal_ttl_ms = ms_of(scenario_.lock.renew.ttl ? scenario_.lock.renew.ttl : client.ttl);
    plan.at_least_for = scenario_.lock.at_least_for;
    plan.clean_up = scenario_.lock.clean_up;
    plan.order = client.order;
    plan.commit_after_release = client.commit_after_release;
    plan.nest = client.nest;
    if (client.nest_ttl) plan.nest_ttl_ms = client.nest_ttl->ms();
    plan.fail_open = client.fail_open;
    plan.release = client.release;
    return plan;
  }

  RenewalPlan renewal_plan(const Client& client) const {
    const Renewal& renew = scenario_.lock.renew;
    RenewalPlan plan;
    // Without a TTL there is nothing to prolong.
    plan.enabled = renew.enabled.value_or(strategy_.info().renews) && client.ttl.has_value();
    if (!plan.enabled) return plan;
    // A timer of whole milliseconds, as client libraries have.
    plan.every = std::max(renew.every.value_or(milliseconds(client.ttl->ms() / 3)), milliseconds(1));
    plan.in_work_thread = renew.thread == RenewalThread::kWork;
    plan.stop_at_release = renew.stop_at_release;
    plan.stop_on_error = renew.stop_on_error;
    plan.holder_stops = scenario_.lock.on_loss == OnLoss::kStop;
    return plan;
  }

  // The client's own wish comes before the lock's, the lock's before the strategy's habit.
  void set_token(const Client& client, ContenderPlan& plan) const {
    const Token& token = client.token.scope != TokenScope::kStrategy ? client.token : scenario_.lock.token;
    plan.token = token.scope == TokenScope::kConstant ? std::string_view(token.text) : kFixedToken;
    switch (token.scope) {
      case TokenScope::kStrategy: plan.token_scope = strategy_.info().token_scope; break;
      case TokenScope::kPerAttempt: plan.token_scope = locklapse::TokenScope::kPerAttempt; break;
      case TokenScope::kPerClient: plan.token_scope = locklapse::TokenScope::kPerClient; break;
      case TokenScope::kPerThread: plan.token_scope = locklapse::TokenScope::kPerThread; break;
      case TokenScope::kPerProcess: plan.token_scope = locklapse::TokenScope::kPerProcess; break;
      case TokenScope::kConstant: plan.token_scope = locklapse::TokenScope::kConstant; break;
    }
  }

  void add_fault(const Fault& fault, std::uint32_t index) {
    if (fault.kind == FaultKind::kDrop || fault.kind == FaultKind::kDelay ||
        fault.kind == FaultKind::kDuplicate) {
      return world_.add_message_fault(message_fault(fault, index));
    }
    const Action action = action_of(fault, index);
    if (fault.at) return world_.add_action(Time{} + *fault.at, action);
    world_.add_pinned_action(pattern_of(*fault.pin, fault.before), action, fault.plus);
  }

  static Phase phase_of(std::string_view name) {
    if (name == "acquire") return Phase::kAcquire;
    if (name == "renew") return Phase::kRenew;
    if (name == "release") return Phase::kRelease;
    if (name == "wait") return Phase::kWait;
    if (name == "read") return Phase::kRead;
    if (name == "write") return Phase::kWrite;
    return Phase::kNone;
  }

  static MessageFault message_fault(const Fault& fault, std::uint32_t index) {
    MessageFault result;
    result.kind = fault.kind == FaultKind::kDrop    ? MessageFault::Kind::kDrop
                  : fault.kind == FaultKind::kDelay ? MessageFault::Kind::kDelay
                                                    : MessageFault::Kind::kDuplicate;
    const Step& step = fault.message.step;
    result.client = static_cast<ClientId>(step.client);
    result.phase = phase_of(step.phase);
    result.command = step.command;
    result.nth = step.nth;
    result.reply = fault.message.reply;
    result.length = fault.length;
    result.index = index;
    return result;
  }

  static StepPattern pattern_of(const Step& step, bool before) {
    StepPattern pattern;
    pattern.client = static_cast<ClientId>(step.client);
    pattern.phase = phase_of(step.phase);
    pattern.stage = step.phase == "work"      ? Stage::kWork
                    : step.phase == "call"    ? Stage::kCall
                    : step.phase == "section" ? Stage::kSection
                                              : Stage::kCommand;
    pattern.command = step.command;
    pattern.point = step.point == "sent"       ? Point::kSent
                    : step.point == "executed" ? Point::kExecuted
                    : step.point == "replied"  ? Point::kReplied
                    : step.point == "started"  ? Point::kStarted
                                               : Point::kEnded;
    pattern.before = before;
    pattern.nth = step.nth;
    return pattern;
  }

  Action action_of(const Fault& fault, std::uint32_t index) {
    Action action;
    action.kind = kind_of(fault.kind);
    action.target = static_cast<std::uint16_t>(fault.target);
    action.length = fault.kind == FaultKind::kClockStep ? fault.step : fault.length;
    action.ppm = fault.ppm;
    action.restart_after = fault.restart_after;
    action.db = fault.db;
    action.why = fault.why;
    action.index = index;
    if (!fault.argv.empty()) {
      auto* argv = static_cast<std::string_view*>(
          world_.arena.take(fault.argv.size() * sizeof(std::string_view)));
      std::copy(fault.argv.begin(), fault.argv.end(), argv);
      action.argv = {argv, fault.argv.size()};
    }
    return action;
  }

  static Action::Kind kind_of(FaultKind kind) {
    switch (kind) {
      case FaultKind::kPause: return Action::Kind::kPause;
      case FaultKind::kStall: return Action::Kind::kStall;
      case FaultKind::kSlow: return Action::Kind::kSlow;
      case FaultKind::kCrash: return Action::Kind::kCrash;
      case FaultKind::kRestart: return Action::Kind::kRestart;
      case FaultKind::kPartition: return Action::Kind::kPartition;
      case FaultKind::kClockStep: return Action::Kind::kClockStep;
      case FaultKind::kClockDrift: return Action::Kind::kClockDrift;
      default: return Action::Kind::kOperator;
    }
  }

  const Scenario& scenario_;
  const Strategy& strategy_;
  World& world_;
  std::pmr::vector<locklapse::Resource*> resources_{frame_memory()};
};

}  // namespace

World& assemble(const Scenario& scenario, const Strategy& strategy, const Guard& guard, Arena& arena,
                Chooser& chooser, redis::BackendSource& nodes) {
  const NetworkPlan network{scenario.latency.min, scenario.latency.max};
  World& world = arena.make<World>(arena, chooser, network);
  Assembly(scenario, strategy, world).build(guard, nodes);
  return world;
}

History history_of(World& world, const Scenario& scenario, const Strategy& strategy, RunEnd end) {
  History history;
  history.cast.clients = world.client_infos();
  history.cast.processes = world.process_names();
  history.cast.hosts = world.host_names();
  history.cast.nodes = world.node_names();
  history.cast.resources = world.resource_names();
  auto* lines = static_cast<std::string_view*>(
      world.arena.take(scenario.faults.size() * sizeof(std::string_view)));
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    new (&lines[i]) std::string_view(scenario.faults[i].line);
  }
  history.cast.faults = {lines, scenario.faults.size()};
  if (scenario.resource) {
    history.cast.stock = scenario.resource->stock;
    history.cast.take = scenario.resource->take;
    history.cast.has_resource = true;
  }
  history.cast.free_while_key_exists = strategy.info().free_while_key_exists;
  history.events = world.journal.events();
  history.end = world.kernel.now();
  history.complete = end != RunEnd::kLimit;
  return history;
}

}  // namespace locklapse::scenario
