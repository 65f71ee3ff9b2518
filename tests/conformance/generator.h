// Draws sequences of commands, weighted to what locks do, that a model and a real server must answer alike.
//
// Deterministic: a seed gives the same sequences everywhere. What is drawn need not be legal; some of it is
// mangled on purpose.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/random.h"
#include "tests/conformance/step.h"

namespace locklapse::conformance {

class Generator {
 public:
  explicit Generator(std::uint64_t seed);

  // A sequence of `commands` commands, with steps of the clock and closed connections between.
  Sequence sequence(std::size_t commands);

 private:
  using Words = std::vector<std::string>;
  struct Kind {
    std::uint32_t weight;
    void (Generator::*draw)();
  };

  std::uint32_t below(std::uint32_t n) { return random_.below(n); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  template <std::size_t N>
  std::string_view any(const std::string_view (&choices)[N]) {
    return choices[below(N)];
  }

  // --- words
  std::string key();
  std::string value();
  std::string number();
  std::string ttl_ms();
  std::string deadline_ms();
  std::string score();

  // --- commands; each sends one or more
  void send(Words words);
  void lock_command();
  void ttl_command();
  void string_command();
  void counter_command();
  void hash_command();
  void list_command();
  void zset_command();
  void key_command();
  void whole_key_command();
  void set_command();
  void script_command();
  void transaction();
  void publish_or_subscribe();
  void blocking_pop();
  void connection_command();
  void client_command();
  void malformed();

  void mangle(Words& words);
  void step_clock();
  void close();

  Random random_;
  Sequence out_;
  std::size_t commands_ = 0;
  bool mangling_ = false;
  int connection_ = 0;
  std::int64_t now_us_ = 0;
  std::vector<std::int64_t> deadlines_ms_;   // some that were set, for the clock to land on
};

}  // namespace locklapse::conformance
