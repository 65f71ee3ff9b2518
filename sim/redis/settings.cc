#include "sim/redis/settings.h"

#include <limits>

#include "sim/redis/ascii.h"
#include "sim/redis/notify.h"
#include "sim/redis/number.h"
#include "sim/redis/server.h"

namespace locklapse::redis {

namespace {

enum class Kind : std::uint8_t { kInteger, kMemory, kBool, kEnum, kText, kSpecial };

// What a setting that the model acts on is stored in.
using Field = std::int64_t& (*)(ServerConfig&);

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();

constexpr std::string_view kPolicies =
    "volatile-lru, volatile-lfu, volatile-random, volatile-ttl, allkeys-lru, allkeys-lfu, "
    "allkeys-random, noeviction";
constexpr std::string_view kSyncs = "everysec, always, no";

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && is_word(a, b);
}

// The position of `word` in a list of words, whatever its case, or -1.
int position_in(std::string_view list, std::string_view word) {
  for (int position = 0;; ++position) {
    const std::size_t comma = list.find(',');
    if (same_name(word, list.substr(0, comma))) return position;
    if (comma == std::string_view::npos) return -1;
    list.remove_prefix(comma + 2);
  }
}

std::string_view word_at(std::string_view list, int position) {
  for (; position > 0; --position) list.remove_prefix(list.find(',') + 2);
  return list.substr(0, list.find(','));
}

// "10mb", as bytes. Like the server, takes more digits than fit for the largest number.
bool parse_memory(std::string_view text, std::int64_t& bytes) {
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  constexpr struct {
    std::string_view name;
    std::int64_t factor;
  } kUnits[] = {{"", 1},           {"b", 1},          {"k", 1000},
                {"kb", 1024},      {"m", 1000000},    {"mb", 1 << 20},
                {"g", 1000000000}, {"gb", 1LL << 30}};
  for (const auto& unit : kUnits) {
    if (digits == 0 || !same_name(text.substr(digits), unit.name)) continue;
    bytes = 0;
    for (const char c : text.substr(0, digits)) {
      if (__builtin_mul_overflow(bytes, std::int64_t{10}, &bytes) ||
          __builtin_add_overflow(bytes, std::int64_t{c - '0'}, &bytes)) {
        bytes = kMax;
        return true;
      }
    }
    if (__builtin_mul_overflow(bytes, unit.factor, &bytes)) bytes = kMax;
    return true;
  }
  return false;
}

}  // namespace

struct Settings::Known {
  std::string_view name;
  Kind kind;
  std::string_view usual;  // its value where the model does not act on it; the words of an enum
  Field field = nullptr;
  std::int64_t min = 0;
  std::int64_t max = kMax;
  bool fixed = false;  // cannot be set while the server runs
};

