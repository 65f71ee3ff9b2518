// A run as a Mermaid sequence diagram, for a pull request or a design document.
//
// Bounded: Mermaid refuses diagrams of more than 50,000 characters, so the text stays below
// kMermaidBytesMax and a Note says how many events were left out. Names are escaped with entity
// codes; none can end a statement, open a comment or inject markup.
#pragma once

#include <cstddef>
#include <string>

#include "reports/run_report.h"

namespace locklapse::reports {

inline constexpr std::size_t kMermaidBytesMax = 48'000;

// The diagram without a code fence around it.
std::string mermaid_diagram(const RunReport& run);

}  // namespace locklapse::reports
