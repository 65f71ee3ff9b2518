#include "sim/scenario/read.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "sim/scenario/bytes.h"
#include "sim/scenario/overlay.h"
#include "sim/scenario/reading.h"
#include "sim/scenario/yaml.h"

namespace locklapse::scenario {
namespace {

constexpr std::size_t kSetsMax = 256;

// "a/b/abc.yaml" -> "abc"
std::string stem(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  const std::size_t dot = path.rfind('.');
  if (dot != std::string_view::npos && dot > 0) path = path.substr(0, dot);
  return std::string(path);
}

// The whole file, or why not. Only regular files: a pipe could block for ever.
std::string load(const std::string& path, std::string& text) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return fmt::format("cannot be opened: {}", std::strerror(errno));
  struct stat status {};
  std::string error;
  if (::fstat(fd, &status) != 0) {
    error = fmt::format("cannot be read: {}", std::strerror(errno));
  } else if (S_ISDIR(status.st_mode)) {
    error = "a directory; allowed: a file";
  } else if (!S_ISREG(status.st_mode)) {
    error = "no regular file; allowed: a file";
  }
  // One byte over the limit is enough for scan_bytes() to refuse.
  char buffer[16384];
  while (error.empty() && text.size() <= kFileBytesMax) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error = fmt::format("cannot be read: {}", std::strerror(errno));
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(fd);
  return error;
}

Result finish(const Diagnostics& diagnostics, Scenario scenario) {
  Result result;
  if (diagnostics.empty()) {
    result.scenario = std::move(scenario);
  } else {
    result.errors = diagnostics.lines();
    result.errors_left_out = diagnostics.left_out();
  }
  return result;
}

void read_top(const Node& root, Reading& reading) {
  Scenario& scenario = reading.scenario;
  Fields fields(root, Section::kScenario, reading.diagnostics);
  if (!fields.is_map()) return;
  fields.text("title", scenario.title, kTextBytesMax);
  fields.text("story", scenario.story, kTextBytesMax);
  fields.duration("horizon", scenario.horizon, DurationRule::kPositive);
  read_lock(fields.get("lock"), reading);
  if (const Node* library = fields.get("client-library")) {
    read_library(*library, reading.library, reading.diagnostics);
  }
  read_redis(fields.get("redis"), reading);
  read_network(fields.get("network"), reading);
  read_resource(fields.get("resource"), reading);
  read_hosts(fields.get("hosts"), reading);
  read_processes(fields.get("processes"), reading);
  read_clients(fields.get("clients"), reading);
  read_faults(fields.get("faults"), reading);
  read_expectations(fields.get("expect"), reading);
  if (scenario.title.empty()) scenario.title = scenario.name;
}

}  // namespace

Result read_scenario_text(std::string_view text, const std::string& path,
                          const Vocabulary& vocabulary, std::span<const std::string> sets) {
  Diagnostics diagnostics(path, kErrorsMax);
  Scenario scenario;
  scenario.path = path;
  scenario.name = stem(path);
  for (const std::string& set : sets) diagnostics.add_source(set);
  if (!scan_bytes(text, 0, diagnostics)) return finish(diagnostics, {});
  std::optional<Node> root = parse_yaml(text, 0, diagnostics);
  if (!root) return finish(diagnostics, {});
  if (root->kind == Node::Kind::kNothing) {
    diagnostics.add({}, "no scenario in it; allowed: a map with 'clients' and more");
    return finish(diagnostics, {});
  }
  if (sets.size() > kSetsMax) {
    diagnostics.add({}, fmt::format("{} times --set; allowed: up to {}", sets.size(), kSetsMax));
    return finish(diagnostics, {});
  }
  int source = 0;
  bool applied = true;
  for (const std::string& set : sets)
    applied = apply_set(set, ++source, *root, diagnostics) && applied;
  if (!applied) return finish(diagnostics, {});
  Reading reading{vocabulary, diagnostics, scenario};
  read_top(*root, reading);
  return finish(diagnostics, std::move(scenario));
}

Result read_scenario(const std::string& path, const Vocabulary& vocabulary,
                     std::span<const std::string> sets) {
  std::string text;
  if (std::string error = load(path, text); !error.empty()) {
    Diagnostics diagnostics(path, kErrorsMax);
    diagnostics.add({}, std::move(error));
    return finish(diagnostics, {});
  }
  return read_scenario_text(text, path, vocabulary, sets);
}

}  // namespace locklapse::scenario
