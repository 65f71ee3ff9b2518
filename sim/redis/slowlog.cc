#include "sim/redis/slowlog.h"

#include <algorithm>

#include "sim/redis/number.h"

namespace locklapse::redis {

namespace {
constexpr std::size_t kWordsMax = 32;
constexpr std::size_t kWordBytesMax = 128;
}  // namespace

void SlowLog::add(Argv argv, std::int64_t at_s, std::int64_t took_us, std::string_view address,
                  std::string_view client_name, std::int64_t most) {
  std::pmr::vector<std::pmr::string> words(&memory_);
  const std::size_t shown = std::min(argv.size(), kWordsMax);
  for (std::size_t i = 0; i < shown; ++i) {
    if (argv.size() > kWordsMax && i + 1 == kWordsMax) {
      std::pmr::string& rest = words.emplace_back("... (");
      rest.append(unsigned_text(argv.size() - kWordsMax + 1).view());
      rest.append(" more arguments)");
      break;
    }
    std::pmr::string& word = words.emplace_back(argv[i].substr(0, kWordBytesMax));
    if (argv[i].size() > kWordBytesMax) {
      word.append("... (");
      word.append(unsigned_text(argv[i].size() - kWordBytesMax).view());
      word.append(" more bytes)");
    }
  }
  entries_.push_front(SlowCommand{.id = next_id_++,
                                  .at_s = at_s,
                                  .took_us = took_us,
                                  .words = std::move(words),
                                  .address = std::pmr::string(address, &memory_),
                                  .client_name = std::pmr::string(client_name, &memory_)});
  while (static_cast<std::int64_t>(entries_.size()) > most) entries_.pop_back();
}

}  // namespace locklapse::redis
