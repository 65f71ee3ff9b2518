// Counts every call of operator new in the program that includes it (one file per program).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

namespace ping_pong {
inline std::uint64_t allocations = 0;
}

// Not inlined, or g++ would see malloc's pointer go to operator delete and warn of the mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++ping_pong::allocations;
  if (void* block = std::malloc(bytes)) return block;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }
