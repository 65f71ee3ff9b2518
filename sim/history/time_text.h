// Times as people read them. Integers only: nothing is rounded, so two reports never disagree.
#pragma once

#include <string>

#include "sim/core/time.h"

namespace locklapse {

// "0 s", "250 us", "1 ms", "1.5 ms", "30.001 s", "90 s", "10 min", "12 min 3.5 s", "2 h"; "-5 s".
std::string duration_text(Duration duration);

// How many decimals of a second an instant needs: 0, 3, 6 or 9.
int decimals_needed(Time time);

// Seconds since the start with exactly that many decimals (more digits are cut off): "40.005 s".
std::string instant_text(Time time, int decimals);
// With as many as it needs.
std::string instant_text(Time time);

}  // namespace locklapse
