#include "tests/cli/program.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace locklapse::cli {
namespace {

namespace fs = std::filesystem;

int exit_status(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

// A function in front of the command, so that the program's path needs no quoting in tests.
std::string script(const std::string& folder, const std::string& command) {
  return "cd '" + folder + "' || exit 99\nlocklapse() { '" LOCKLAPSE_PROGRAM "' \"$@\"; }\n" +
         command;
}

[[noreturn]] void become_shell(const std::string& text) {
  const char* path = std::getenv("PATH");
  const std::string path_line = std::string("PATH=") + (path == nullptr ? "/usr/bin:/bin" : path);
  const char* argv[] = {"sh", "-c", text.c_str(), nullptr};
  const char* environment[] = {path_line.c_str(), "TERM=xterm", nullptr};
  ::execve("/bin/sh", const_cast<char**>(argv), const_cast<char**>(environment));
  ::_exit(98);
}

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace

void ProgramTest::SetUp() {
  std::string pattern = (fs::temp_directory_path() / "locklapse-test-XXXXXX").string();
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
}

void ProgramTest::TearDown() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Ran ProgramTest::shell(const std::string& command) const {
  // Outside the folder, so that tests can look at what the program leaves in it.
  const std::string out_path = folder_ + ".out", err_path = folder_ + ".err";
  const pid_t child = ::fork();
  if (child == 0) {
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    const int in = ::open("/dev/null", O_RDONLY);
    const int out = ::open(out_path.c_str(), flags, 0600),
              err = ::open(err_path.c_str(), flags, 0600);
    if (::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0) ::_exit(97);
    become_shell(script(folder_, command));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Ran ran{exit_status(status), content(out_path), content(err_path)};
  fs::remove(out_path);
  fs::remove(err_path);
  return ran;
}

Ran ProgramTest::on_terminal(const std::string& command, int columns) const {
  winsize size{};
  size.ws_row = 25;
  size.ws_col = static_cast<unsigned short>(columns);
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) become_shell(script(folder_, command));
  Ran ran;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(terminal, buffer, sizeof buffer)) > 0;) {
    ran.out.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  ran.status = exit_status(status);
  ran.out.erase(std::remove(ran.out.begin(), ran.out.end(), '\r'), ran.out.end());
  return ran;
}

void ProgramTest::write(const std::string& name, std::string_view text) const {
  const fs::path path = fs::path(folder_) / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string ProgramTest::read(const std::string& name) const {
  return content(fs::path(folder_) / name);
}

bool ProgramTest::exists(const std::string& name) const {
  return fs::exists(fs::path(folder_) / name);
}

std::string ProgramTest::folder_listing() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  std::string out;
  for (const std::string& name : names) out += name + "\n";
  return out;
}

}  // namespace locklapse::cli
