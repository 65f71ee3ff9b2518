// A verdict in plain words, shared by the terminal, JUnit and Markdown reports.
//
// Sentences hold names as they are: the format that shows them escapes them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/run_report.h"
#include "sim/history/verdict.h"

namespace locklapse::reports {

enum class FindingKind { kOverlap, kUnowned, kStuck, kDamage, kTold };

struct Finding {
  FindingKind kind = FindingKind::kOverlap;
  std::string what;      // "overlap", "un-owned", "stuck", "damage", "told"
  std::string sentence;  // who, when, why: one line
  std::string because;   // the evidence; may be empty
};

// In the order overlaps, un-owned mutations, stuck locks, damage, told.
std::vector<Finding> findings_of(const RunReport& run);

// "2 overlaps, 1 un-owned mutation"; "nothing found" when there is none.
std::string count_findings(const Verdict& verdict);

// Main causes of overlaps, stuck locks and damage, each once, in order; those of un-owned mutations where
// there are no others.
std::vector<Cause> main_causes(const Verdict& verdict);
// Their names: "ttl-overrun+unowned-delete".
std::string causes_of(const Verdict& verdict, const char* separator = "+");

// "a, b"
std::string join(std::span<const Cause> causes, const char* separator);

}  // namespace locklapse::reports
