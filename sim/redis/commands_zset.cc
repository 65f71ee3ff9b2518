#include <cmath>
#include <optional>
#include <utility>

#include "sim/redis/commands.h"
#include "sim/redis/number.h"
#include "sim/redis/score_range.h"

namespace locklapse::redis {

namespace {

struct AddOptions {
  bool nx = false;
  bool xx = false;
  bool gt = false;
  bool lt = false;
  bool changed = false;  // CH: count changed members too
  bool increment = false;
};

// Reads the options of ZADD; returns how many words they are.
std::size_t parse_add_options(Argv words, AddOptions& options) {
  std::size_t i = 0;
  for (; i < words.size(); ++i) {
    if (is_word(words[i], "nx")) {
      options.nx = true;
    } else if (is_word(words[i], "xx")) {
      options.xx = true;
    } else if (is_word(words[i], "ch")) {
      options.changed = true;
    } else if (is_word(words[i], "incr")) {
      options.increment = true;
    } else if (is_word(words[i], "gt")) {
      options.gt = true;
    } else if (is_word(words[i], "lt")) {
      options.lt = true;
    } else {
      break;
    }
  }
  return i;
}

std::optional<Reply> conflict(const Call& call, const AddOptions& options, std::size_t pairs) {
  if (options.nx && options.xx) {
    return call.error("ERR XX and NX options at the same time are not compatible");
  }
  if ((options.gt && options.nx) || (options.lt && options.nx) || (options.gt && options.lt)) {
    return call.error("ERR GT, LT, and/or NX options at the same time are not compatible");
  }
  if (options.increment && pairs > 1) {
    return call.error("ERR INCR option supports a single increment-element pair");
  }
  return std::nullopt;
}

struct Outcome {
  std::int64_t added = 0;
  std::int64_t updated = 0;
  bool processed = false;  // some pair passed its conditions
  bool not_a_number = false;
  double score = 0;  // of the last pair that passed
};

void add_member(SortedSet& set, std::string_view name, double score, const AddOptions& options,
                Outcome& outcome) {
  const double* old = set.find(name);
  if (old == nullptr) {
    if (options.xx) return;
    set.set(name, score);
    ++outcome.added;
  } else {
    if (options.nx) return;
    if (options.increment) score += *old;
    if (std::isnan(score)) {
      outcome.not_a_number = true;
      return;
    }
    if ((options.lt && score >= *old) || (options.gt && score <= *old)) return;
    if (score != *old) {
      set.set(name, score);
      ++outcome.updated;
    }
  }
  outcome.processed = true;
  outcome.score = score;
}

Reply add(Call& call, AddOptions options) {
  const std::size_t words = parse_add_options(call.argv.subspan(2), options);
  const Argv pairs = call.argv.subspan(2 + words);
  if (pairs.empty() || pairs.size() % 2 == 1) return call.syntax_error();
  if (auto error = conflict(call, options, pairs.size() / 2)) return std::move(*error);
  std::pmr::vector<double> scores(call.memory());
  scores.reserve(pairs.size() / 2);
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    if (!parse_double(pairs[i], scores.emplace_back())) return call.not_a_float();
  }

  Key* key = call.find(call.key());
  SortedSet* set = key == nullptr ? nullptr : value_of<SortedSet>(*key);
  if (key != nullptr && set == nullptr) return call.wrong_type();
  const std::size_t size = set == nullptr ? 0 : set->size();
  if (size + scores.size() > kElementsMax) return call.too_many_elements();

  Outcome outcome;
  if (key != nullptr || !options.xx) {
    call.server.before(key);
    Key& target = key != nullptr ? *key : call.server.insert(call.connection, call.key());
    if (key == nullptr) set = &target.second.object.value.emplace<SortedSet>(call.memory());
    for (std::size_t i = 0; i < scores.size() && !outcome.not_a_number; ++i) {
      add_member(*set, pairs[2 * i + 1], scores[i], options, outcome);
    }
    if (outcome.added + outcome.updated > 0) {
      call.server.written(call.connection, target);
      call.notify(kNotifyZset, options.increment ? "zincr" : "zadd", call.key());
    }
  }
  if (outcome.not_a_number) return call.error("ERR resulting score is not a number (NaN)");
  if (options.increment) {
    return outcome.processed ? call.number(outcome.score) : call.nil();
  }
  return call.integer(outcome.added + (options.changed ? outcome.updated : 0));
}

}  // namespace

Reply zadd_command(Call& call) { return add(call, {}); }

Reply zincrby_command(Call& call) { return add(call, {.increment = true}); }

Reply zrem_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  SortedSet* set = value_of<SortedSet>(*key);
  if (set == nullptr) return call.wrong_type();
  call.server.before(key);
  std::int64_t removed = 0;
  for (const std::string_view name : call.argv.subspan(2)) {
    if (set->erase(name)) ++removed;
  }
  if (removed > 0) call.notify(kNotifyZset, "zrem", call.key());
  if (set->size() == 0) {
    call.server.emptied(call.connection, *key);
  } else if (removed > 0) {
    call.server.written(call.connection, *key);
  }
  return call.integer(removed);
}

Reply zscore_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.nil();
  const SortedSet* set = value_of<SortedSet>(*key);
  if (set == nullptr) return call.wrong_type();
  const double* score = set->find(call.argv[2]);
  return score == nullptr ? call.nil() : call.number(*score);
}

Reply zrank_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.nil();
  const SortedSet* set = value_of<SortedSet>(*key);
  if (set == nullptr) return call.wrong_type();
  const double* score = set->find(call.argv[2]);
  if (score == nullptr) return call.nil();
  const auto& members = set->members();
  const auto rank = std::distance(members.begin(), members.find({*score, call.argv[2]}));
  call.server.work += rank;
  return call.integer(rank);
}

Reply zcard_command(Call& call) {
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  const SortedSet* set = value_of<SortedSet>(*key);
  return set == nullptr ? call.wrong_type() : call.count(set->size());
}

Reply zcount_command(Call& call) {
  ScoreRange range;
  if (!range.parse(call.argv[2], call.argv[3])) return call.error("ERR min or max is not a float");
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  const SortedSet* set = value_of<SortedSet>(*key);
  if (set == nullptr) return call.wrong_type();
  const auto count = std::distance(range.begin(*set), range.end(*set));
  call.server.work += count;
  return call.integer(count);
}

Reply zremrangebyscore_command(Call& call) {
  ScoreRange range;
  if (!range.parse(call.argv[2], call.argv[3])) return call.error("ERR min or max is not a float");
  Key* key = call.find(call.key());
  if (key == nullptr) return call.integer(0);
  SortedSet* set = value_of<SortedSet>(*key);
  if (set == nullptr) return call.wrong_type();
  call.server.before(key);
  std::int64_t removed = 0;
  for (auto at = range.begin(*set); at != range.end(*set); at = range.begin(*set)) {
    // The name lives in the set: it must not be looked at once its member is gone.
    set->erase(at->name);
    ++removed;
  }
  if (removed > 0) call.notify(kNotifyZset, "zremrangebyscore", call.key());
  if (set->size() == 0) {
    call.server.emptied(call.connection, *key);
  } else if (removed > 0) {
    call.server.written(call.connection, *key);
  }
  return call.integer(removed);
}

}  // namespace locklapse::redis
