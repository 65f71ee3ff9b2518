// One command on its way: what a strategy awaits (Operation), and what travels (Command).
//
//   auto answer = co_await redis.set_nx_px(key, token, ttl);
//
// An Operation lives in the awaiting coroutine's frame and names the command; the port it was made for
// (the simulator's Requester, or a live connection) sends it and completes it. Destroying an Operation
// that is under way abandons it: the command may still execute, nobody hears of it.
#pragma once

#include <array>
#include <charconv>
#include <coroutine>
#include <cstdint>
#include <span>
#include <string_view>

#include "sim/core/arena.h"
#include "sim/core/event.h"
#include "sim/core/kernel.h"
#include "sim/redis/reply.h"

namespace locklapse {

// How a command ended for the client: only kReplied says what the server did.
enum class AnswerStatus : std::uint8_t {
  kReplied,
  kTimedOut,   // its fate is unknown: it may have run, may run yet, or never
};

struct Answer {
  AnswerStatus status = AnswerStatus::kTimedOut;
  redis::Reply reply{frame_memory()};

  bool replied() const { return status == AnswerStatus::kReplied; }
  bool is_ok() const { return replied() && reply.is_ok(); }
  bool is_integer(std::int64_t value) const { return replied() && reply.is_integer(value); }
};

// A script and the name that histories and pictures call it by.
struct Script {
  std::string_view name;
  std::string_view source;
};

class Operation;

// Whatever can carry out commands.
class CommandPort {
 public:
  virtual void start(Operation& operation) = 0;
  virtual void abandon(Operation& operation) = 0;

 protected:
  ~CommandPort() = default;
};

class Operation {
 public:
  static constexpr std::size_t kArgumentsMax = 12;

  // `fill(operation)` adds the arguments after the command's name. An Operation stays where it is made:
  // it is built in place, in the frame of the coroutine that awaits it.
  template <typename Fill>
  Operation(CommandPort& port, Phase phase, std::uint32_t attempt, std::string_view name, Fill&& fill)
      : port_(port), phase_(phase), attempt_(attempt) {
    add(name);
    fill(*this);
  }
  ~Operation() {
    if (under_way_) port_.abandon(*this);
  }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  // REQUIRES (all add functions): fewer than kArgumentsMax arguments so far (and 4 numbers); the text
  // outlives the await.
  void add(std::string_view argument) { arguments_[count_++] = argument; }
  void add_number(std::int64_t number) {
    char* begin = numbers_[numbers_used_].data();
    const auto end = std::to_chars(begin, begin + numbers_[numbers_used_].size(), number).ptr;
    ++numbers_used_;
    add({begin, static_cast<std::size_t>(end - begin)});
  }
  void add_script(const Script& script) {
    add(script.source);
    script_name_ = script.name;
  }

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    under_way_ = true;
    port_.start(*this);
  }
  Answer await_resume() {
    under_way_ = false;
    return std::move(answer_);
  }

  // For ports.
  std::span<const std::string_view> arguments() const { return {arguments_.data(), count_}; }
  std::string_view script_name() const { return script_name_; }
  Phase phase() const { return phase_; }
  std::uint32_t attempt() const { return attempt_; }
  std::coroutine_handle<> waiter() const { return waiter_; }
  Answer& answer() { return answer_; }
  void* port_data = nullptr;

 private:
  CommandPort& port_;
  Phase phase_;
  bool under_way_ = false;
  std::uint32_t attempt_;
  std::size_t count_ = 0;
  std::size_t numbers_used_ = 0;
  std::array<std::string_view, kArgumentsMax> arguments_;
  std::array<std::array<char, 24>, 4> numbers_;
  std::string_view script_name_;
  std::coroutine_handle<> waiter_;
  Answer answer_;
};

class Requester;

// A command under way in the simulated world; lives as long as the run.
struct Command {
  std::uint32_t id = 0;
  ClientId client = kNoClient;
  std::uint32_t attempt = 0;
  Phase phase = Phase::kNone;
  Requester* requester = nullptr;
  std::span<const std::string_view> argv;
  std::string_view line;      // as a picture shows it: the words, a script by its name
  std::string_view name;      // lower case
  Operation* operation = nullptr;   // null once answered or abandoned
  std::uint32_t sendings = 0;
  Timer timer;                // time-out, back-off before a resend, or a deferred resumption
};

}  // namespace locklapse
