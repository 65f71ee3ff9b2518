// What the terminal, if it is one, can show. The only place that looks at terminals and their
// variables.
#pragma once

#include "reports/text_style.h"

namespace locklapse::cli {

// How text on stdout may look, or (to_file) text that goes into a file.
//   colour   only on a terminal, never with a NO_COLOR that is not empty, never with TERM=dumb
//   width    the terminal's, or else COLUMNS, or else 100
//   unicode  unless LC_ALL, LC_CTYPE or LANG (the first that is set) names another character set
reports::TextStyle text_style(bool to_file);

bool stdout_is_terminal();
bool stderr_is_terminal();

}  // namespace locklapse::cli
