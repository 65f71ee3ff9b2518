#include "reports/table.h"

#include <algorithm>
#include <numeric>

#include "reports/display_width.h"

namespace locklapse::reports {
namespace {

constexpr int kGap = 2;
constexpr int kColumnMin = 4;

std::vector<int> column_widths(const Table& table, int width) {
  std::vector<int> widths;
  for (const std::string& cell : table.heading) widths.push_back(display_width(cell));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  const auto total = [&] {
    return std::accumulate(widths.begin(), widths.end(), 1) +
           kGap * (static_cast<int>(widths.size()) - 1);
  };
  while (!widths.empty() && total() > width) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kColumnMin) break;
    --*widest;
  }
  return widths;
}

}  // namespace

std::string draw_table(const Table& table, int width, std::string_view ellipsis) {
  const std::vector<int> widths = column_widths(table, width);
  std::string out;
  const auto add = [&](const std::vector<std::string>& row) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = fit(row[i], widths[i], ellipsis);
      const bool right = i < table.right.size() && table.right[i];
      line += right ? pad_left(cell, widths[i]) : pad(cell, widths[i]);
      line += std::string(kGap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  add(table.heading);
  for (const auto& row : table.rows) add(row);
  return out;
}

}  // namespace locklapse::reports
