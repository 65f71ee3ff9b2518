// What CONFIG GET and CONFIG SET know: the settings of a server by name.
//
// Those that the model acts on live in ServerConfig and are read and written there. The others are
// remembered as text, checked as a real server checks them, so that what is set can be got again.
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>

#include "sim/redis/reply.h"

namespace locklapse::redis {

struct ServerConfig;

class Settings {
 public:
  Settings(ServerConfig& config, std::pmr::memory_resource& memory)
      : config_(config), memory_(memory), texts_(&memory), password_(&memory) {}

  struct Known;  // one line of the table
  // Every setting, in the order of the table; `visit(name, value)`.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < count(); ++i) visit(name(i), value(i));
  }
  static std::size_t count();
  static std::string_view name(std::size_t index);
  std::pmr::string value(std::size_t index) const;

  // Changes a setting, or says why not; with an empty text where the name is unknown.
  std::optional<std::pmr::string> set(std::string_view name, std::string_view value);
  // Back to what the server was started with.
  void forget() { texts_.clear(); }
  // The line of the table that both of two names mean, to find what is given twice.
  static std::optional<std::size_t> find(std::string_view name);

 private:
  std::optional<std::pmr::string> refuse(std::string_view why) const {
    return std::pmr::string(why, &memory_);
  }
  std::optional<std::pmr::string> set_integer(const Known& known, std::size_t index,
                                              std::string_view value);
  std::optional<std::pmr::string> set_special(const Known& known, std::string_view value);
  void remember(std::size_t index, std::string_view value);
  std::optional<std::string_view> remembered(std::size_t index) const;

  ServerConfig& config_;
  std::pmr::memory_resource& memory_;
  std::pmr::map<std::size_t, std::pmr::string> texts_;
  std::pmr::string password_;
};

}  // namespace locklapse::redis
