#include "sim/live/clock_page.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "sim/live/error.h"

namespace locklapse::live {

ClockPage::ClockPage(const std::filesystem::path& path, WallTime now) : path_(path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  void* mapped = MAP_FAILED;
  if (file >= 0 && ftruncate(file, sizeof *page_) == 0) {
    mapped = mmap(nullptr, sizeof *page_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  const int error = errno;
  if (file >= 0) close(file);
  if (mapped == MAP_FAILED) {
    throw Error(fmt::format("cannot create the clock page {}: {}", path.string(), std::strerror(error)));
  }
  page_ = new (mapped) std::atomic<std::int64_t>(now.us);
}

ClockPage::~ClockPage() { munmap(page_, sizeof *page_); }

std::filesystem::path find_clock_shim() {
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  const std::filesystem::path candidates[] = {
      program / LOCKLAPSE_SHIM_FILE,
      program / LOCKLAPSE_SHIM_FROM_PROGRAM / LOCKLAPSE_SHIM_FILE,
      std::filesystem::path(LOCKLAPSE_SHIM_INSTALLED) / LOCKLAPSE_SHIM_FILE,
      LOCKLAPSE_SHIM_BUILT,
  };
  std::string looked;
  for (const auto& candidate : candidates) {
    if (std::filesystem::exists(candidate, ignored)) {
      return std::filesystem::canonical(candidate);
    }
    looked += fmt::format("\n  {}", candidate.lexically_normal().string());
  }
  throw NotRunnable("the clock shim that goes with locklapse is not installed; looked for" + looked);
}

}  // namespace locklapse::live
