// Cuts a sequence down to what is needed to see a difference.
#pragma once

#include <functional>

#include "tests/conformance/step.h"

namespace locklapse::conformance {

// A sequence in which `fails` still holds and from which no step and no word can be left out, nor a word be
// replaced by a plainer one, without losing that. REQUIRES: fails(sequence).
Sequence shrink(Sequence sequence, const std::function<bool(const Sequence&)>& fails);

}  // namespace locklapse::conformance
