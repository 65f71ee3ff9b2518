// "[12/340] abc watchdog" on stderr while work goes on, if someone is there to see it.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

namespace locklapse::cli {

class Progress {
 public:
  // Silent unless stderr is a terminal and `wanted`. Nothing shows before the work takes a while.
  Progress(std::size_t total, bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step(std::string_view what);

 private:
  using Clock = std::chrono::steady_clock;  // the user's time, nothing of the simulation's
  std::size_t total_;
  std::size_t done_ = 0;
  bool enabled_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace locklapse::cli
