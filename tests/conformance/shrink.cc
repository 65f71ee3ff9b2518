#include "tests/conformance/shrink.h"

#include <algorithm>
#include <utility>

#include "sim/redis/ascii.h"

namespace locklapse::conformance {

namespace {

using Fails = std::function<bool(const Sequence&)>;

// Leaves out ever smaller parts, from the end, for what counts usually comes late.
bool drop_steps(Sequence& sequence, const Fails& fails) {
  bool changed = false;
  for (std::size_t size = std::max<std::size_t>(sequence.size() / 2, 1);; size /= 2) {
    for (std::size_t end = sequence.size(); end > 0;) {
      const std::size_t begin = end > size ? end - size : 0;
      Sequence shorter(sequence.begin(), sequence.begin() + static_cast<std::ptrdiff_t>(begin));
      shorter.insert(shorter.end(), sequence.begin() + static_cast<std::ptrdiff_t>(end), sequence.end());
      if (!shorter.empty() && fails(shorter)) {
        sequence = std::move(shorter);
        changed = true;
      }
      end = std::min(begin, sequence.size());
    }
    if (size == 1) return changed;
  }
}

bool try_step(Sequence& sequence, std::size_t at, Step step, const Fails& fails) {
  if (step == sequence[at]) return false;
  std::swap(sequence[at], step);
  if (fails(sequence)) return true;
  std::swap(sequence[at], step);
  return false;
}

bool simplify_steps(Sequence& sequence, const Fails& fails) {
  bool changed = false;
  for (std::size_t at = 0; at < sequence.size(); ++at) {
    if (sequence[at].kind == Step::Kind::kClose) continue;
    if (sequence[at].kind == Step::Kind::kClock) {
      for (const std::int64_t unit : {1'000'000, 1'000}) {
        Step step = sequence[at];
        step.clock_us = step.clock_us / unit * unit;
        if (step.clock_us != 0) changed |= try_step(sequence, at, std::move(step), fails);
      }
      continue;
    }
    // Where a shorter SCAN stops, and what HELLO alone tells, is each server's own affair: another difference
    // than the one looked for.
    const std::string& name = sequence[at].words[0];
    if (redis::is_word(name, "scan") || redis::is_word(name, "hello")) continue;
    Step first = sequence[at];
    first.connection = 0;
    changed |= try_step(sequence, at, std::move(first), fails);
    for (std::size_t word = sequence[at].words.size(); word-- > 1;) {
      Step without = sequence[at];
      without.words.erase(without.words.begin() + static_cast<std::ptrdiff_t>(word));
      if (try_step(sequence, at, std::move(without), fails)) {
        changed = true;
        continue;
      }
      for (const char* plain : {"", "k", "1"}) {
        if (sequence[at].words[word].size() <= std::string_view(plain).size()) continue;
        Step plainer = sequence[at];
        plainer.words[word] = plain;
        if (try_step(sequence, at, std::move(plainer), fails)) {
          changed = true;
          break;
        }
      }
    }
  }
  return changed;
}

}  // namespace

Sequence shrink(Sequence sequence, const Fails& fails) {
  for (bool changed = true; changed;) {
    changed = drop_steps(sequence, fails);
    changed = simplify_steps(sequence, fails) || changed;
  }
  return sequence;
}

}  // namespace locklapse::conformance
