#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "sim/redis/commands.h"
#include "sim/redis/number.h"
#include "sim/redis/score_range.h"

namespace locklapse::redis {

namespace {

using Iterator = SortedSet::Members::const_iterator;

enum class By : std::uint8_t { kRank, kScore, kLex };

struct RangeOptions {
  By by = By::kRank;
  bool reverse = false;
  bool scores = false;
  std::int64_t offset = 0;
  std::int64_t limit = -1;
};

// Reads the words behind key, start and end. `only_score` is for ZRANGEBYSCORE.
std::optional<Reply> parse_range_options(const Call& call, bool only_score, RangeOptions& options) {
  const Argv words = call.argv.subspan(4);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_word(words[i], "withscores")) {
      options.scores = true;
    } else if (is_word(words[i], "limit") && words.size() - i > 2) {
      if (!parse_int64(words[i + 1], options.offset) || !parse_int64(words[i + 2], options.limit)) {
        return call.not_an_integer();
      }
      i += 2;
    } else if (!only_score && is_word(words[i], "rev") && !options.reverse) {
      options.reverse = true;
    } else if (!only_score && is_word(words[i], "bylex") && options.by == By::kRank) {
      options.by = By::kLex;
    } else if (!only_score && is_word(words[i], "byscore") && options.by == By::kRank) {
      options.by = By::kScore;
    } else {
      return call.syntax_error();
    }
  }
  if (only_score) options.by = By::kScore;
  if (options.limit != -1 && options.by == By::kRank) {
    return call.error(
        "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or "
        "BYLEX");
  }
  if (options.scores && options.by == By::kLex) {
    return call.error("ERR syntax error, WITHSCORES not supported in combination with BYLEX");
  }
  return std::nullopt;
}

// One end of a range of names: "[a", "(a", "-", "+".
struct LexBound {
  enum class Kind : std::uint8_t { kFirst, kName, kLast };
  Kind kind = Kind::kName;
  std::string_view name;
  bool exclusive = false;

  bool parse(std::string_view text) {
    const std::string_view word = until_nul(text);
    if (word == "-" || word == "+") {
      kind = word == "-" ? Kind::kFirst : Kind::kLast;
      exclusive = true;
      return true;
    }
    if (word.empty() || (word[0] != '(' && word[0] != '[')) return false;
    exclusive = word[0] == '(';
    name = text.substr(1);
    return true;
  }
};

struct LexRange {
  LexBound low;
  LexBound high;

  bool parse(std::string_view low_text, std::string_view high_text) {
    return low.parse(low_text) && high.parse(high_text);
  }
  bool empty() const {
    if (low.kind != high.kind) return low.kind > high.kind;
    const int order = low.kind == LexBound::Kind::kName ? low.name.compare(high.name) : 0;
    return order > 0 || (order == 0 && (low.exclusive || high.exclusive));
  }
  bool above_low(std::string_view name) const {
    if (low.kind != LexBound::Kind::kName) return low.kind == LexBound::Kind::kFirst;
    return low.exclusive ? name > low.name : name >= low.name;
  }
  bool below_high(std::string_view name) const {
    if (high.kind != LexBound::Kind::kName) return high.kind == LexBound::Kind::kLast;
    return high.exclusive ? name < high.name : name <= high.name;
  }

  // Meant for members of one score; with several the answer is the stretch at the requested end.
  std::pair<Iterator, Iterator> find(const SortedSet& set, bool reverse) const {
    const auto& members = set.members();
    const std::pair<Iterator, Iterator> none{members.end(), members.end()};
    if (empty() || !above_low(members.rbegin()->name) || !below_high(members.begin()->name)) {
      return none;
    }
    if (reverse) {
      auto last = members.end();
      while (last != members.begin() && !below_high(std::prev(last)->name)) --last;
      auto first = last;
      while (first != members.begin() && above_low(std::prev(first)->name)) --first;
      return {first, last};
    }
    auto first = members.begin();
    while (first != members.end() && !above_low(first->name)) ++first;
    auto last = first;
    while (last != members.end() && below_high(last->name)) ++last;
    return {first, last};
  }
};

void append_member(const Call& call, const SortedSet::Member& member, bool with_score,
                   Reply& answer) {
  if (!with_score) return answer.append(call.bulk(member.name));
  if (!call.resp3()) {
    answer.append(call.bulk(member.name));
    answer.append(call.number(member.score));
    return;
  }
  Reply pair = call.array();
  pair.append(call.bulk(member.name));
  pair.append(call.number(member.score));
  answer.append(std::move(pair));
}

// The members of [first, last), from either end, behind `offset` and up to `limit` (negative: all).
template <typename It>
void append_members(Call& call, It at, It last, const RangeOptions& options, Reply& answer) {
  std::int64_t skip = options.offset;
  // A negative offset skips everything, as in the server.
  if (skip < 0) return;
  for (; skip > 0 && at != last; --skip, ++at) ++call.server.work;
  for (std::int64_t left = options.limit; left != 0 && at != last; --left, ++at) {
    append_member(call, *at, options.scores, answer);
  }
}

Reply by_rank(Call& call, const SortedSet& set, std::int64_t start, std::int64_t end,
              const RangeOptions& options) {
  const auto size = static_cast<std::int64_t>(set.size());
  if (start < 0) start = std::max<std::int64_t>(start + size, 0);
  if (end < 0) end += size;
  end = std::min(end, size - 1);
  Reply answer = call.array();
  if (start > end) return answer;
  call.server.work += start;
  const RangeOptions all{.scores = options.scores, .limit = end - start + 1};
  if (options.reverse) {
    append_members(call, std::next(set.members().rbegin(), start), set.members().rend(), all,
                   answer);
  } else {
    append_members(call, std::next(set.members().begin(), start), set.members().end(), all, answer);
  }
  return answer;
}

Reply range(Call& call, bool only_score) {
  RangeOptions options;
  if (auto error = parse_range_options(call, only_score, options)) return std::move(*error);
  std::string_view low = call.argv[2];
  std::string_view high = call.argv[3];
  if (options.reverse && options.by != By::kRank) std::swap(low, high);

  std::int64_t start = 0;
  std::int64_t end = 0;
  ScoreRange scores;
  LexRange names;
  if (options.by == By::kRank && (!parse_int64(low, start) || !parse_int64(high, end))) {
    return call.not_an_integer();
  }
  if (options.by == By::kScore && !scores.parse(low, high)) {
    return call.error("ERR min or max is not a float");
  }
  if (options.by == By::kLex && !names.parse(low, high)) {
    return call.error("ERR min or max not valid string range item");
  }

  Key* key = call.find(call.key());
  Reply answer = call.array();
  if (key == nullptr) return answer;
  const SortedSet* set = value_of<SortedSet>(*key);
  if (set == nullptr) return call.wrong_type();
  if (options.by == By::kRank) return by_rank(call, *set, start, end, options);

  std::pair<Iterator, Iterator> found;
  if (options.by == By::kLex) {
    call.server.work += static_cast<std::int64_t>(set->size());
    found = names.find(*set, options.reverse);
  } else {
    found = {scores.begin(*set), scores.end(*set)};
  }
  if (options.reverse) {
    append_members(call, std::make_reverse_iterator(found.second),
                   std::make_reverse_iterator(found.first), options, answer);
  } else {
    append_members(call, found.first, found.second, options, answer);
  }
  return answer;
}

}  // namespace

Reply zrange_command(Call& call) { return range(call, false); }
Reply zrangebyscore_command(Call& call) { return range(call, true); }

}  // namespace locklapse::redis
