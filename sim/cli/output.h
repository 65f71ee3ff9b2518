// Where a verb's data goes: to stdout as it comes, or into a file that is there whole or not at
// all.
#pragma once

#include <string>
#include <string_view>

namespace locklapse::cli {

class Output {
 public:
  // Empty or "-": stdout.
  explicit Output(std::string file) : file_(file == "-" ? std::string() : std::move(file)) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  bool is_file() const { return !file_.empty(); }

  // To stdout at once; for a file it is kept until finish(). When the reader of stdout has gone (`|
  // head`) the rest is dropped silently: that is no error.
  void write(std::string_view text);

  // Puts a file in its place by renaming a finished temporary beside it; a device or pipe is
  // written to directly. Returns false after telling why something could not be written. Call it
  // once, last.
  bool finish();

 private:
  std::string file_;
  std::string kept_;
  bool reader_gone_ = false;
  int error_ = 0;  // errno of the first failed write to stdout
};

}  // namespace locklapse::cli
