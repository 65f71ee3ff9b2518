// Where something stands in a scenario, and the bounded list of what is wrong with it.
//
// Invariant: a Diagnostics holds at most `max` errors, however many are added.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace locklapse::scenario {

// A place in the file (source 0), or in the nth `--set` (source n).
struct Mark {
  int source = 0;
  int line = 0;    // from 1; 0: the file as a whole
  int column = 0;  // from 1, in bytes
};

// Text from outside in single quotes: shortened and printable (reports/escape.h).
std::string quoted(std::string_view text);

// "a, b, c", cut short when it gets long. REQUIRES: the names are identifiers or our own words.
std::string listed(std::span<const std::string_view> names);

class Diagnostics {
 public:
  Diagnostics(std::string path, std::size_t max) : path_(std::move(path)), max_(max) {}

  void add(Mark mark, std::string message);
  // Adds "found; allowed: a, b, c", and "; did you mean 'b'?" when one of them is close to `name`.
  void add_unknown(Mark mark, std::string_view what, std::string_view name,
                   std::span<const std::string_view> allowed);

  // Names the overlay a mark's `source` n stands for.
  void add_source(std::string set) { sets_.push_back(std::move(set)); }

  bool empty() const { return errors_.empty(); }
  std::size_t left_out() const { return left_out_; }
  // All errors as lines, in the order of the file.
  std::vector<std::string> lines() const;

 private:
  struct Error {
    Mark mark;
    std::string message;
  };
  std::string where(Mark mark) const;

  std::string path_;
  std::size_t max_;
  std::size_t left_out_ = 0;
  std::vector<std::string> sets_;
  std::vector<Error> errors_;
};

}  // namespace locklapse::scenario
