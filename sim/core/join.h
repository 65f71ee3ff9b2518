// Several tasks at once: when_all waits for each, when_any for the first, within for one or a deadline.
//
// Contract
//   - Children start in argument order. when_any destroys (and so cancels) the losers before its awaiter
//     goes on; children that were not started yet when an earlier one ended at once are never started.
//   - A tie at one instant is won by the task whose event the kernel ran first.
#pragma once

#include <coroutine>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "sim/core/kernel.h"
#include "sim/core/task.h"

namespace locklapse {

namespace join_detail {

template <typename T>
using Value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <typename T>
Value<T> result_of(Task<T>& task) {
  if constexpr (std::is_void_v<T>) {
    return std::monostate{};
  } else {
    return task.take_result();
  }
}

// Counts the ends of some tasks down and resumes the awaiter at the last one that is waited for.
class Countdown final : public Completion {
 public:
  explicit Countdown(std::size_t needed) : needed_(needed) {}
  std::coroutine_handle<> on_completed() noexcept override {
    if (--needed_ != 0 || starting_) return std::noop_coroutine();
    return awaiter_;
  }
  bool reached() const { return needed_ == 0; }
  void arm(std::coroutine_handle<> awaiter) { awaiter_ = awaiter; }
  void all_started() { starting_ = false; }

 private:
  std::size_t needed_;
  bool starting_ = true;
  std::coroutine_handle<> awaiter_;
};

template <bool kAny, typename... T>
class Group {
  static_assert(sizeof...(T) > 0, "nothing would ever end the wait");

 public:
  explicit Group(Task<T>... tasks)
      : tasks_(std::move(tasks)...), countdown_(kAny ? 1 : sizeof...(T)) {}
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> awaiter) {
    countdown_.arm(awaiter);
    std::apply([this](auto&... task) { (this->start(task), ...); }, tasks_);
    countdown_.all_started();
    return !countdown_.reached();
  }

 protected:
  template <typename U>
  void start(Task<U>& task) {
    if (!(kAny && countdown_.reached())) task.start(countdown_);
  }

  std::tuple<Task<T>...> tasks_;
  Countdown countdown_;
};

}  // namespace join_detail

// Awaits every task; yields a tuple of their results (std::monostate for void).
template <typename... T>
class WhenAll : public join_detail::Group<false, T...> {
 public:
  using join_detail::Group<false, T...>::Group;
  std::tuple<join_detail::Value<T>...> await_resume() {
    return std::apply(
        [](auto&... task) { return std::tuple<join_detail::Value<T>...>(join_detail::result_of(task)...); },
        this->tasks_);
  }
};

// Awaits the first task to end; yields one optional per task, of which exactly one is set.
template <typename... T>
class WhenAny : public join_detail::Group<true, T...> {
 public:
  using join_detail::Group<true, T...>::Group;
  std::tuple<std::optional<join_detail::Value<T>>...> await_resume() {
    std::tuple<std::optional<join_detail::Value<T>>...> results;
    bool found = false;
    take(results, found, std::index_sequence_for<T...>{});
    return results;
  }

 private:
  template <typename Results, std::size_t... I>
  void take(Results& results, bool& found, std::index_sequence<I...>) {
    (take_one<I>(results, found), ...);
  }
  template <std::size_t I, typename Results>
  void take_one(Results& results, bool& found) {
    auto& task = std::get<I>(this->tasks_);
    if (!found && task.done()) {
      found = true;
      std::get<I>(results).emplace(join_detail::result_of(task));
    }
    task.reset();
  }
};

template <typename... T>
WhenAll<T...> when_all(Task<T>... tasks) {
  return WhenAll<T...>(std::move(tasks)...);
}

template <typename... T>
WhenAny<T...> when_any(Task<T>... tasks) {
  return WhenAny<T...>(std::move(tasks)...);
}

// Runs `task` for at most `limit` of true time; empty when the limit came first.
template <typename T>
Task<std::optional<join_detail::Value<T>>> within(Kernel& kernel, Gate* gate, Duration limit,
                                                  Task<T> task) {
  auto pause = [](Kernel& k, Gate* g, Duration d) -> Task<> { co_await k.sleep(g, d); };
  Task<> timeout = pause(kernel, gate, limit);
  auto results = co_await when_any(std::move(task), std::move(timeout));
  co_return std::move(std::get<0>(results));
}

}  // namespace locklapse
