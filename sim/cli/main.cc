// locklapse: which schedule breaks a Redis lock, who gets hurt, and what would have saved it.
//
// Parses the command line, lets one verb do its work, and turns whatever happens into an exit
// status. No exception leaves this file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "reports/version.h"
#include "sim/cli/message.h"
#include "sim/cli/output.h"
#include "sim/cli/status.h"
#include "sim/cli/verbs.h"
#include "sim/scenario/diagnostics.h"
#include "sim/scenario/nearest.h"

namespace locklapse::cli {
namespace {

constexpr const char* kAbout =
    "Locklapse replays a Redis lock's life on a virtual clock and names what broke it, who got "
    "hurt and why.";
constexpr const char* kHelp = R"(
Examples:
  locklapse run scenarios                                replay the catalogue
  locklapse draw scenarios/abc.yaml                      see a timeline
  locklapse matrix scenarios                             lock protocols x scenarios
  locklapse list strategies                              what there is to choose from

Exit status: 0 as expected; 1 violated or not as expected; 2 undecided; 64 usage; 65 bad input; 70 a fault
of our own.
)";

std::vector<std::string_view> verb_names(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(verb->get_name());
  }
  return names;
}

// The verb that was recognised, or null.
const CLI::App* parsed_verb(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? nullptr : verbs.front();
}

// What was left over, and the option that was probably meant.
std::string unexpected(const CLI::App& app) {
  const std::vector<std::string> rest = app.remaining(true);
  if (rest.empty()) return "too many arguments";
  const std::string& word = rest.front();
  std::string text = fmt::format("unexpected argument {}", scenario::quoted(word));
  if (word.size() < 2 || word[0] != '-') return text;
  std::vector<std::string> options;
  const CLI::App* verb = parsed_verb(app);
  for (const CLI::Option* option : (verb == nullptr ? app : *verb).get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  const std::vector<std::string_view> names(options.begin(), options.end());
  const std::string_view bare = std::string_view(word).substr(0, word.find('='));
  if (const auto near = scenario::nearest(bare, names))
    text += fmt::format("; did you mean '{}'?", *near);
  return text;
}

Status show(std::string_view text) {
  Output output("");
  output.write(text);
  return output.finish() ? Status::kFine : Status::kOurFault;
}

// The verb before anything else, so that a misspelt one gets a better answer than its arguments.
bool knows_verb(const CLI::App& app, int argc, char** argv, Status& status) {
  if (argc < 2) {
    status =
        refuse_usage("", fmt::format("no verb; allowed: {}", scenario::listed(verb_names(app))));
    return false;
  }
  const std::string_view word = argv[1];
  if (!word.empty() && word[0] == '-') return true;
  if (choose("", "verb", word, verb_names(app)) >= 0) return true;
  status = Status::kUsage;
  return false;
}

Status parse_and_do(int argc, char** argv) {
  CLI::App app(kAbout, "locklapse");
  app.footer(kHelp);
  app.require_subcommand(1);
  app.set_version_flag("--version", "locklapse " + std::string(reports::version()));
  Chosen chosen;
  add_run(app, chosen);
  add_draw(app, chosen);
  add_matrix(app, chosen);
  add_list(app, chosen);

  Status status = Status::kFine;
  if (!knows_verb(app, argc, argv, status)) return status;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return show(app.help());
  } catch (const CLI::CallForVersion& version) {
    return show(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    const CLI::App* verb = parsed_verb(app);
    // Without a verb CLI11 misses the verb before it minds what stands in its place.
    const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                        (verb == nullptr && app.remaining_size(true) > 0);
    return refuse_usage(verb == nullptr ? "" : verb->get_name(),
                        extras ? unexpected(app) : error.what());
  }
  return chosen();
}

}  // namespace
}  // namespace locklapse::cli

int main(int argc, char** argv) {
  using namespace locklapse::cli;
  // A reader that goes away (`| head`) shows as a failed write, which Output knows how to take.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return static_cast<int>(parse_and_do(argc, argv));
  } catch (const std::bad_alloc&) {
    tell("out of memory");
  } catch (const std::exception& error) {
    tell(error.what());
  } catch (...) {
    tell("something was thrown that is no error");
  }
  return static_cast<int>(Status::kOurFault);
}
