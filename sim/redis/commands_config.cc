#include <optional>
#include <utility>

#include "sim/redis/commands.h"
#include "sim/redis/glob.h"
#include "sim/redis/settings.h"

namespace locklapse::redis {

Reply config_get_command(Call& call) {
  // A name that is no pattern is given back as it was typed.
  const auto asked_for = [&call](std::string_view name) -> std::optional<std::string_view> {
    for (const std::string_view pattern : call.argv.subspan(2)) {
      const bool plain = pattern.find_first_of("[*?") == std::string_view::npos;
      if (plain) {
        if (pattern.size() == name.size() && is_word(pattern, name)) return pattern;
        continue;
      }
      std::pmr::string lower(pattern, call.memory());
      for (char& c : lower) c = to_lower(c);
      if (glob_match(lower, name)) return name;
    }
    return std::nullopt;
  };
  Reply found = call.map();
  call.server.settings.for_each([&](std::string_view name, std::string_view value) {
    const auto shown = asked_for(name);
    if (!shown) return;
    found.append(call.bulk(*shown));
    found.append(call.bulk(value));
  });
  return found;
}

namespace {

Reply config_error(const Call& call, std::string_view name, std::string_view why) {
  std::pmr::string text("ERR CONFIG SET failed (possibly related to argument '", call.memory());
  text.append(name);
  text.append("') - ");
  text.append(why);
  tidy_error(text);
  return call.error(text);
}

}  // namespace

Reply config_set_command(Call& call) {
  const Argv pairs = call.argv.subspan(2);
  if (pairs.size() % 2 == 1) return call.syntax_error();
  Settings& settings = call.server.settings;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const auto index = Settings::find(pairs[i]);
    if (!index) {
      std::pmr::string text("ERR Unknown option or number of arguments for CONFIG SET - '",
                            call.memory());
      text.append(until_nul(pairs[i]));
      text.push_back('\'');
      tidy_error(text);
      return call.error(text);
    }
    for (std::size_t before = 0; before < i; before += 2) {
      if (Settings::find(pairs[before]) == index) {
        return config_error(call, pairs[i], "duplicate parameter");
      }
    }
  }
  // All or nothing: what has been set before one that cannot be is set back.
  std::pmr::vector<std::pmr::string> old(call.memory());
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    old.push_back(settings.value(*Settings::find(pairs[i])));
    if (const auto why = settings.set(pairs[i], pairs[i + 1])) {
      for (std::size_t j = 0; j < i; j += 2) settings.set(pairs[j], old[j / 2]);
      return config_error(call, pairs[i], *why);
    }
  }
  call.server.settings_changed();
  return call.ok();
}

Reply config_resetstat_command(Call& call) {
  call.server.stats = {};
  return call.ok();
}

Reply config_rewrite_command(Call& call) {
  return call.error("ERR The server is running without a config file");
}

}  // namespace locklapse::redis
