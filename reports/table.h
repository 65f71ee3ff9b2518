// A plain table for terminals: a heading line and rows, columns as wide as their widest cell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace locklapse::reports {

struct Table {
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;  // cells are escaped already, and not coloured
  std::vector<bool> right;                     // columns aligned to the right
};

// Lines of at most `width` columns, each indented by one and ended by '\n'. When the table is too
// wide its widest columns are cut.
std::string draw_table(const Table& table, int width, std::string_view ellipsis);

}  // namespace locklapse::reports
