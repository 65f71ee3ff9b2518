#include "sim/cli/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "reports/escape.h"
#include "sim/cli/message.h"

namespace locklapse::cli {
namespace {

// 0, or the errno of what went wrong.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// A symbolic link stays one: the file it leads to is what gets replaced.
std::string followed(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string out = real;
  std::free(real);
  return out;
}

int write_directly(const std::string& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  const int error = write_all(fd, text);
  const bool closed = ::close(fd) == 0;
  return error != 0 || closed ? error : errno;
}

// The permissions that open() would have given a new file, or those of the file that is replaced.
mode_t mode_for(const struct stat* old) {
  if (old != nullptr) return old->st_mode & 07777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

int replace_file(const std::string& path, const struct stat* old, std::string_view text) {
  std::string temporary = path + ".XXXXXX";
  const int fd = ::mkstemp(temporary.data());
  if (fd < 0) return errno;
  int error = write_all(fd, text);
  if (error == 0 && ::fchmod(fd, mode_for(old)) != 0) error = errno;
  if (error == 0 && ::fsync(fd) != 0) error = errno;
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) ::unlink(temporary.c_str());
  return error;
}

}  // namespace

void Output::write(std::string_view text) {
  if (is_file()) {
    kept_ += text;
    return;
  }
  if (reader_gone_ || error_ != 0) return;
  const int error = write_all(STDOUT_FILENO, text);
  reader_gone_ = error == EPIPE;
  if (error != EPIPE) error_ = error;
}

bool Output::finish() {
  std::string name = "standard output";
  int error = error_;
  if (is_file()) {
    name = reports::printable(file_);
    struct stat status {};
    const bool exists = ::stat(file_.c_str(), &status) == 0;
    const bool special = exists && !S_ISREG(status.st_mode);
    const std::string path = followed(file_);
    error = special ? write_directly(path, kept_)
                    : replace_file(path, exists ? &status : nullptr, kept_);
    if (special && error == EPIPE) error = 0;
  }
  if (error == 0) return true;
  tell(fmt::format("{} cannot be written: {}", name, std::strerror(error)));
  return false;
}

}  // namespace locklapse::cli
