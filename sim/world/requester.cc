#include "sim/world/requester.h"

#include <algorithm>
#include <new>
#include <utility>

#include "sim/world/world.h"

namespace locklapse {

namespace {

constexpr std::string_view kRequest = "request";
constexpr std::string_view kReply = "reply";

// Copies a command into the run's memory: one block of words with single spaces between, which is at the
// same time the line that pictures show. A script's source stays where it is (it is a constant), its
// name takes its place in the line.
Command& make_command(World& world, Operation& operation, Requester& requester, ClientId client) {
  const auto arguments = operation.arguments();
  const std::string_view script = operation.script_name();
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    bytes += (i == 1 && !script.empty() ? script.size() : arguments[i].size()) + 1;
  }
  auto* command = new (world.arena.take(sizeof(Command))) Command;
  char* text = static_cast<char*>(world.arena.take(bytes + arguments[0].size()));
  auto* argv = static_cast<std::string_view*>(
      world.arena.take(arguments.size() * sizeof(std::string_view)));
  char* end = text;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool is_script = i == 1 && !script.empty();
    const std::string_view word = is_script ? script : arguments[i];
    argv[i] = is_script ? arguments[i] : std::string_view(end, word.size());
    end = std::copy(word.begin(), word.end(), end);
    *end++ = ' ';
  }
  command->line = {text, static_cast<std::size_t>(end - text) - 1};
  char* name = end;
  for (const char c : arguments[0]) *end++ = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  command->name = {name, arguments[0].size()};
  command->argv = {argv, arguments.size()};
  command->id = world.next_command_id();
  command->client = client;
  command->attempt = operation.attempt();
  command->phase = operation.phase();
  command->requester = &requester;
  command->operation = &operation;
  return *command;
}

}  // namespace

void Requester::journal(EventKind kind, const Command& command, std::string_view text,
                        std::int64_t number) {
  world_.journal.add({.at = world_.kernel.now(),
                      .kind = kind,
                      .phase = command.phase,
                      .client = client_,
                      .place = endpoint_.place(),
                      .attempt = command.attempt,
                      .command = command.id,
                      .text = text,
                      .number = number});
}

void Requester::start(Operation& operation) {
  Command& command = make_command(world_, operation, *this, client_);
  operation.port_data = &command;
  if (world_.reach_step(client_, Stage::kCommand, command.phase, command.name, Point::kSent, true)) {
    command.timer = world_.kernel.post(&gate_, &depart_later, &command);
  } else {
    depart(command);
  }
}

void Requester::abandon(Operation& operation) {
  auto& command = *static_cast<Command*>(operation.port_data);
  command.operation = nullptr;
  world_.kernel.cancel(command.timer);
}

void Requester::depart_later(void* target, std::uint64_t) {
  auto& command = *static_cast<Command*>(target);
  command.requester->depart(command);
}

void Requester::depart(Command& command) {
  const std::uint32_t sending = ++command.sendings;
  if (sending == 1) {
    world_.journal.add({.at = world_.kernel.now(),
                        .kind = EventKind::kSent,
                        .phase = command.phase,
                        .client = client_,
                        .place = endpoint_.place(),
                        .attempt = command.attempt,
                        .command = command.id,
                        .text = command.line,
                        .detail = command.name,
                        .extra = endpoint_.is_resource() ? 1 : 0});
  } else {
    journal(EventKind::kResent, command, {}, sending);
  }
  if (policy_.timeout) {
    command.timer = world_.kernel.at(world_.kernel.now() + *policy_.timeout, &gate_, &timed_out, &command);
  }
  transmit(command, false, &arrive, &command, sending, last_request_);
  // A step is a command, so that #N means the same before and after it; resending is not sending.
  if (sending == 1) {
    world_.reach_step(client_, Stage::kCommand, command.phase, command.name, Point::kSent, false);
  }
}

Time Requester::arrival(Time& last, Duration extra) {
  const Time due = world_.kernel.now() + world_.choose_latency(client_) + extra;
  if (extra > Duration{}) return due;
  last = std::max(last, due);
  return last;
}

