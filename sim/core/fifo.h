// A first-in first-out queue in the run's memory: a ring that doubles when it is full.
//
// Unlike a vector with a moving front it never grows because of how long it has been in use, only
// because of how much was in it at once.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <type_traits>

namespace locklapse {

template <typename T>
class Fifo {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Fifo(std::pmr::memory_resource& memory) : memory_(memory) {}
  ~Fifo() {
    if (ring_ != nullptr) memory_.deallocate(ring_, capacity_ * sizeof(T), alignof(T));
  }
  Fifo(const Fifo&) = delete;
  Fifo& operator=(const Fifo&) = delete;

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  void push(const T& value) {
    if (size_ == capacity_) grow();
    ring_[(front_ + size_) & (capacity_ - 1)] = value;
    ++size_;
  }
  // REQUIRES: !empty().
  T pop() {
    const T value = ring_[front_];
    front_ = (front_ + 1) & (capacity_ - 1);
    --size_;
    return value;
  }

 private:
  static constexpr std::size_t kFirstCapacity = 16;  // a power of two, as every capacity is

  void grow() {
    const std::size_t capacity = capacity_ == 0 ? kFirstCapacity : capacity_ * 2;
    T* ring = static_cast<T*>(memory_.allocate(capacity * sizeof(T), alignof(T)));
    if (ring_ != nullptr) {
      const std::size_t to_end = capacity_ - front_;
      std::memcpy(ring, ring_ + front_, to_end * sizeof(T));
      std::memcpy(ring + to_end, ring_, front_ * sizeof(T));
      memory_.deallocate(ring_, capacity_ * sizeof(T), alignof(T));
    }
    ring_ = ring;
    capacity_ = capacity;
    front_ = 0;
  }

  std::pmr::memory_resource& memory_;
  T* ring_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t front_ = 0;
  std::size_t size_ = 0;
};

}  // namespace locklapse
