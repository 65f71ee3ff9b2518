// A temporary folder that nobody else can read, gone when the object or the program is, whatever ends it.
//
// A small process of its own holds the other end of a line. Once this program is gone, by itself, by a signal,
// or by kill -9, the line closes, and that process removes the folder. So no signal handlers are needed.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace locklapse::live {

class PrivateFolder {
 public:
  // Throws Error where it cannot be created.
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int line_ = -1;
  pid_t remover_ = -1;
};

}  // namespace locklapse::live
