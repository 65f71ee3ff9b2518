#include "reports/junit.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "reports/escape.h"
#include "reports/findings.h"
#include "reports/text.h"

namespace locklapse::reports {
namespace {

constexpr std::size_t kFindingsShownMax = 100;  // CI systems cut long messages anyway

enum class Result { kPassed, kFailed, kError, kSkipped };

Result result_of(const RunReport& run) {
  if (run.confirmation && run.confirmation->agreement == Agreement::kNotRunnable) return Result::kSkipped;
  if (run.confirmation && run.confirmation->agreement == Agreement::kDisagreeing) return Result::kFailed;
  if (run.as_expected) return *run.as_expected ? Result::kPassed : Result::kFailed;
  if (run.demonstration) return Result::kSkipped;
  switch (run.verdict->outcome) {
    case Outcome::kSafe:
      return Result::kPassed;
    case Outcome::kViolated:
      return Result::kFailed;
    default:
      return Result::kError;
  }
}

// First what says why the case failed, then what was found.
std::string details(const RunReport& run) {
  std::string lines;
  if (run.confirmation) {
    for (const std::string& difference : run.confirmation->differences) lines += xml_text(difference) + "\n";
  }
  for (const std::string& mismatch : run.mismatches) lines += xml_text(mismatch) + "\n";
  const std::vector<Finding> findings = findings_of(run);
  for (std::size_t i = 0; i < findings.size() && i < kFindingsShownMax; ++i) {
    const Finding& finding = findings[i];
    lines += xml_text(finding.what + ": " + finding.sentence) + "\n";
    if (!finding.because.empty()) lines += "  " + xml_text(finding.because) + "\n";
  }
  if (findings.size() > kFindingsShownMax) {
    lines += fmt::format("{} more findings\n", findings.size() - kFindingsShownMax);
  }
  std::string line = grep_line(run);
  line.pop_back();
  return lines + xml_text(line) + "\n";
}

std::string message(const RunReport& run) {
  if (run.confirmation && !run.confirmation->differences.empty()) return run.confirmation->differences.front();
  if (!run.mismatches.empty()) return run.mismatches.front();
  if (!run.verdict->outcome_reason.empty()) return run.verdict->outcome_reason;
  return count_findings(*run.verdict);
}

std::string why_skipped(const RunReport& run) {
  if (run.confirmation && run.confirmation->agreement == Agreement::kNotRunnable) {
    return "not runnable on a real redis-server: " + run.confirmation->why;
  }
  return fmt::format("nothing is expected of it; outcome: {}", outcome_name(run.verdict->outcome));
}

void add_case(std::string& out, const RunReport& run) {
  out += fmt::format("    <testcase classname=\"{}\" name=\"{} / {}\" time=\"0\"",
                     xml_text(run.scenario), xml_text(run.strategy), xml_text(run.guard));
  const Result result = result_of(run);
  if (result == Result::kPassed) {
    out += "/>\n";
    return;
  }
  if (result == Result::kSkipped) {
    out += fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", xml_text(why_skipped(run)));
    return;
  }
  const char* tag = result == Result::kFailed ? "failure" : "error";
  out += fmt::format(">\n      <{} message=\"{}\" type=\"{}\">{}</{}>\n    </testcase>\n", tag,
                     xml_text(message(run)), outcome_name(run.verdict->outcome), details(run), tag);
}

struct Suite {
  std::string_view scenario;
  std::vector<const RunReport*> runs;
  int failed = 0;
  int errors = 0;
  int skipped = 0;
};

std::vector<Suite> suites_of(std::span<const RunReport> runs) {
  std::vector<Suite> suites;
  for (const RunReport& run : runs) {
    Suite* suite = nullptr;
    for (Suite& each : suites) {
      if (each.scenario == run.scenario) suite = &each;
    }
    if (suite == nullptr) suite = &suites.emplace_back(Suite{run.scenario, {}, 0, 0, 0});
    suite->runs.push_back(&run);
    const Result result = result_of(run);
    suite->failed += result == Result::kFailed ? 1 : 0;
    suite->errors += result == Result::kError ? 1 : 0;
    suite->skipped += result == Result::kSkipped ? 1 : 0;
  }
  return suites;
}

}  // namespace

std::string junit_xml(std::span<const RunReport> runs) {
  const std::vector<Suite> suites = suites_of(runs);
  int failed = 0;
  int errors = 0;
  for (const Suite& suite : suites) {
    failed += suite.failed;
    errors += suite.errors;
  }
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"locklapse\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" time=\"0\">\n",
      runs.size(), failed, errors);
  for (const Suite& suite : suites) {
    out += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
        "time=\"0\">\n",
        xml_text(suite.scenario), suite.runs.size(), suite.failed, suite.errors,
        suite.skipped);
    for (const RunReport* run : suite.runs) add_case(out, *run);
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace locklapse::reports