void Requester::transmit(const Command& command, bool is_reply, Callback deliver, void* target,
                         std::uint64_t argument, Time& last) {
  const std::string_view what = is_reply ? kReply : kRequest;
  Gate* gate = is_reply ? &gate_ : nullptr;
  const MessageFault* fault = world_.message_fault(client_, command.phase, command.name, is_reply);
  if (cuts_ != 0 || (fault != nullptr && fault->kind == MessageFault::Kind::kDrop)) {
    journal(EventKind::kDropped, command, what);
    return;
  }
  Duration extra{};
  if (fault != nullptr && fault->kind == MessageFault::Kind::kDelay) {
    extra = fault->length;
    journal(EventKind::kDelayed, command, what, extra.ns);
  }
  const Time due = arrival(last, extra);
  world_.kernel.at(due, gate, deliver, target, argument);
  if (fault != nullptr && fault->kind == MessageFault::Kind::kDuplicate) {
    journal(EventKind::kDuplicated, command, what);
    world_.kernel.at(due + fault->length, gate, deliver, target, argument);
  }
}

void Requester::arrive(void* target, std::uint64_t sending) {
  auto& command = *static_cast<Command*>(target);
  World& world = command.requester->world_;
  if (world.reach_step(command.client, Stage::kCommand, command.phase, command.name, Point::kExecuted,
                       true)) {
    world.kernel.post(nullptr, &execute_now, target, sending);
  } else {
    execute_now(target, sending);
  }
}

void Requester::execute_now(void* target, std::uint64_t sending) {
  auto& command = *static_cast<Command*>(target);
  command.requester->endpoint_.execute(command, static_cast<std::uint32_t>(sending));
}

void Requester::reply(Command& command, std::uint32_t sending, redis::Reply&& reply) {
  world_.reach_step(client_, Stage::kCommand, command.phase, command.name, Point::kExecuted, false);
  auto* message =
      new (world_.arena.take(sizeof(ReplyMessage))) ReplyMessage{&command, sending, std::move(reply)};
  transmit(command, true, &reply_arrives, message, 0, last_reply_);
}

void Requester::reply_arrives(void* target, std::uint64_t) {
  auto& message = *static_cast<ReplyMessage*>(target);
  Command& command = *message.command;
  if (command.operation == nullptr || message.sending != command.sendings) return;
  Requester& self = *command.requester;
  if (!std::exchange(message.awaited, true) &&
      self.world_.reach_step(command.client, Stage::kCommand, command.phase, command.name, Point::kReplied,
                             true)) {
    self.world_.kernel.post(&self.gate_, &reply_arrives, target);
    return;
  }
  self.world_.kernel.cancel(command.timer);
  self.journal(EventKind::kReplied, command, self.world_.words(message.reply));
  Answer& answer = command.operation->answer();
  answer.status = AnswerStatus::kReplied;
  answer.reply = std::move(message.reply);
  self.complete(command);
}

void Requester::complete(Command& command) {
  // From here on a second copy of the reply finds nobody waiting; abandon() still reaches the timer.
  const std::coroutine_handle<> waiter = std::exchange(command.operation, nullptr)->waiter();
  if (world_.reach_step(client_, Stage::kCommand, command.phase, command.name, Point::kReplied, false)) {
    command.timer = world_.kernel.resume_soon(&gate_, waiter);
  } else {
    waiter.resume();
  }
}

void Requester::timed_out(void* target, std::uint64_t) {
  auto& command = *static_cast<Command*>(target);
  command.requester->on_timeout(command);
}

void Requester::on_timeout(Command& command) {
  journal(EventKind::kTimedOut, command);
  if (command.sendings > policy_.retries) {
    command.operation->answer().status = AnswerStatus::kTimedOut;
    complete(command);
    return;
  }
  const Duration wait =
      policy_.backoff + world_.choose_up_to(policy_.jitter, {ChoiceKind::kResendJitter, client_});
  command.timer = world_.kernel.at(world_.kernel.now() + wait, &gate_, &depart_later, &command);
}

void Requester::push() {
  if (cuts_ != 0) return;
  world_.kernel.at(arrival(last_reply_, Duration{}), &gate_, &push_arrives, this);
}

void Requester::push_arrives(void* target, std::uint64_t) {
  auto& self = *static_cast<Requester*>(target);
  PushWait* wait = std::exchange(self.push_wait_, nullptr);
  if (wait == nullptr) {
    ++self.pushes_;
    return;
  }
  self.world_.kernel.cancel(wait->timer_);
  wait->pushed_ = true;
  wait->waiter_.resume();
}

Requester::PushWait::~PushWait() {
  requester_.world_.kernel.cancel(timer_);
  if (requester_.push_wait_ == this) requester_.push_wait_ = nullptr;
}

bool Requester::PushWait::await_ready() {
  if (requester_.pushes_ == 0) return false;
  requester_.pushes_ = 0;
  pushed_ = true;
  return true;
}

void Requester::PushWait::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  requester_.push_wait_ = this;
  timer_ = requester_.world_.kernel.resume_at(until_, &requester_.gate_, waiter);
}

}  // namespace locklapse