namespace {

constexpr Settings::Known kSettings[] = {
    {"maxmemory", Kind::kMemory, "0", [](ServerConfig& c) -> auto& { return c.memory.max_bytes; }},
    {"maxmemory-policy", Kind::kSpecial, kPolicies},
    {"maxmemory-samples", Kind::kInteger, "5", nullptr, 1, kMaxInt},
    {"maxclients", Kind::kInteger, "10000", nullptr, 1, 4294967295},
    {"notify-keyspace-events", Kind::kSpecial, ""},
    {"requirepass", Kind::kSpecial, ""},
    {"busy-reply-threshold", Kind::kInteger, "",
     [](ServerConfig& c) -> auto& { return c.busy_reply_threshold_ms; }},
    {"lua-time-limit", Kind::kInteger, "",
     [](ServerConfig& c) -> auto& { return c.busy_reply_threshold_ms; }},
    {"slowlog-log-slower-than", Kind::kInteger, "",
     [](ServerConfig& c) -> auto& { return c.slowlog_slower_than_us; }, -1},
    {"slowlog-max-len", Kind::kInteger, "",
     [](ServerConfig& c) -> auto& { return c.slowlog_entries_max; }},
    {"min-replicas-to-write", Kind::kInteger, "",
     [](ServerConfig& c) -> auto& { return c.replication.min_replicas_to_write; }, 0, kMaxInt},
    {"min-slaves-to-write", Kind::kInteger, "",
     [](ServerConfig& c) -> auto& { return c.replication.min_replicas_to_write; }, 0, kMaxInt},
    {"min-replicas-max-lag", Kind::kInteger, "",
     [](ServerConfig& c) -> auto& { return c.replication.min_replicas_max_lag_s; }, 0, kMaxInt},
    {"min-slaves-max-lag", Kind::kInteger, "",
     [](ServerConfig& c) -> auto& { return c.replication.min_replicas_max_lag_s; }, 0, kMaxInt},
    {"replica-serve-stale-data", Kind::kSpecial, ""},
    {"appendonly", Kind::kSpecial, ""},
    {"appendfsync", Kind::kSpecial, kSyncs},
    {"save", Kind::kSpecial, ""},
    {"stop-writes-on-bgsave-error", Kind::kSpecial, ""},
    {"enable-debug-command", Kind::kEnum, "yes", nullptr, 0, 0, true},
    {"databases", Kind::kInteger, "16", nullptr, 1, kMaxInt, true},
    {"daemonize", Kind::kBool, "no", nullptr, 0, 0, true},
    {"timeout", Kind::kInteger, "0", nullptr, 0, kMaxInt},
    {"tcp-keepalive", Kind::kInteger, "300", nullptr, 0, kMaxInt},
    {"hz", Kind::kInteger, "10", nullptr, 0, kMaxInt},
    {"repl-timeout", Kind::kInteger, "60", nullptr, 1, kMaxInt},
    {"repl-diskless-sync-delay", Kind::kInteger, "5", nullptr, 0, kMaxInt},
    {"proto-max-bulk-len", Kind::kMemory, "536870912", nullptr, 1 << 20},
    {"lazyfree-lazy-expire", Kind::kBool, "no"},
    {"replica-read-only", Kind::kBool, "yes"},
    {"cluster-enabled", Kind::kBool, "no", nullptr, 0, 0, true},
    {"dir", Kind::kText, "/var/lib/redis"},
    {"dbfilename", Kind::kText, "dump.rdb"},
};

std::string_view yes_or_no(bool value) { return value ? "yes" : "no"; }
constexpr std::string_view kNotYesOrNo = "argument must be 'yes' or 'no'";

bool parse_yes_or_no(std::string_view text, bool& value) {
  value = same_name(text, "yes");
  return value || same_name(text, "no");
}

// "900 1 300 10": pairs of seconds and changes.
bool is_save_line(std::string_view text) {
  int numbers = 0;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    std::int64_t number = 0;
    if (!parse_int64(text.substr(0, blank), number) || number < (numbers % 2 == 0 ? 1 : 0)) {
      return false;
    }
    ++numbers;
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  return numbers % 2 == 0;
}

int sync_word(PersistenceKind kind) {
  if (kind == PersistenceKind::kAofAlways) return 1;
  return kind == PersistenceKind::kAofNo ? 2 : 0;
}

}  // namespace

std::size_t Settings::count() { return std::size(kSettings); }
std::string_view Settings::name(std::size_t index) { return kSettings[index].name; }

std::optional<std::size_t> Settings::find(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kSettings); ++i) {
    if (same_name(name, kSettings[i].name)) return i;
  }
  return std::nullopt;
}

std::optional<std::string_view> Settings::remembered(std::size_t index) const {
  const auto found = texts_.find(index);
  if (found == texts_.end()) return std::nullopt;
  return found->second;
}

void Settings::remember(std::size_t index, std::string_view value) {
  texts_[index].assign(value);
}

std::pmr::string Settings::value(std::size_t index) const {
  const Known& known = kSettings[index];
  std::pmr::string text(&memory_);
  if (known.field != nullptr) {
    text.assign(integer_text(known.field(config_)).view());
  } else if (known.name == "maxmemory-policy") {
    text.assign(word_at(kPolicies, static_cast<int>(config_.memory.policy)));
  } else if (known.name == "notify-keyspace-events") {
    text = notify_classes_text(config_.notify, &memory_);
  } else if (known.name == "requirepass") {
    text.assign(config_.password);
  } else if (known.name == "replica-serve-stale-data") {
    text.assign(yes_or_no(config_.replication.serve_stale_data));
  } else if (known.name == "stop-writes-on-bgsave-error") {
    text.assign(yes_or_no(config_.stop_writes_on_save_error));
  } else if (known.name == "appendonly") {
    text.assign(yes_or_no(config_.persistence.has_aof()));
  } else if (const auto set = remembered(index)) {
    text.assign(*set);
  } else if (known.name == "appendfsync") {
    text.assign(word_at(kSyncs, sync_word(config_.persistence.kind)));
  } else if (known.name == "save") {
    if (config_.persistence.kind == PersistenceKind::kRdb) text.assign("3600 1 300 100 60 10000");
  } else {
    text.assign(known.usual);
  }
  return text;
}

