// The verbs, one file each. A verb adds itself to the command line and, when it was the one asked
// for, leaves in `chosen` what is to be done.
#pragma once

#include <functional>

#include "sim/cli/status.h"

namespace CLI {
class App;
}

namespace locklapse::cli {

using Chosen = std::function<Status()>;

void add_run(CLI::App& app, Chosen& chosen);     // run.cc
void add_draw(CLI::App& app, Chosen& chosen);    // draw.cc
void add_matrix(CLI::App& app, Chosen& chosen);  // matrix.cc
void add_list(CLI::App& app, Chosen& chosen);    // list.cc

}  // namespace locklapse::cli
