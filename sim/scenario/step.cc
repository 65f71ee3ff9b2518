#include "sim/scenario/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/scenario/diagnostics.h"
#include "sim/scenario/nearest.h"

namespace locklapse::scenario {
namespace {

using Names = std::span<const std::string_view>;

// Phases that send commands first, then those that do not.
constexpr std::string_view kPhases[] = {"acquire", "renew", "release", "wait",   "read",
                                        "write",   "work",  "call",    "section"};
constexpr std::size_t kCommandPhases = 6;
constexpr std::string_view kCommandPoints[] = {"sent", "executed", "replied"};
constexpr std::string_view kSpanPoints[] = {"started", "ended"};
constexpr std::string_view kMessageEnds[] = {"request", "reply"};

bool is_command_phase(std::string_view phase) {
  const Names phases(kPhases, kCommandPhases);
  return std::find(phases.begin(), phases.end(), phase) != phases.end();
}

std::string unknown(std::string_view text, std::string_view what, std::string_view name,
                    Names allowed) {
  std::string error = fmt::format("{} names the {} {}; allowed: {}", quoted(text), what,
                                  quoted(name), listed(allowed));
  if (const auto near = nearest(name, allowed))
    error += fmt::format("; did you mean {}?", quoted(*near));
  return error;
}

std::optional<std::uint32_t> parse_nth(std::string_view digits) {
  if (digits.empty() || digits.size() > 7) return std::nullopt;
  std::uint32_t value = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint32_t>(c - '0');
  }
  if (value < 1 || value > kNthMax) return std::nullopt;
  return value;
}

// Takes "#N" off the end of `part`. False when there is one and it is no count.
bool take_nth(std::string_view& part, std::uint32_t& nth) {
  const std::size_t hash = part.find('#');
  if (hash == std::string_view::npos) return true;
  const auto value = parse_nth(part.substr(hash + 1));
  part = part.substr(0, hash);
  if (value) nth = *value;
  return value.has_value();
}

std::optional<std::string> lower_command(std::string_view word) {
  std::string out;
  for (char c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c < 'a' || c > 'z') return std::nullopt;
    out += c;
  }
  if (out.empty() || out.size() > 32) return std::nullopt;
  return out;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t from = 0;
  while (parts.size() < 6) {  // one more than a step can have is enough to tell
    const std::size_t dot = text.find('.', from);
    if (dot == std::string_view::npos) break;
    parts.push_back(text.substr(from, dot - from));
    from = dot + 1;
  }
  parts.push_back(text.substr(from));
  return parts;
}

// Everything up to the last part. Returns an error, or nothing and fills `step`.
std::string parse_front(std::string_view text, std::vector<std::string_view> parts, Names clients,
                        Names phases, Step& step) {
  const auto client = std::find(clients.begin(), clients.end(), parts[0]);
  if (client == clients.end()) return unknown(text, "client", parts[0], clients);
  step.client = static_cast<std::size_t>(client - clients.begin());
  std::string_view& counted = parts[parts.size() - 2];
  if (!take_nth(counted, step.nth)) {
    return fmt::format("{} has no count after '#'; allowed: 1 to {}", quoted(text), kNthMax);
  }
  if (std::find(phases.begin(), phases.end(), parts[1]) == phases.end()) {
    return unknown(text, "phase", parts[1], phases);
  }
  step.phase = parts[1];
  if (parts.size() < 4) return {};
  if (!is_command_phase(step.phase)) {
    return fmt::format("{} names a command, but {} sends none; allowed: {}.started, {}.ended",
                       quoted(text), step.phase, step.phase, step.phase);
  }
  const auto command = lower_command(parts[2]);
  if (!command) {
    return fmt::format("{} names the command {}; allowed: letters, as in set or expire",
                       quoted(text), quoted(parts[2]));
  }
  step.command = *command;
  return {};
}

std::string spell_front(const Step& step, const Scenario& scenario) {
  std::string out = scenario.clients[step.client].name + "." + step.phase;
  if (!step.command.empty()) out += "." + step.command;
  if (step.nth != 1) out += fmt::format("#{}", step.nth);
  return out + ".";
}

}  // namespace

ParsedStep parse_step(std::string_view text, std::span<const std::string_view> clients) {
  const auto parts = split(text);
  if (parts.size() < 3 || parts.size() > 4) {
    return {std::nullopt,
            fmt::format("{} is no step; allowed: CLIENT.PHASE[.COMMAND][#N].POINT, as in "
                        "A.acquire.executed",
                        quoted(text))};
  }
  Step step;
  if (std::string error = parse_front(text, parts, clients, kPhases, step); !error.empty()) {
    return {std::nullopt, std::move(error)};
  }
  const Names points = is_command_phase(step.phase) ? Names(kCommandPoints) : Names(kSpanPoints);
  if (std::find(points.begin(), points.end(), parts.back()) == points.end()) {
    return {std::nullopt, unknown(text, "point", parts.back(), points)};
  }
  step.point = parts.back();
  return {std::move(step), {}};
}

ParsedMessage parse_message(std::string_view text, std::span<const std::string_view> clients) {
  const auto parts = split(text);
  if (parts.size() < 3 || parts.size() > 4) {
    return {std::nullopt,
            fmt::format("{} is no message; allowed: CLIENT.PHASE[.COMMAND][#N].request or "
                        ".reply, as in A.acquire.reply",
                        quoted(text))};
  }
  Message message;
  const Names phases(kPhases, kCommandPhases);
  if (std::string error = parse_front(text, parts, clients, phases, message.step); !error.empty()) {
    return {std::nullopt, std::move(error)};
  }
  const Names ends(kMessageEnds);
  if (std::find(ends.begin(), ends.end(), parts.back()) == ends.end()) {
    return {std::nullopt, unknown(text, "end", parts.back(), ends)};
  }
  message.reply = parts.back() == "reply";
  return {std::move(message), {}};
}

std::string spell_step(const Step& step, const Scenario& scenario) {
  return spell_front(step, scenario) + step.point;
}

std::string spell_message(const Message& message, const Scenario& scenario) {
  return spell_front(message.step, scenario) + (message.reply ? "reply" : "request");
}

}  // namespace locklapse::scenario
