// The cells of a matrix: one outcome for each (scenario, guard) and strategy.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/run_report.h"

namespace locklapse::reports {

struct MatrixCell {
  const RunReport* run = nullptr;  // the worst of the runs that belong here; null if there is none
};

struct MatrixRow {
  std::string_view scenario, guard;
  std::vector<MatrixCell> cells;  // one for each strategy
};

struct Matrix {
  std::vector<std::string_view> strategies;
  std::vector<MatrixRow> rows;
  bool many_guards = false;
};

Matrix make_matrix(std::span<const RunReport> runs);

// "safe", "2 overlaps ttl-overrun + unowned-delete, stuck for ever": a cell in words. "" without a
// run.
std::string cell_words(const MatrixCell& cell);

struct StuckCounts {
  std::size_t forever = 0, until_ttl = 0;
};
StuckCounts count_stuck(const Verdict& verdict);

}  // namespace locklapse::reports
