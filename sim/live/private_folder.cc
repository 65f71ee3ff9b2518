#include "sim/live/private_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "sim/live/error.h"

namespace locklapse::live {

namespace {

// A socket's path may have 107 bytes; what stands in the folder needs some.
constexpr std::size_t kFolderBytesMax = 80;

std::string name_template() {
  const char* folder = std::getenv("TMPDIR");
  std::string name = folder == nullptr || folder[0] != '/' ? "/tmp" : folder;
  if (name.size() > kFolderBytesMax) name = "/tmp";
  return name + "/locklapse-XXXXXX";
}

// The remover's whole life. It comes out of a fork(), so it calls only what is safe after one.
[[noreturn]] void remove_when_closed(int line, const char* folder) {
  setsid();  // a Ctrl-C at the terminal is not meant for it
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  if (const int null = open("/dev/null", O_RDWR); null >= 0) {
    for (int standard = 0; standard <= 2; ++standard) dup2(null, standard);
  }
  if (line != 3) line = dup2(line, 3);
  close_range(4, ~0u, 0);
  char orderly = 0;
  ssize_t got;
  do {
    got = read(line, &orderly, 1);
  } while (got < 0 && errno == EINTR);
  if (got != 1) {
    // The program was ended from outside; its servers are dying in this moment.
    const timespec moment{0, 50'000'000};
    nanosleep(&moment, nullptr);
  }
  execl("/bin/rm", "rm", "-rf", "--", folder, static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace

PrivateFolder::PrivateFolder() {
  std::string name = name_template();
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(fmt::format("cannot create the folder {}: {}", name, std::strerror(errno)));
  }
  path_ = name;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
    remover_ = fork();
    if (remover_ == 0) {
      close(ends[1]);
      remove_when_closed(ends[0], name.c_str());
    }
    close(ends[0]);
    line_ = ends[1];
  }
  if (remover_ < 0) {
    const int error = errno;
    if (line_ >= 0) close(line_);
    std::filesystem::remove(path_);
    throw Error(fmt::format("cannot start another process: {}", std::strerror(error)));
  }
}

PrivateFolder::~PrivateFolder() {
  const char orderly = 1;
  send(line_, &orderly, 1, MSG_NOSIGNAL);
  close(line_);
  while (waitpid(remover_, nullptr, 0) < 0 && errno == EINTR) {
  }
  // Should somebody have killed the remover.
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace locklapse::live
