// lock, token, renew, retry, client-library: how clients try for the lock.
#include <fmt/format.h>

#include "sim/scenario/reading.h"

namespace locklapse::scenario {
namespace {

constexpr std::int64_t kTriesMax = 1'000'000;
constexpr std::uint32_t kResendsMax = 1'000;

void read_renewal(const Node& node, Renewal& renewal, Diagnostics& diagnostics) {
  Fields fields(node, Section::kRenew, diagnostics);
  if (fields.get("enabled") != nullptr) {
    bool enabled = true;
    fields.flag("enabled", enabled);
    renewal.enabled = enabled;
  }
  fields.duration("every", renewal.every, DurationRule::kPositive);
  static constexpr Words<RenewalThread, 2> kThreads{
      {{"own", RenewalThread::kOwn}, {"work", RenewalThread::kWork}}};
  fields.word("thread", renewal.thread, kThreads);
  fields.flag("stop-at-release", renewal.stop_at_release);
  fields.flag("stop-on-error", renewal.stop_on_error);
  fields.duration("ttl", renewal.ttl, DurationRule::kTtlOrZero);
}

}  // namespace

void read_token(const Node& node, Token& token, Diagnostics& diagnostics) {
  if (node.kind == Node::Kind::kMap) {
    Fields fields(node, Section::kToken, diagnostics);
    if (fields.get("constant") == nullptr) {
      diagnostics.add(node.mark, "token: a map without 'constant'; allowed: {constant: TEXT}");
      return;
    }
    token.scope = TokenScope::kConstant;
    fields.text("constant", token.text, kNameBytesMax);
    return;
  }
  static constexpr std::string_view kNames[] = {"per-attempt", "per-client", "per-thread",
                                                "per-process", "{constant: TEXT}"};
  static constexpr TokenScope kScopes[] = {TokenScope::kPerAttempt, TokenScope::kPerClient,
                                           TokenScope::kPerThread, TokenScope::kPerProcess};
  const auto index = read_word(node, "token", kNames, diagnostics);
  if (index && *index < std::size(kScopes)) {
    token = {kScopes[*index], ""};
  } else if (index) {  // the quoted text "{constant: TEXT}" itself
    diagnostics.add(node.mark,
                    fmt::format("token: {}; allowed: a map with 'constant'", found(node)));
  }
}

void read_retry(const Node& node, Retry& retry, Diagnostics& diagnostics) {
  if (is_none(node)) {
    retry = Retry{};
    return;
  }
  if (node.kind == Node::Kind::kText) {
    static constexpr std::string_view kAllowed[] = {"none", "{every: 1s, give-up: 60s}"};
    diagnostics.add_unknown(node.mark, "retry:", node.text, kAllowed);
    return;
  }
  Fields fields(node, Section::kRetry, diagnostics);
  if (!fields.is_map()) return;
  retry.enabled = true;
  fields.duration("every", retry.every, DurationRule::kNotNegative);
  fields.duration("jitter", retry.jitter, DurationRule::kNotNegative);
  if (const Node* limit = fields.get("limit")) {
    if (is_none(*limit)) {
      retry.limit = 0;
    } else if (const auto value = read_integer(*limit, "limit", 1, kTriesMax, diagnostics, true)) {
      retry.limit = static_cast<std::uint32_t>(*value);
    }
  }
  fields.duration_or_none("give-up", retry.give_up, DurationRule::kNotNegative);
  if (retry.every.ns == 0 && retry.jitter.ns == 0 && retry.limit == 0 && !retry.give_up) {
    diagnostics.add(node.mark,
                    "retry: tries for ever without a pause; allowed: an 'every' above 0s, a "
                    "'limit', or a 'give-up'");
  }
}

void read_library(const Node& node, ClientPolicy& policy, Diagnostics& diagnostics) {
  Fields fields(node, Section::kLibrary, diagnostics);
  fields.duration_or_none("timeout", policy.timeout, DurationRule::kPositive);
  fields.integer("retries", policy.retries, 0u, kResendsMax);
  fields.duration("backoff", policy.backoff, DurationRule::kNotNegative);
  fields.duration("jitter", policy.jitter, DurationRule::kNotNegative);
}

void read_lock(const Node* node, Reading& reading) {
  Lock& lock = reading.scenario.lock;
  Diagnostics& diagnostics = reading.diagnostics;
  if (node == nullptr) return;
  Fields fields(*node, Section::kLock, diagnostics);
  fields.text("key", lock.key, kNameBytesMax);
  fields.duration_or_none("ttl", lock.ttl, DurationRule::kTtl);
  if (const Node* strategy = fields.get("strategy")) {
    if (auto name = read_text(*strategy, "strategy", kNameBytesMax, diagnostics)) {
      if (std::string error = refuse_strategy(*name, reading.vocabulary); !error.empty()) {
        diagnostics.add(strategy->mark, "strategy: " + error);
      }
      lock.strategy = std::move(*name);
    }
  }
  if (const Node* token = fields.get("token")) read_token(*token, lock.token, diagnostics);
  if (const Node* renew = fields.get("renew")) read_renewal(*renew, lock.renew, diagnostics);
  static constexpr Words<OnLoss, 2> kOnLoss{{{"stop", OnLoss::kStop}, {"go-on", OnLoss::kGoOn}}};
  fields.word("on-loss", lock.on_loss, kOnLoss);
  if (const Node* retry = fields.get("retry")) read_retry(*retry, reading.retry, diagnostics);
  fields.duration("at-least-for", lock.at_least_for, DurationRule::kTtlOrZero);
  fields.flag("clean-up", lock.clean_up);
}

}  // namespace locklapse::scenario
