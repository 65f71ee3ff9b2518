#include "reports/markdown.h"

#include <fmt/format.h>

#include "reports/escape.h"
#include "reports/findings.h"
#include "reports/wording.h"
#include "sim/history/time_text.h"

namespace locklapse::reports {
namespace {

constexpr std::size_t kPairsMax = 3;

std::string outcome_cell(const RunReport& run) {
  const std::string outcome(outcome_name(run.verdict->outcome));
  return run.verdict->outcome == Outcome::kSafe ? outcome : "**" + outcome + "**";
}

std::string expected_cell(const RunReport& run) {
  if (!run.as_expected) return "-";
  return *run.as_expected ? "yes" : "**no**";
}

// Who overlaps whom, for how long; names in code spans, so that none is read as markup.
std::string pairs_cell(const RunReport& run) {
  const auto& overlaps = run.verdict->overlaps;
  std::string cell;
  for (std::size_t i = 0; i < overlaps.size() && i < kPairsMax; ++i) {
    const Overlap& o = overlaps[i];
    if (i > 0) cell += ", ";
    cell += fmt::format("{} + {} for {}", markdown_code(client_label(*run.history, o.first)),
                        markdown_code(client_label(*run.history, o.second)),
                        duration_text(o.to - o.from));
  }
  if (overlaps.size() > kPairsMax) cell += fmt::format(" and {} more", overlaps.size() - kPairsMax);
  return cell;
}

std::string found_cell(const RunReport& run) {
  std::string cell = count_findings(*run.verdict);
  const std::string pairs = pairs_cell(run);
  return pairs.empty() ? cell : cell + ": " + pairs;
}

std::string name_of(const RunReport& run) {
  return fmt::format("{} {} {}", markdown_code(run.scenario, false), markdown_code(run.strategy, false),
                     markdown_code(run.guard, false));
}

// How many runs a real server has confirmed, and which it has not, with the reason.
std::string confirmations(std::span<const RunReport> runs) {
  std::size_t confirmed = 0;
  std::string others;
  for (const RunReport& run : runs) {
    if (!run.confirmation) continue;
    const Confirmation& confirmation = *run.confirmation;
    confirmed += confirmation.agreement == Agreement::kConfirmed ? 1 : 0;
    if (confirmation.agreement == Agreement::kNotRunnable) {
      others += fmt::format("- {}: not runnable: {}\n", name_of(run), markdown_code(confirmation.why, false));
    }
    for (const std::string& difference : confirmation.differences) {
      others += fmt::format("- {}: {}\n", name_of(run), markdown_code(difference, false));
    }
  }
  if (confirmed == 0 && others.empty()) return "";
  return fmt::format("\nConfirmed by a real redis-server: {}.\n", confirmed) + (others.empty() ? "" : "\n" + others);
}

}  // namespace

std::string markdown_table(std::span<const RunReport> runs) {
  std::string out = "| scenario | strategy | guard | outcome | found | causes | as expected |\n";
  out += "|---|---|---|---|---|---|---|\n";
  std::string details;
  for (const RunReport& run : runs) {
    const std::string causes = causes_of(*run.verdict);
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", markdown_code(run.scenario),
                       markdown_code(run.strategy), markdown_code(run.guard), outcome_cell(run),
                       found_cell(run), causes.empty() ? "-" : causes, expected_cell(run));
    for (const std::string& mismatch : run.mismatches) {
      details += fmt::format("- {}: {}\n", name_of(run), markdown_code(mismatch, false));
    }
  }
  if (!details.empty()) out += "\nNot as expected:\n\n" + details;
  return out + confirmations(runs);
}

}  // namespace locklapse::reports
