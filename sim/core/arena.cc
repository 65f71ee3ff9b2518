#include "sim/core/arena.h"

#include <sys/mman.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#define LOCKLAPSE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOCKLAPSE_ASAN 1
#endif
#endif
#ifdef LOCKLAPSE_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

namespace locklapse {

namespace {

constexpr std::size_t kGrainLog2 = 4;

struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

// Up to 1 KiB a class holds one multiple of 16; above, a class holds one power of two.
// REQUIRES: bytes fits the reserve.
SizeClass size_class(std::size_t bytes, std::size_t small_classes) {
  const std::size_t grains = bytes == 0 ? 1 : (bytes + 15) >> kGrainLog2;
  if (grains <= small_classes) return {grains - 1, grains << kGrainLog2};
  const std::size_t rounded = std::bit_ceil(bytes);
  const auto log2 = static_cast<std::size_t>(std::countr_zero(rounded));
  return {small_classes + log2 - 11, rounded};
}

[[noreturn]] void run_outgrew_reserve() {
  std::fputs("locklapse: a run outgrew its memory reserve\n", stderr);
  std::_Exit(70);
}

}  // namespace

thread_local Arena* Arena::current_ = nullptr;

Arena::Arena(std::size_t reserve_bytes) : reserve_(reserve_bytes) {
  // Not from the heap: under AddressSanitizer that would mark every byte of the reserve.
  void* reserved = mmap(nullptr, reserve_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) {
    std::fputs("locklapse: cannot reserve address space for a run\n", stderr);
    std::_Exit(70);
  }
  base_ = static_cast<std::byte*>(reserved);
  top_ = base_;
}

Arena::~Arena() {
  ASAN_UNPOISON_MEMORY_REGION(base_, used_bytes());
  munmap(base_, reserve_);
}

void* Arena::take(std::size_t bytes) {
  if (bytes > reserve_) run_outgrew_reserve();
  const SizeClass size = size_class(bytes, kSmallClasses);
  if (FreeBlock* block = free_[size.index]) {
    ASAN_UNPOISON_MEMORY_REGION(block, size.bytes);
    free_[size.index] = block->next;
    return block;
  }
  if (size.bytes > reserve_ - used_bytes()) run_outgrew_reserve();
  void* block = top_;
  top_ += size.bytes;
  ASAN_UNPOISON_MEMORY_REGION(block, size.bytes);
  return block;
}

void Arena::give_back(void* block, std::size_t bytes) noexcept {
  const SizeClass size = size_class(bytes, kSmallClasses);
  auto* freed = static_cast<FreeBlock*>(block);
  freed->next = free_[size.index];
  free_[size.index] = freed;
  ASAN_POISON_MEMORY_REGION(freed, size.bytes);
}

void Arena::reset() noexcept {
  ASAN_POISON_MEMORY_REGION(base_, used_bytes());
  top_ = base_;
  std::memset(free_, 0, sizeof(free_));
}

void* Arena::do_allocate(std::size_t bytes, std::size_t alignment) {
  // Blocks are aligned to 16; nothing in a world asks for more.
  if (alignment > kGrain) std::abort();
  return take(bytes);
}

void Arena::do_deallocate(void* p, std::size_t bytes, std::size_t /*alignment*/) {
  give_back(p, bytes);
}

}  // namespace locklapse
