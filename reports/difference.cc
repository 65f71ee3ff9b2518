#include "reports/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "reports/event_fields.h"
#include "reports/findings.h"
#include "sim/history/time_text.h"

namespace locklapse::reports {
namespace {

std::string said(std::string_view redis, std::string_view model) {
  return fmt::format("redis says {}; the model says {}", redis, model);
}

std::string outcome_of(const RunReport& run) { return std::string(outcome_name(run.verdict->outcome)); }

std::vector<std::string> findings_in(const RunReport& run) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings_of(run)) lines.push_back(finding.what + ": " + finding.sentence);
  return lines;
}

std::vector<std::string> only_in(const std::vector<std::string>& these, const std::vector<std::string>& those) {
  std::vector<std::string> lines;
  for (const std::string& line : these) {
    if (std::find(those.begin(), those.end(), line) == those.end()) lines.push_back(line);
  }
  return lines;
}

std::string words_of(const RunReport& run, std::size_t index) {
  const std::span<const Event> events = run.history->events;
  if (index >= events.size()) return "that nothing more happens";
  const Event& event = events[index];
  const EventFields& fields = fields_of(event.kind);
  std::string text = fmt::format("{} at {}", event_name(event.kind), instant_text(event.at));
  if (event.client != kNoClient) text += fmt::format(" of {}", run.history->client_name(event.client));
  if (fields.text) text += fmt::format(", {} {}", fields.text, event.text);
  if (fields.detail) text += fmt::format(", {} {}", fields.detail, event.detail);
  if (fields.number) text += fmt::format(", {} {}", fields.number, event.number);
  if (fields.extra) text += fmt::format(", {} {}", fields.extra, event.extra);
  return text;
}

// The first event that is not the same; the end where all are.
std::string first_difference(const RunReport& redis, const RunReport& model) {
  const std::span<const Event> ours = redis.history->events;
  const std::span<const Event> theirs = model.history->events;
  const auto [at, other] = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end());
  const auto index = static_cast<std::size_t>(at - ours.begin());
  if (index == ours.size() && index == theirs.size()) {
    return said("that it ends at " + instant_text(redis.history->end), "at " + instant_text(model.history->end));
  }
  return fmt::format("event {}: {}", index, said(words_of(redis, index), words_of(model, index)));
}

}  // namespace

std::vector<std::string> differences(const RunReport& redis, const RunReport& model, std::size_t lines_max) {
  std::vector<std::string> lines;
  if (redis.trace_hash == model.trace_hash) return lines;
  if (redis.verdict->outcome != model.verdict->outcome) lines.push_back(said(outcome_of(redis), outcome_of(model)));
  const std::vector<std::string> ours = findings_in(redis);
  const std::vector<std::string> theirs = findings_in(model);
  for (const std::string& line : only_in(ours, theirs)) lines.push_back("only redis has the " + line);
  for (const std::string& line : only_in(theirs, ours)) lines.push_back("only the model has the " + line);
  // The last line is kept for where they part, which is where one looks first.
  if (lines.size() >= lines_max) lines.resize(lines_max - 1);
  lines.push_back(first_difference(redis, model));
  return lines;
}

}  // namespace locklapse::reports
