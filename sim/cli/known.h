// The strategies and guards there are, as scenario files and options may name them.
#pragma once

#include "sim/scenario/vocabulary.h"

namespace locklapse::cli {

const scenario::Vocabulary& known_names();

}  // namespace locklapse::cli
