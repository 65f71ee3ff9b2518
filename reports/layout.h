// Where the columns of a terminal picture stand.
//
//   time │ owner of each key │ one lane per client │ what happens
//
// What happens keeps at least kWordsMin columns. To make room, client lanes shrink first (their
// names then become numbers with a legend), then key lanes, then lanes are left out: clients of
// whom the verdict says something stay longest.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/lanes.h"
#include "reports/run_report.h"
#include "reports/text_style.h"
#include "reports/timeline.h"

namespace locklapse::reports {

struct Column {
  std::size_t index = 0;  // of the client, or of the key lane
  std::string heading;    // escaped, fits `width`
  int width = 1;          // without the space after it
};

struct Layout {
  int decimals = 0;  // of a second, in the time column
  int time_width = 4;
  std::vector<Column> keys;
  std::vector<Column> clients;
  bool numbered = false;  // headings of clients are numbers; names stand in the legend
  std::size_t keys_left_out = 0;
  std::size_t clients_left_out = 0;
  int words_width = 0;
};

inline constexpr int kWordsMin = 26;

// Whether a gap between two steps is long enough to be shown as a row of its own: the idle stretch.
// REQUIRES: there are steps.
bool is_fold(const std::vector<Step>& steps, Duration gap);

Layout make_layout(const RunReport& run, const Lanes& lanes, const std::vector<Step>& steps,
                   const TextStyle& style);

}  // namespace locklapse::reports
