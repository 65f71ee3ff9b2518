// A run for a terminal: what was found, and the timeline that shows it.
//
// Pure functions of the report. Names and texts of the history are escaped (escape.h), so no
// scenario can write a terminal sequence, a line break or a bidi override into the output. Every
// line ends with '\n' and no line is wider than the style's width, except the last: it is for grep
// and is never cut.
#pragma once

#include <string>

#include "reports/run_report.h"
#include "reports/text_style.h"

namespace locklapse::reports {

// The short form, for `locklapse run`: title, findings, a table of the clients, the greppable line.
std::string run_text(const RunReport& run, const TextStyle& style);

// The full form, for `locklapse draw --as text`: title and story, the timeline, then the short
// form.
std::string draw_text(const RunReport& run, const TextStyle& style);

// "scenario=.. strategy=.. guard=.. seed=.. outcome=.. overlaps=N unowned=N stuck=N damage=N
//  as_expected=yes|no|- hash=<16 hex>" on one line with its '\n'. Pure ASCII; a value holds no
//  space.
std::string grep_line(const RunReport& run);

}  // namespace locklapse::reports
