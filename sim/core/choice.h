// The one source of nondeterminism: whatever is scheduled, random or injected asks choose(n, label).
//
// The answers taken, in order, are the *schedule* of a run. That list is at once the seed, the replay
// file, the position of an exhaustive search and what a shrinker cuts. Drivers of the interface:
//   FirstChooser    always 0, the undisturbed run
//   ReplayChooser   a recorded schedule, then 0
//   SeededChooser   pseudo-random, one stream per kind of choice
//   RecordingChooser  wraps another and writes down what it answered
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/random.h"

namespace locklapse {

enum class ChoiceKind : std::uint8_t {
  kLatency,        // how long a message travels
  kRetryJitter,    // what a waiter adds to its retry interval
  kResendJitter,   // what a client library adds to its back-off
};
inline constexpr std::size_t kChoiceKinds = 3;

// What a choice is about: its kind and whom it concerns (the index of a client). Never formatted on the
// way; a report that wants words makes them from these.
struct ChoiceLabel {
  ChoiceKind kind;
  std::uint32_t subject = 0;
};

class Chooser {
 public:
  virtual ~Chooser() = default;
  // Returns a number in [0, n). REQUIRES: n >= 1. Alternative 0 is always the plainest one.
  virtual std::uint32_t choose(std::uint32_t n, ChoiceLabel label) = 0;
};

class FirstChooser final : public Chooser {
 public:
  std::uint32_t choose(std::uint32_t, ChoiceLabel) override { return 0; }
};

class SeededChooser final : public Chooser {
 public:
  explicit SeededChooser(std::uint64_t seed);
  std::uint32_t choose(std::uint32_t n, ChoiceLabel label) override;

 private:
  std::array<Random, kChoiceKinds> streams_;
};

class ReplayChooser final : public Chooser {
 public:
  // REQUIRES: the schedule outlives the chooser.
  explicit ReplayChooser(std::span<const std::uint32_t> schedule) : schedule_(schedule) {}
  // A recorded answer that no longer fits (>= n) is answered as 0 and remembered in misfit().
  std::uint32_t choose(std::uint32_t n, ChoiceLabel label) override;

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // The position of the first recorded choice that did not fit, or kNone.
  std::size_t misfit() const { return misfit_; }
  // How many choices were asked for so far.
  std::size_t asked() const { return next_; }

 private:
  std::span<const std::uint32_t> schedule_;
  std::size_t next_ = 0;
  std::size_t misfit_ = kNone;
};

class RecordingChooser final : public Chooser {
 public:
  RecordingChooser(Chooser& inner, std::vector<std::uint32_t>& schedule)
      : inner_(inner), schedule_(schedule) {}
  std::uint32_t choose(std::uint32_t n, ChoiceLabel label) override {
    schedule_.push_back(inner_.choose(n, label));
    return schedule_.back();
  }

 private:
  Chooser& inner_;
  std::vector<std::uint32_t>& schedule_;
};

}  // namespace locklapse
