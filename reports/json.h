// Runs as JSON: {"locklapse": VERSION, "runs": [...]}, described by reports/run.schema.json.
//
// Times are integer microseconds of true time. Invalid UTF-8 in names is replaced by U+FFFD, so the
// output is always valid JSON. Keys stand in a fixed order: equal runs give equal bytes. Every
// finding, client and event is one line.
#pragma once

#include <span>
#include <string>

#include "reports/run_report.h"

namespace locklapse::reports {

struct JsonOptions {
  bool events = false;  // the whole history beside the findings
};

std::string json_report(std::span<const RunReport> runs, const JsonOptions& options = {});

}  // namespace locklapse::reports
