// A world must not notice what stands behind the seam: generated commands, and what both backends answer and tell.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/redis/ascii.h"
#include "tests/conformance/backends.h"
#include "tests/conformance/generator.h"
#include "tests/conformance/shrink.h"
#include "tests/conformance/step.h"
#include "tests/conformance/unordered.h"
#include "tests/live/needs_redis.h"

namespace locklapse::conformance {
namespace {

// What has happened to each key. Within one script or transaction only what it holds in the end counts: what a real
// server has overwritten nobody can look at.
std::map<std::string, std::vector<std::string>> by_key(const std::vector<Told::Change>& changes, bool end_only) {
  std::map<std::string, std::vector<std::string>> out;
  for (const Told::Change& change : changes) {
    auto& of_key = out[change.key];
    if (end_only) of_key.clear();
    of_key.push_back(end_only ? change.after : change.text);
  }
  return out;
}

// Commands that may change one key several times.
bool runs_several(const Step& step) {
  if (step.words.empty()) return false;
  for (const std::string_view name : {"exec", "eval", "evalsha", "mset", "msetnx"}) {
    if (redis::is_word(step.words[0], name)) return true;
  }
  return false;
}

std::string shown(const std::vector<Told::Change>& changes) {
  std::string out;
  for (const auto& change : changes) out += "\n      " + change.key + " " + change.text;
  return out;
}

// What is different, or nothing.
std::optional<std::string> differ(const Sequence& sequence) {
  Driver model(BackendKind::kModel);
  Driver real(BackendKind::kRedis);
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const Step& step = sequence[i];
    model.told().changes.clear();
    real.told().changes.clear();
    // Whoever waits for an answer sends nothing, as in a world.
    if (step.kind == Step::Kind::kCommand && model.waits(step.connection)) continue;
    // That two databases with equal keys were swapped cannot be seen from outside.
    if (step.kind == Step::Kind::kCommand && redis::is_word(step.words[0], "swapdb")) continue;
    std::string replies[2];
    for (Driver* driver : {&model, &real}) {
      switch (step.kind) {
        case Step::Kind::kClock: driver->move_clock(step.clock_us); break;
        case Step::Kind::kClose: driver->close(step.connection); break;
        case Step::Kind::kCommand:
          replies[driver == &real] = driver->run(step.connection, step.words);
          break;
      }
    }
    const auto where = [&] { return fmt::format("step {}: {}", i, written(step)); };
    if (replies[0] != replies[1] && comparable(step.words, replies[0]) != comparable(step.words, replies[1])) {
      return fmt::format("{}\n    model: {}\n    redis: {}", where(), quoted_word(replies[0]), quoted_word(replies[1]));
    }
    for (int connection = 0; connection < kConnections; ++connection) {
      auto expected = model.take(connection);
      auto sent = real.take(connection);
      // Patterns that match one message are served in no particular order.
      std::sort(expected.begin(), expected.end());
      std::sort(sent.begin(), sent.end());
      if (expected != sent) return fmt::format("{}: connection {} is sent something else", where(), connection);
    }
    if (by_key(model.told().changes, runs_several(step)) != by_key(real.told().changes, runs_several(step))) {
      return fmt::format("{}\n    model tells:{}\n    redis tells:{}", where(), shown(model.told().changes),
                         shown(real.told().changes));
    }
    if (model.backend().next_wakeup() != real.backend().next_wakeup()) return where() + ": next_wakeup()";
    if (model.backend().next_deadline_ms() != real.backend().next_deadline_ms()) {
      return where() + ": next_deadline_ms()";
    }
  }
  return std::nullopt;
}

class Backends : public live::NeedsRedis {};

TEST_F(Backends, TellTheSameOfGeneratedCommands) {
  Generator generator(11);
  for (int i = 0; i < 40; ++i) {
    const Sequence sequence = generator.sequence(300);
    const auto difference = differ(sequence);
    if (!difference) continue;
    const Sequence least = shrink(sequence, [](const Sequence& shorter) { return differ(shorter).has_value(); });
    std::string text;
    for (const Step& step : least) text += "  " + written(step) + "\n";
    ADD_FAILURE() << "sequence " << i << ", " << *difference << "\n  cut down:\n" << text << *differ(least);
    break;
  }
}

}  // namespace
}  // namespace locklapse::conformance
