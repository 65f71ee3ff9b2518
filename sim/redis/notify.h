// Keyspace notifications: which classes of events a server publishes (notify-keyspace-events).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

namespace locklapse::redis {

enum NotifyClass : std::uint32_t {
  kNotifyKeyspace = 1U << 0,  // K: to __keyspace@<db>__:<key>
  kNotifyKeyevent = 1U << 1,  // E: to __keyevent@<db>__:<event>
  kNotifyGeneric = 1U << 2,   // g
  kNotifyString = 1U << 3,    // $
  kNotifyList = 1U << 4,      // l
  kNotifySet = 1U << 5,       // s
  kNotifyHash = 1U << 6,      // h
  kNotifyZset = 1U << 7,      // z
  kNotifyExpired = 1U << 8,   // x
  kNotifyEvicted = 1U << 9,   // e
  kNotifyStream = 1U << 10,   // t
  kNotifyKeyMiss = 1U << 11,  // m
  kNotifyModule = 1U << 12,   // d
  kNotifyNew = 1U << 13,      // n
  kNotifyAll = kNotifyGeneric | kNotifyString | kNotifyList | kNotifySet | kNotifyHash |
               kNotifyZset | kNotifyExpired | kNotifyEvicted | kNotifyStream | kNotifyModule,  // A
};

// "KEA" as bits; false where there is a character that is no class.
bool parse_notify_classes(std::string_view text, std::uint32_t& classes);
// In the server's own order: "AKE".
std::pmr::string notify_classes_text(std::uint32_t classes, std::pmr::memory_resource* memory);

}  // namespace locklapse::redis
