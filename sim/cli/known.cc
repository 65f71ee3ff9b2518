#include "sim/cli/known.h"

#include "sim/scenario/run.h"

namespace locklapse::cli {

const scenario::Vocabulary& known_names() {
  static const scenario::Vocabulary names = scenario::vocabulary();
  return names;
}

}  // namespace locklapse::cli
