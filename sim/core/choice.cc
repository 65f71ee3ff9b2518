#include "sim/core/choice.h"

namespace locklapse {

SeededChooser::SeededChooser(std::uint64_t seed)
    : streams_{Random(seed, 0), Random(seed, 1), Random(seed, 2)} {}

std::uint32_t SeededChooser::choose(std::uint32_t n, ChoiceLabel label) {
  return n == 1 ? 0 : streams_[static_cast<std::size_t>(label.kind)].below(n);
}

std::uint32_t ReplayChooser::choose(std::uint32_t n, ChoiceLabel /*label*/) {
  const std::size_t position = next_++;
  if (position >= schedule_.size()) return 0;
  const std::uint32_t answer = schedule_[position];
  if (answer < n) return answer;
  if (misfit_ == kNone) misfit_ = position;
  return 0;
}

}  // namespace locklapse
