// The memory of one run: coroutine frames, event queue, keyspace and history live in one block at a
// fixed address, so that a snapshot of a world is one memcpy and throwing a world away is one reset.
//
// Contract
//   - allocate() never fails below reserve_bytes; beyond it the program ends with status 70, so whoever
//     runs a world checks used_bytes() against its own, lower, limit between events.
//   - Freed blocks return to a free list of their size class and are handed out again, last in first
//     out: the sequence of addresses depends on nothing but the sequence of calls.
//   - reset() ends the life of everything allocated, without running destructors. Objects in an arena
//     must therefore own nothing outside it.
//   - Not thread-safe: one arena belongs to one running world.
//
// Under AddressSanitizer freed bytes are poisoned, so a dangling pointer into the
// arena is reported like one into the heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <utility>

namespace locklapse {

class Arena final : public std::pmr::memory_resource {
 public:
  static constexpr std::size_t kDefaultReserveBytes = std::size_t{1} << 30;

  // Reserves address space only; pages are taken from the system as they are first touched.
  explicit Arena(std::size_t reserve_bytes = kDefaultReserveBytes);
  ~Arena() override;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void* take(std::size_t bytes);
  // An object of which nobody runs the destructor.
  template <typename T, typename... Arguments>
  T& make(Arguments&&... arguments) {
    return *new (take(sizeof(T))) T(std::forward<Arguments>(arguments)...);
  }
  void give_back(void* block, std::size_t bytes) noexcept;

  // Ends the life of everything in the arena.
  void reset() noexcept;

  // Bytes between the base and the highest address handed out since the last reset.
  std::size_t used_bytes() const { return static_cast<std::size_t>(top_ - base_); }
  bool contains(const void* p) const {
    return p >= static_cast<const void*>(base_) && p < static_cast<const void*>(base_ + reserve_);
  }

  // The arena that coroutine frames of this thread are allocated from, or null for the heap.
  static Arena* current() noexcept { return current_; }

  // Makes an arena the current one for a scope.
  class Use {
   public:
    explicit Use(Arena& arena) noexcept : previous_(current_) { current_ = &arena; }
    ~Use() { current_ = previous_; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Arena* previous_;
  };

 private:
  static constexpr std::size_t kGrain = 16;          // every block is a multiple of this
  static constexpr std::size_t kSmallClasses = 64;   // exact classes up to 1 KiB
  static constexpr std::size_t kLargeClasses = 40;   // then one class per power of two

  struct FreeBlock {
    FreeBlock* next;
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  static thread_local Arena* current_;

  std::byte* base_ = nullptr;
  std::byte* top_ = nullptr;
  std::size_t reserve_ = 0;
  FreeBlock* free_[kSmallClasses + kLargeClasses] = {};
};

// Where a coroutine's own containers should allocate: the current arena, or the heap.
inline std::pmr::memory_resource* frame_memory() noexcept {
  Arena* arena = Arena::current();
  return arena != nullptr ? static_cast<std::pmr::memory_resource*>(arena)
                          : std::pmr::new_delete_resource();
}

}  // namespace locklapse
