// Drives the model and a real redis-server with the same commands at the same instants, and compares every
// byte that they answer.
//
//   locklapse_conformance [--seed N] [--commands N] [--seconds S] [--dialect 7.0] [--protocol 2|3] [--keep FILE]
//   locklapse_conformance --case FILE...
//
// A difference is cut down to the fewest steps that show it, and printed. Status: 0 no difference, 1 some,
// 64 usage, 69 no real server, 70 another failure.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "sim/live/error.h"
#include "tests/conformance/duel.h"
#include "tests/conformance/generator.h"
#include "tests/conformance/shrink.h"

namespace locklapse::conformance {
namespace {

constexpr std::size_t kSequenceCommands = 500;
// Enough to see what is wrong; every one is cut down, which takes a while.
constexpr int kDifferencesMax = 10;

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t commands = 100'000;
  std::uint64_t seconds = 0;
  std::string dialect = "7.0";
  int protocol = 2;
  std::string keep;
  std::vector<std::string> cases;
};

std::string shown(const std::vector<std::string>& messages) {
  std::string out;
  for (const std::string& message : messages) out += (out.empty() ? "" : " ") + quoted_word(message);
  return messages.empty() ? "nothing" : out;
}

void print(const Sequence& sequence, const Difference& difference) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    fmt::print("  {}\n", written(sequence[i]));
    if (i != difference.step) continue;
    const std::string where =
        difference.connection == sequence[i].connection ? "" : fmt::format(" (connection {})", difference.connection);
    fmt::print("      model{}: {}\n      redis{}: {}\n", where, shown(difference.model), where,
               shown(difference.real));
  }
}

void report(Duel& duel, const Sequence& sequence, const Difference& seen, const std::string& keep) {
  const Sequence least = shrink(sequence, [&](const Sequence& shorter) {
    return duel.play(shorter).has_value();
  });
  const auto difference = duel.play(least);
  if (!difference) {
    fmt::print("  seen once and never again, so not cut down: {}\n      model: {}\n      redis: {}\n",
               written(sequence[seen.step]), shown(seen.model), shown(seen.real));
    return;
  }
  print(least, *difference);
  if (keep.empty()) return;
  std::ofstream file(keep, std::ios::app);
  for (const Step& step : least) file << written(step) << '\n';
}

int play_cases(Duel& duel, const std::vector<std::string>& cases) {
  int differences = 0;
  for (const std::string& name : cases) {
    std::ifstream file(name);
    if (!file) throw std::runtime_error(name + ": cannot be read");
    const Sequence sequence = read_sequence(file);
    if (const auto difference = duel.play(sequence)) {
      fmt::print("{}: differs\n", name);
      print(sequence, *difference);
      ++differences;
    }
  }
  fmt::print("{} cases, {} differences\n", cases.size(), differences);
  return differences == 0 ? 0 : 1;
}

int play_generated(Duel& duel, const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  Generator generator(options.seed);
  std::uint64_t commands = 0;
  std::uint64_t sequences = 0;
  int differences = 0;
  while ((options.seconds > 0 ? elapsed() < static_cast<double>(options.seconds) : commands < options.commands) &&
         differences < kDifferencesMax) {
    Sequence sequence = generator.sequence(kSequenceCommands);
    const std::uint64_t before = duel.commands();
    const auto difference = duel.play(sequence);
    commands += duel.commands() - before;
    ++sequences;
    if (!difference) continue;
    ++differences;
    fmt::print("difference {} (seed {}, sequence {}):\n", differences, options.seed, sequences);
    report(duel, sequence, *difference, options.keep);
  }
  fmt::print("seed {}, dialect {}, RESP{}: {} commands in {} sequences, {} differences, {:.1f} s\n", options.seed,
             options.dialect, options.protocol, commands, sequences, differences, elapsed());
  return differences == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Compares the model with a real redis-server, reply by reply.");
  app.add_option("--seed", options.seed, "Which commands are drawn")->capture_default_str();
  app.add_option("--commands", options.commands, "How many")->capture_default_str();
  app.add_option("--seconds", options.seconds, "Go on for so long instead");
  app.add_option("--dialect", options.dialect, "The model's version of Redis")
      ->check(CLI::IsMember({"7.0"}))
      ->capture_default_str();
  app.add_option("--protocol", options.protocol, "What clients speak: RESP2 or RESP3")
      ->check(CLI::IsMember({2, 3}))
      ->capture_default_str();
  app.add_option("--keep", options.keep, "Append differences to this file, as a case");
  app.add_option("--case", options.cases, "Play these files instead")->check(CLI::ExistingFile);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 64;
  }
  Duel duel(options.protocol);
  return options.cases.empty() ? play_generated(duel, options) : play_cases(duel, options.cases);
}

}  // namespace
}  // namespace locklapse::conformance

int main(int argc, char** argv) {
  try {
    return locklapse::conformance::run(argc, argv);
  } catch (const locklapse::live::NotRunnable& error) {
    fmt::print(stderr, "locklapse_conformance: NOT RUN: {}\n", error.what());
    return 69;
  } catch (const std::exception& error) {
    fmt::print(stderr, "locklapse_conformance: {}\n", error.what());
    return 70;
  }
}
