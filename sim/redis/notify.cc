#include "sim/redis/notify.h"

#include "sim/redis/number.h"
#include "sim/redis/server_state.h"

namespace locklapse::redis {

namespace {

constexpr struct {
  char letter;
  std::uint32_t classes;
} kLetters[] = {
    {'g', kNotifyGeneric}, {'$', kNotifyString},   {'l', kNotifyList},     {'s', kNotifySet},
    {'h', kNotifyHash},    {'z', kNotifyZset},     {'x', kNotifyExpired},  {'e', kNotifyEvicted},
    {'t', kNotifyStream},  {'d', kNotifyModule},   {'n', kNotifyNew},      {'K', kNotifyKeyspace},
    {'E', kNotifyKeyevent}, {'m', kNotifyKeyMiss},
};

std::pmr::string channel_name(std::string_view kind, int db, std::string_view rest,
                              std::pmr::memory_resource* memory) {
  std::pmr::string name(kind, memory);
  name.append(integer_text(db).view());
  name.append("__:");
  name.append(rest);
  return name;
}

}  // namespace

bool parse_notify_classes(std::string_view text, std::uint32_t& classes) {
  classes = 0;
  for (const char c : text) {
    std::uint32_t found = 0;
    if (c == 'A') found = kNotifyAll;
    for (const auto& known : kLetters) {
      if (known.letter == c) found = known.classes;
    }
    if (found == 0) return false;
    classes |= found;
  }
  return true;
}

std::pmr::string notify_classes_text(std::uint32_t classes, std::pmr::memory_resource* memory) {
  std::pmr::string text(memory);
  const bool all = (classes & kNotifyAll) == kNotifyAll;
  if (all) text.push_back('A');
  for (const auto& known : kLetters) {
    // What A stands for, and new keys beside it, are not named again.
    if (all && (known.classes & (kNotifyAll | kNotifyNew)) != 0) continue;
    if ((classes & known.classes) != 0) text.push_back(known.letter);
  }
  return text;
}

void ServerState::publish_event(std::uint32_t event_class, std::string_view event, int db,
                                std::string_view key) {
  if ((config.notify & event_class) == 0) return;
  if ((config.notify & kNotifyKeyspace) != 0) {
    publish(channel_name("__keyspace@", db, key, &memory), event);
  }
  if ((config.notify & kNotifyKeyevent) != 0) {
    publish(channel_name("__keyevent@", db, event, &memory), key);
  }
}

}  // namespace locklapse::redis
