// Task<T>: a lazily started coroutine that everything simulated is written in.
//
// Contract
//   - A task starts when it is awaited (or started by when_all, when_any, a process) and resumes its
//     awaiter when it ends, by symmetric transfer. Await a task once.
//   - Destroying a Task cancels it: the frame and every awaiter in it are destroyed, and an awaiter's
//     destructor takes back what it had asked of the kernel. That is the only kind of cancellation.
//   - Frames come from Arena::current(), or from the heap where there is none.
//   - No exceptions: errors are values. An exception that escapes a task ends the program.
//
// g++ 12 miscompiles some shapes of co_await. Keep out of them (tests/lint checks): no braced or
// designated temporaries as arguments of an awaited call, no co_await inside a conditional operator, a
// switch condition or a braced initialiser; name the value first.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <optional>
#include <utility>

#include "sim/core/arena.h"

namespace locklapse {

// Told when a task ends that no coroutine awaits. Returns what to resume next.
class Completion {
 public:
  virtual std::coroutine_handle<> on_completed() noexcept = 0;

 protected:
  ~Completion() = default;
};

class TaskPromise {
 public:
  static void* operator new(std::size_t bytes) {
    Arena* arena = Arena::current();
    return arena != nullptr ? arena->take(bytes) : ::operator new(bytes);
  }
  static void operator delete(void* frame, std::size_t bytes) noexcept {
    Arena* arena = Arena::current();
    if (arena != nullptr && arena->contains(frame)) {
      arena->give_back(frame, bytes);
    } else {
      ::operator delete(frame);
    }
  }

  std::suspend_always initial_suspend() noexcept { return {}; }

  struct Final {
    bool await_ready() noexcept { return false; }
    template <typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) noexcept {
      TaskPromise& promise = ended.promise();
      if (promise.awaiter) return promise.awaiter;
      if (promise.completion != nullptr) return promise.completion->on_completed();
      return std::noop_coroutine();
    }
    void await_resume() noexcept {}
  };
  Final final_suspend() noexcept { return {}; }
  [[noreturn]] void unhandled_exception() noexcept { std::abort(); }

  std::coroutine_handle<> awaiter;
  Completion* completion = nullptr;
};

// What a task's promise adds for its result.
template <typename T>
struct TaskResult : TaskPromise {
  std::optional<T> result;
  template <typename U>
  void return_value(U&& value) {
    result.emplace(std::forward<U>(value));
  }
  T take() { return std::move(*result); }
};

template <>
struct TaskResult<void> : TaskPromise {
  void return_void() noexcept {}
  void take() noexcept {}
};

template <typename T = void>
class [[nodiscard]] Task {
 public:
  struct promise_type : TaskResult<T> {
    Task get_return_object() noexcept {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
  };

  Task() = default;
  explicit Task(std::coroutine_handle<promise_type> coroutine) noexcept : coroutine_(coroutine) {}
  Task(Task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      reset();
      coroutine_ = std::exchange(other.coroutine_, nullptr);
    }
    return *this;
  }
  ~Task() { reset(); }

  // Cancels the task, if there is one.
  void reset() noexcept {
    if (coroutine_) std::exchange(coroutine_, nullptr).destroy();
  }
  bool done() const { return coroutine_ && coroutine_.done(); }
  explicit operator bool() const { return static_cast<bool>(coroutine_); }

  // Runs the task up to its first suspension; `completion` is told when it ends.
  void start(Completion& completion) {
    coroutine_.promise().completion = &completion;
    coroutine_.resume();
  }
  // REQUIRES: done(), and the result was not taken before.
  T take_result() { return coroutine_.promise().take(); }

  bool await_ready() const noexcept { return false; }
  // A task that ends at once lets its awaiter go on without a suspension: were it resumed from the
  // task's end, a loop over such tasks would grow the stack wherever a compiler does not make a tail
  // call of the transfer (g++ without optimisation or with AddressSanitizer).
  bool await_suspend(std::coroutine_handle<> awaiter) noexcept {
    coroutine_.resume();
    if (coroutine_.done()) return false;
    coroutine_.promise().awaiter = awaiter;
    return true;
  }
  T await_resume() { return take_result(); }

 private:
  std::coroutine_handle<promise_type> coroutine_;
};

}  // namespace locklapse