std::optional<std::pmr::string> Settings::set(std::string_view name, std::string_view value) {
  const auto index = find(name);
  if (!index) return refuse({});
  const Known& known = kSettings[*index];
  if (known.fixed) return refuse("can't set immutable config");
  std::int64_t number = 0;
  bool yes = false;
  switch (known.kind) {
    case Kind::kMemory:
      if (!parse_memory(value, number)) return refuse("argument must be a memory value");
      return set_integer(known, *index, integer_text(number).view());
    case Kind::kInteger:
      if (!parse_int64(value, number)) {
        return refuse("argument couldn't be parsed into an integer");
      }
      return set_integer(known, *index, value);
    case Kind::kBool:
      if (!parse_yes_or_no(value, yes)) return refuse(kNotYesOrNo);
      remember(*index, yes_or_no(yes));
      return std::nullopt;
    case Kind::kEnum:
    case Kind::kText:
      remember(*index, value);
      return std::nullopt;
    case Kind::kSpecial:
      return set_special(known, value);
  }
  return std::nullopt;
}

std::optional<std::pmr::string> Settings::set_integer(const Known& known, std::size_t index,
                                                      std::string_view value) {
  std::int64_t number = 0;
  parse_int64(value, number);
  if (number < known.min || number > known.max) {
    std::pmr::string why("argument must be between ", &memory_);
    why.append(integer_text(known.min).view());
    why.append(" and ");
    why.append(integer_text(known.max).view());
    why.append(" inclusive");
    return why;
  }
  if (known.field != nullptr) {
    known.field(config_) = number;
  } else {
    remember(index, value);
  }
  return std::nullopt;
}

std::optional<std::pmr::string> Settings::set_special(const Known& known, std::string_view value) {
  const auto not_one_of = [this](std::string_view words) {
    std::pmr::string why("argument(s) must be one of the following: ", &memory_);
    why.append(words);
    return why;
  };
  PersistenceKind& kind = config_.persistence.kind;
  bool yes = false;
  if (known.name == "maxmemory-policy") {
    const int policy = position_in(kPolicies, value);
    if (policy < 0) return not_one_of(kPolicies);
    config_.memory.policy = static_cast<EvictionPolicy>(policy);
  } else if (known.name == "notify-keyspace-events") {
    std::uint32_t classes = 0;
    if (!parse_notify_classes(value, classes)) {
      return refuse("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
    }
    config_.notify = classes;
  } else if (known.name == "requirepass") {
    password_.assign(value);
    config_.password = password_;
  } else if (known.name == "replica-serve-stale-data") {
    if (!parse_yes_or_no(value, yes)) return refuse(kNotYesOrNo);
    config_.replication.serve_stale_data = yes;
  } else if (known.name == "stop-writes-on-bgsave-error") {
    if (!parse_yes_or_no(value, yes)) return refuse(kNotYesOrNo);
    config_.stop_writes_on_save_error = yes;
  } else if (known.name == "appendonly") {
    if (!parse_yes_or_no(value, yes)) return refuse(kNotYesOrNo);
    constexpr PersistenceKind kSyncKinds[] = {PersistenceKind::kAofEverySecond,
                                              PersistenceKind::kAofAlways, PersistenceKind::kAofNo};
    const int sync = position_in(kSyncs, this->value(*find("appendfsync")));
    const bool saves = !this->value(*find("save")).empty();
    if (yes != config_.persistence.has_aof()) {
      const PersistenceKind without = saves ? PersistenceKind::kRdb : PersistenceKind::kNone;
      kind = yes ? kSyncKinds[sync] : without;
    }
  } else if (known.name == "appendfsync") {
    const int sync = position_in(kSyncs, value);
    if (sync < 0) return not_one_of(kSyncs);
    remember(*find(known.name), word_at(kSyncs, sync));
    constexpr PersistenceKind kSyncKinds[] = {PersistenceKind::kAofEverySecond,
                                              PersistenceKind::kAofAlways, PersistenceKind::kAofNo};
    if (config_.persistence.has_aof()) kind = kSyncKinds[sync];
  } else if (known.name == "save") {
    if (!is_save_line(value)) return refuse("Invalid save parameters");
    remember(*find(known.name), value);
    if (!config_.persistence.has_aof()) {
      kind = value.empty() ? PersistenceKind::kNone : PersistenceKind::kRdb;
    }
  }
  return std::nullopt;
}

}  // namespace locklapse::redis
