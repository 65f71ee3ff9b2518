#include "reports/matrix_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "reports/findings.h"

namespace locklapse::reports {
namespace {

// The worse of two runs has the greater rank.
auto rank(const RunReport& run) {
  const Verdict& v = *run.verdict;
  const int outcome = v.outcome == Outcome::kViolated       ? 3
                      : v.outcome == Outcome::kUnknown      ? 2
                      : v.outcome == Outcome::kNotExercised ? 1
                                                            : 0;
  return std::tuple(run.as_expected == std::optional(false), outcome, v.overlaps.size(),
                    v.damage.size(), v.stuck.size(), v.unowned.size());
}

std::size_t index_of(std::vector<std::string_view>& list, std::string_view name) {
  const auto found = std::find(list.begin(), list.end(), name);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(name);
  return list.size() - 1;
}

MatrixRow& row_of(Matrix& matrix, const RunReport& run) {
  for (MatrixRow& row : matrix.rows) {
    if (row.scenario == run.scenario && row.guard == run.guard) return row;
  }
  return matrix.rows.emplace_back(MatrixRow{run.scenario, run.guard, {}});
}

void add(std::string& text, const std::string& part) {
  if (!text.empty()) text += ", ";
  text += part;
}

}  // namespace

Matrix make_matrix(std::span<const RunReport> runs) {
  Matrix matrix;
  for (const RunReport& run : runs) {
    const std::size_t column = index_of(matrix.strategies, run.strategy);
    MatrixRow& row = row_of(matrix, run);
    if (row.cells.size() <= column) row.cells.resize(column + 1);
    MatrixCell& cell = row.cells[column];
    if (cell.run == nullptr || rank(*cell.run) < rank(run)) cell.run = &run;
    if (run.guard != runs.front().guard) matrix.many_guards = true;
  }
  for (MatrixRow& row : matrix.rows) row.cells.resize(matrix.strategies.size());
  // Guards of one scenario stand together, scenarios as they came.
  std::vector<std::string_view> scenarios;
  for (const MatrixRow& row : matrix.rows) index_of(scenarios, row.scenario);
  std::stable_sort(matrix.rows.begin(), matrix.rows.end(),
                   [&](const MatrixRow& a, const MatrixRow& b) {
                     return index_of(scenarios, a.scenario) < index_of(scenarios, b.scenario);
                   });
  return matrix;
}

StuckCounts count_stuck(const Verdict& verdict) {
  StuckCounts counts;
  for (const StuckLock& s : verdict.stuck) ++(s.to ? counts.until_ttl : counts.forever);
  return counts;
}

std::string cell_words(const MatrixCell& cell) {
  if (cell.run == nullptr) return "";
  const Verdict& v = *cell.run->verdict;
  if (v.outcome == Outcome::kUnknown || v.outcome == Outcome::kNotExercised) {
    return std::string(outcome_name(v.outcome));
  }
  std::string words;
  if (!v.overlaps.empty()) {
    const char* plural = v.overlaps.size() == 1 ? "" : "s";
    add(words, fmt::format("{} overlap{} {}", v.overlaps.size(), plural, causes_of(v, " + ")));
  }
  const StuckCounts stuck = count_stuck(v);
  if (stuck.forever > 0) add(words, "stuck for ever");
  if (stuck.until_ttl > 0) add(words, "stuck until TTL");
  if (!v.damage.empty()) add(words, "damage");
  if (v.overlaps.empty() && !v.unowned.empty())
    add(words, std::string(cause_name(v.unowned[0].cause)));
  if (words.empty()) return std::string(outcome_name(v.outcome));
  return v.outcome == Outcome::kSafe ? "safe, " + words : words;
}

}  // namespace locklapse::reports
