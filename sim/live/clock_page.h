// The wall clock of one real server: a page of memory that the server reads in place of the machine's clock
// (clock_shim.c), shared through a file.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "sim/core/time.h"

namespace locklapse::live {

class ClockPage {
 public:
  // Creates the file. Throws Error where that fails.
  ClockPage(const std::filesystem::path& path, WallTime now);
  ~ClockPage();
  ClockPage(const ClockPage&) = delete;
  ClockPage& operator=(const ClockPage&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Seen by the server's very next look at its clock.
  void set(WallTime now) { page_->store(now.us, std::memory_order_release); }

 private:
  static_assert(std::atomic<std::int64_t>::is_always_lock_free && sizeof(std::atomic<std::int64_t>) == 8,
                "the page holds a plain integer");

  std::filesystem::path path_;
  std::atomic<std::int64_t>* page_;
};

// The shared object to preload. Throws NotRunnable where it is not found.
std::filesystem::path find_clock_shim();

}  // namespace locklapse::live
