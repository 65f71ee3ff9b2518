#include "reports/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/display_width.h"
#include "reports/escape.h"
#include "reports/findings.h"
#include "reports/glyphs.h"
#include "reports/paint.h"
#include "reports/picture.h"
#include "reports/table.h"
#include "reports/wording.h"
#include "sim/history/time_text.h"

namespace locklapse::reports {
namespace {

constexpr std::size_t kFindingsShownMax = 40;  // in one block; the JSON has more

int width_of(const TextStyle& style) {
  return std::clamp(style.width, kTextWidthMin, kTextWidthMax);
}

// Wrapped lines, the second and later ones indented like the first or by `hanging`.
void add_wrapped(std::string& out, std::string_view first, std::string_view text,
                 const TextStyle& style, Paint how) {
  const int indent = display_width(first);
  const std::vector<std::string> lines = wrap(text, std::max(20, width_of(style) - indent));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += i == 0 ? std::string(first) : std::string(static_cast<std::size_t>(indent), ' ');
    out += paint(lines[i], how, style.colour);
    out += '\n';
  }
}

// A title or story may be written over several lines; those are spaces here.
std::string flat(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  return result;
}

Paint outcome_paint(Outcome outcome) {
  if (outcome == Outcome::kSafe) return Paint::kGood;
  return outcome == Outcome::kViolated ? Paint::kBad : Paint::kPaused;
}

void add_title(std::string& out, const RunReport& run, const TextStyle& style) {
  const std::string& title = run.title.empty() ? run.scenario : run.title;
  add_wrapped(out, "", printable(flat(title), style.unicode), style, Paint::kBold);
}

void add_set_up(std::string& out, const RunReport& run, const TextStyle& style) {
  std::string line = fmt::format("strategy {}, guard {}, backend {}, seed {}", run.strategy,
                                 run.guard, run.backend, run.seed);
  add_wrapped(out, "  ", printable(line, style.unicode), style, Paint::kDim);
  for (const std::string_view fault : run.history->cast.faults) {
    add_wrapped(out, "  fault: ", printable(fit(fault, 400, "..."), style.unicode), style,
                Paint::kPlain);
  }
}

const char* confirmation_words(const Confirmation& confirmation) {
  switch (confirmation.agreement) {
    case Agreement::kConfirmed:
      return ", on a real redis-server as in the model";
    case Agreement::kNotRunnable:
      return ", in the model only";
    case Agreement::kDisagreeing:
      return ", on a real redis-server; the model DISAGREES";
  }
  return "";
}

void add_confirmation(std::string& out, const Confirmation& confirmation, const TextStyle& style) {
  if (confirmation.agreement == Agreement::kNotRunnable) {
    add_wrapped(out, "  not runnable on a real redis-server: ", printable(confirmation.why, style.unicode), style,
                Paint::kPlain);
  }
  for (const std::string& difference : confirmation.differences) {
    add_wrapped(out, "  disagreement: ", printable(difference, style.unicode), style, Paint::kBad);
  }
}

void add_outcome(std::string& out, const RunReport& run, const TextStyle& style) {
  const Outcome outcome = run.verdict->outcome;
  std::string word(outcome_name(outcome));
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string rest = count_findings(*run.verdict);
  if (!run.verdict->outcome_reason.empty()) rest += ": " + run.verdict->outcome_reason;
  if (run.as_expected) rest += *run.as_expected ? " (as expected)" : " (NOT as expected)";
  if (run.confirmation) rest += confirmation_words(*run.confirmation);
  const std::vector<std::string> lines =
      wrap(word + " " + printable(rest, style.unicode), width_of(style) - 1);
  out += paint(lines[0].substr(0, word.size()), outcome_paint(outcome), style.colour) + " " +
         lines[0].substr(word.size()) + "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) out += lines[i] + "\n";
  for (const std::string& mismatch : run.mismatches) {
    add_wrapped(out, "  expected otherwise: ", printable(mismatch, style.unicode), style,
                Paint::kBad);
  }
  if (run.confirmation) add_confirmation(out, *run.confirmation, style);
}

void add_findings(std::string& out, const RunReport& run, const TextStyle& style) {
  const std::vector<Finding> findings = findings_of(run);
  for (std::size_t i = 0; i < findings.size() && i < kFindingsShownMax; ++i) {
    const Finding& finding = findings[i];
    const Paint how = finding.kind == FindingKind::kUnowned ? Paint::kUnowned
                      : finding.kind == FindingKind::kTold  ? Paint::kPlain
                                                            : Paint::kBad;
    add_wrapped(out, "  " + pad(finding.what, 10), printable(finding.sentence, style.unicode),
                style, how);
    if (finding.because.empty()) continue;
    add_wrapped(out, std::string(12, ' '), printable(finding.because, style.unicode), style,
                Paint::kPlain);
  }
  if (findings.size() > kFindingsShownMax) {
    out += fmt::format("  {} more findings: --format json lists them\n",
                       findings.size() - kFindingsShownMax);
  }
  if (run.verdict->left_out > 0) {
    out += fmt::format("  {} more findings were counted and not kept\n", run.verdict->left_out);
  }
}

std::string release_text(const ClientSummary& client) {
  if (!client.released_at) return "-";
  const std::string at = instant_text(*client.released_at);
  return client.release_reply.empty() ? "at " + at : short_text(client.release_reply) + " at " + at;
}

void add_clients(std::string& out, const RunReport& run, const TextStyle& style) {
  Table table;
  table.heading = {"client", "tries", "acquired", "waited", "held", "TTL", "release"};
  table.right = {false, true, true, true, true, true, false};
  for (const ClientSummary& c : run.verdict->clients) {
    table.rows.push_back(
        {printable(client_label(*run.history, c.client), style.unicode), std::to_string(c.attempts),
         c.acquired_at ? instant_text(*c.acquired_at) : "-", duration_text(c.waited),
         duration_text(c.held), c.ttl_ms > 0 ? duration_text(milliseconds(c.ttl_ms)) : "-",
         printable(release_text(c), style.unicode)});
  }
  out += draw_table(table, width_of(style), glyphs(style.unicode).ellipsis);
}

std::string counted(std::uint32_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void add_counters(std::string& out, const RunReport& run, const TextStyle& style) {
  const Counters& c = run.verdict->counters;
  add_wrapped(
      out, "  ",
      fmt::format("{}, {} refused, {} waited in all; {}, {} longer than the TTL; {}, {} in "
                  "the busiest second",
                  counted(c.acquisitions, "acquisition"), c.refused, duration_text(c.waited_total),
                  counted(c.failed_releases, "failed release"), counted(c.holds_over_ttl, "hold"),
                  counted(c.redis_commands, "redis command"), c.redis_commands_per_s_max),
      style, Paint::kDim);
}

void add_verdict(std::string& out, const RunReport& run, const TextStyle& style) {
  add_outcome(out, run, style);
  add_findings(out, run, style);
  out += '\n';
  if (!run.verdict->clients.empty()) add_clients(out, run, style);
  add_counters(out, run, style);
  out += '\n';
  out += grep_line(run);
}

}  // namespace

std::string run_text(const RunReport& run, const TextStyle& style) {
  std::string out;
  add_title(out, run, style);
  add_verdict(out, run, style);
  return out;
}

std::string draw_text(const RunReport& run, const TextStyle& style) {
  std::string out;
  add_title(out, run, style);
  if (!run.story.empty()) {
    add_wrapped(out, "  ", printable(flat(run.story), style.unicode), style, Paint::kPlain);
  }
  add_set_up(out, run, style);
  out += '\n';
  out += draw_picture(run, style);
  out += '\n';
  add_verdict(out, run, style);
  return out;
}

std::string grep_line(const RunReport& run) {
  const Verdict& v = *run.verdict;
  return fmt::format(
      "scenario={} strategy={} guard={} seed={} outcome={} overlaps={} unowned={} stuck={} "
      "damage={} "
      "as_expected={} hash={:016x}\n",
      grep_word(run.scenario), grep_word(run.strategy), grep_word(run.guard), run.seed,
      outcome_name(v.outcome), v.overlaps.size(), v.unowned.size(), v.stuck.size(), v.damage.size(),
      !run.as_expected   ? "-"
      : *run.as_expected ? "yes"
                         : "no",
      run.trace_hash);
}

}  // namespace locklapse::reports
