#include "sim/live/real_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <sstream>
#include <thread>

#include "sim/live/connection.h"
#include "sim/live/error.h"

namespace locklapse::live {

namespace {

constexpr std::chrono::seconds kStartPatience{5};
constexpr std::size_t kLogLines = 15;

std::filesystem::path require_program(const std::string& name) {
  if (auto found = find_program(name)) return *found;
  throw NotRunnable(fmt::format("{} is not installed (Debian: apt-get install redis-server)", name));
}

}  // namespace

std::optional<std::filesystem::path> find_program(const std::string& name) {
  const auto runs = [](const std::filesystem::path& path) { return access(path.c_str(), X_OK) == 0; };
  if (name.find('/') != std::string::npos) {
    return runs(name) ? std::optional(std::filesystem::absolute(name)) : std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && runs(folder + "/" + name)) return folder + "/" + name;
  }
  return std::nullopt;
}

RealServer::RealServer(RealServerOptions options, WallTime now)
    : options_(std::move(options)),
      program_(require_program(options_.program)),
      shim_(find_clock_shim()),
      clock_(folder_.path() / "clock", now) {
  try {
    start();
  } catch (...) {
    kill();
    throw;
  }
}

RealServer::~RealServer() { kill(); }

void RealServer::exec() {
  const std::string folder = folder_.path().string();
  std::vector<std::string> words{program_.string(),
                                 "--port", "0",
                                 "--unixsocket", socket().string(),
                                 "--unixsocketperm", "700",
                                 "--dir", folder,
                                 "--logfile", folder + "/log",
                                 "--daemonize", "no",
                                 "--save", "",
                                 "--appendonly", "no",
                                 "--enable-debug-command", "yes",
                                 // The only command that a script could reach other machines with.
                                 "--rename-command", "MIGRATE", ""};
  words.insert(words.end(), options_.arguments.begin(), options_.arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string preload = "LD_PRELOAD=" + (options_.own_clock ? shim_.string() : "");
  std::string page = "LOCKLAPSE_CLOCK_PAGE=" + clock_.path().string();
  std::string locale = "LC_ALL=C";
  char* environment[] = {preload.data(), page.data(), locale.data(), nullptr};
  const std::string output = folder + "/output";
  const pid_t parent = getpid();

  process_ = fork();
  if (process_ < 0) throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (process_ > 0) return;
  // Between fork and exec: only calls that are safe there.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);  // a Ctrl-C at the terminal is for us, who then end it
  const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, 0);
  dup2(file, 1);
  dup2(file, 2);
  close_range(3, ~0u, 0);
  execve(program_.c_str(), argv.data(), environment);
  _exit(127);
}

void RealServer::start() {
  exec();
  const auto give_up = std::chrono::steady_clock::now() + kStartPatience;
  boost::asio::io_context io;
  for (;;) {
    if (waitpid(process_, nullptr, WNOHANG) == process_) {
      process_ = -1;
      throw Error(fmt::format("{} ended while it started\n{}", program_.string(), log_tail()));
    }
    try {
      Connection admin(io, socket());
      // Until its data is loaded it answers LOADING.
      if (admin.call({"PING"}) == "+PONG\r\n") {
        admin.call({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
        return;
      }
    } catch (const Error&) {
      // It does not listen yet.
    }
    if (std::chrono::steady_clock::now() > give_up) {
      throw Error(fmt::format("{} did not come up within {} s\n{}", program_.string(),
                              kStartPatience.count(), log_tail()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void RealServer::kill() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  wait();
}

void RealServer::wait() {
  if (process_ < 0) return;
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  std::error_code ignored;
  std::filesystem::remove(socket(), ignored);
}

std::string RealServer::log_tail() const {
  std::deque<std::string> lines;
  for (const char* name : {"output", "log"}) {
    std::ifstream log(folder_.path() / name);
    for (std::string line; std::getline(log, line);) {
      lines.push_back(line);
      if (lines.size() > kLogLines) lines.pop_front();
    }
  }
  std::string tail;
  for (const std::string& line : lines) tail += "  " + line + "\n";
  return tail.empty() ? std::string("  (its log is empty)\n") : tail;
}

}  // namespace locklapse::live
