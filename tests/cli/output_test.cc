// Where data goes: pipes, full disks, files that are there whole or not at all, terminals.
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/cli/program.h"

namespace locklapse::cli {
namespace {

using OutputTest = ProgramTest;
using TerminalTest = ProgramTest;
using VerbTest = ProgramTest;

TEST_F(OutputTest, AFileIsWhatStdoutWouldHaveBeen) {
  write("a.yaml", kViolated);
  for (const char* format : {"text", "json", "junit", "markdown"}) {
    const std::string run = std::string("locklapse run a.yaml --format ") + format;
    const Ran direct = shell(run);
    const Ran filed = shell(run + " -o out.txt");
    EXPECT_EQ(filed.status, direct.status) << format;
    EXPECT_EQ(filed.out, "") << format;
    EXPECT_FALSE(direct.out.empty()) << format;
    EXPECT_EQ(read("out.txt"), direct.out) << format;
  }
  EXPECT_EQ(folder_listing(), "a.yaml\nout.txt\n");
}

TEST_F(OutputTest, AFileThatCannotBeWrittenIsLeftAlone) {
  write("a.yaml", kSafe);
  write("folder/keep", "");
  for (const char* path : {"missing/out", "folder", "a.yaml/out", ""}) {
    const std::string option = std::string(" -o '") + path + "'";
    const Ran ran = shell("locklapse run a.yaml" + option);
    if (*path == '\0') continue;  // nothing named: stdout
    EXPECT_EQ(ran.status, 70) << path;
    EXPECT_NE(ran.err.find("cannot be written"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(folder_listing(), "a.yaml\nfolder\n");
}

TEST_F(OutputTest, BadInputLeavesTheOldFile) {
  write("bad.yaml", "clients: {}\n");
  write("out.txt", "old");
  EXPECT_EQ(shell("locklapse run bad.yaml -o out.txt").status, 65);
  EXPECT_EQ(read("out.txt"), "old");
}

TEST_F(OutputTest, ARunThatIsCutShortLeavesTheOldFile) {
  write("a.yaml", kSafe);
  write("out.txt", "old");
  // No file may grow beyond 0 blocks: the temporary cannot be filled, the old file must survive.
  const Ran ran = shell("trap '' XFSZ; ulimit -f 0; locklapse run a.yaml -o out.txt 2>/dev/null");
  EXPECT_EQ(ran.status, 70);
  EXPECT_EQ(read("out.txt"), "old");
  EXPECT_EQ(folder_listing(), "a.yaml\nout.txt\n");
}

TEST_F(OutputTest, PermissionsAndLinksAreKept) {
  write("a.yaml", kSafe);
  EXPECT_EQ(shell("umask 027; locklapse run a.yaml -o new.txt; stat -c %a new.txt").out, "640\n");
  EXPECT_EQ(
      shell("touch old.txt; chmod 604 old.txt; locklapse run a.yaml -o old.txt; stat -c %a old.txt")
          .out,
      "604\n");
  EXPECT_EQ(shell("ln -s new.txt link; locklapse run a.yaml -o link; readlink link").out,
            "new.txt\n");
}

TEST_F(OutputTest, DevicesAndStdoutAreWrittenDirectly) {
  write("a.yaml", kSafe);
  const Ran direct = shell("locklapse run a.yaml");
  EXPECT_EQ(shell("locklapse run a.yaml -o -").out, direct.out);
  EXPECT_EQ(shell("locklapse run a.yaml -o /dev/null").status, 0);
  EXPECT_EQ(shell("locklapse run a.yaml -o /dev/full").status, 70);
}

TEST_F(OutputTest, AFullDiskIsOurFault) {
  write("a.yaml", kSafe);
  for (const char* command :
       {"run a.yaml", "draw a.yaml", "matrix a.yaml", "list causes", "--help", "--version"}) {
    const Ran ran = shell(std::string("locklapse ") + command + " > /dev/full");
    EXPECT_EQ(ran.status, 70) << command;
    EXPECT_EQ(ran.err, "locklapse: standard output cannot be written: No space left on device\n")
        << command;
  }
}

TEST_F(OutputTest, AReaderThatGoesAwayIsNoError) {
  write("a.yaml", kViolated);
  const Ran ran = shell("(locklapse run a.yaml --strategy all; echo $? >&2) | head -n 1");
  EXPECT_EQ(ran.out, "a\n");
  EXPECT_EQ(ran.err, "1\n");
  EXPECT_EQ(shell("(locklapse list causes; echo $? >&2) | true").err, "0\n");
}

bool has_escape(const Ran& ran) { return ran.out.find('\x1b') != std::string::npos; }

TEST_F(TerminalTest, ColourIsForTerminalsOnly) {
  write("a.yaml", kViolated);
  EXPECT_FALSE(has_escape(shell("locklapse draw a.yaml")));
  EXPECT_TRUE(has_escape(on_terminal("locklapse draw a.yaml", 80)));
  EXPECT_FALSE(has_escape(on_terminal("NO_COLOR=1 locklapse draw a.yaml", 80)));
  EXPECT_FALSE(has_escape(on_terminal("TERM=dumb locklapse draw a.yaml", 80)));
  EXPECT_FALSE(has_escape(on_terminal("locklapse draw a.yaml | cat", 80)));
  EXPECT_FALSE(has_escape(on_terminal("locklapse draw a.yaml -o out.txt; cat out.txt", 80)));
}

TEST_F(TerminalTest, AnEmptyNoColorIsNone) {
  write("a.yaml", kViolated);
  EXPECT_TRUE(has_escape(on_terminal("NO_COLOR= locklapse draw a.yaml", 80)));
}

TEST_F(TerminalTest, TextIsAsWideAsTheTerminal) {
  write("a.yaml", kViolated);
  const Ran ran = on_terminal("LC_ALL=C NO_COLOR=1 locklapse draw a.yaml", 60);
  std::istringstream lines(ran.out);
  std::size_t widest = 0, last = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("scenario=", 0) == 0) continue;  // the line for grep is never cut
    last = line.size();
    widest = std::max(widest, last);
  }
  EXPECT_LE(widest, 60u) << ran.out;
  EXPECT_GT(widest, 40u) << ran.out;
}

TEST_F(TerminalTest, TheLocaleDecidesAboutUnicode) {
  write("a.yaml", kViolated);
  const auto plain = [](const Ran& ran) {
    return std::all_of(ran.out.begin(), ran.out.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  };
  EXPECT_TRUE(plain(shell("LC_ALL=C locklapse draw a.yaml")));
  EXPECT_TRUE(plain(shell("LANG=de_DE.ISO-8859-1 locklapse draw a.yaml")));
  EXPECT_FALSE(plain(shell("LANG=de_DE.ISO-8859-1 LC_ALL=C.UTF-8 locklapse draw a.yaml")));
  EXPECT_FALSE(plain(shell("locklapse draw a.yaml")));
}

TEST_F(VerbTest, DirectoriesAreSearchedInOrder) {
  write("all/b.yaml", kSafe);
  write("all/a/z.yaml", kSafe);
  write("all/c.yml", "no scenario");
  write("all/schema.json", "{}");
  const Ran ran = shell("locklapse list scenarios all");
  EXPECT_EQ(ran.out, "all/a/z.yaml  z\nall/b.yaml    b\n");
  EXPECT_EQ(shell("locklapse run all | tail -n 1").out,
            "runs=2 as_expected=0 not_as_expected=0 nothing_expected=2 status=0\n");
}

TEST_F(VerbTest, EqualNamesAreToldApartByPath) {
  write("x/a.yaml", kSafe);
  write("y/a.yaml", kSafe);
  write("b.yaml", kSafe);
  const auto runs =
      nlohmann::json::parse(shell("locklapse run b.yaml x y --format json").out).at("runs");
  EXPECT_EQ(runs.at(0).at("scenario"), "b");
  EXPECT_EQ(runs.at(1).at("scenario"), "x/a.yaml");
  EXPECT_EQ(runs.at(2).at("scenario"), "y/a.yaml");
}

TEST_F(VerbTest, StrategiesGuardsAndSeedAreAsAsked) {
  write("a.yaml", std::string(kSafe) + "resource: {}\n");
  const Ran ran = shell(
      "locklapse run a.yaml --strategy set-del,watchdog --strategy set-del --guard "
      "fence+version --guard none --seed 7 --format json");
  const auto runs = nlohmann::json::parse(ran.out).at("runs");
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs.at(0).at("strategy"), "set-del");
  EXPECT_EQ(runs.at(0).at("guard"), "version+fence");
  EXPECT_EQ(runs.at(1).at("guard"), "none");
  EXPECT_EQ(runs.at(2).at("strategy"), "watchdog");
  EXPECT_EQ(runs.at(3).at("seed"), 7);
  EXPECT_FALSE(runs.at(0).contains("events"));
}

TEST_F(VerbTest, EventsComeWithJsonWhenAskedFor) {
  write("a.yaml", kSafe);
  const Ran ran = shell("locklapse run a.yaml --format json --events");
  EXPECT_FALSE(nlohmann::json::parse(ran.out).at("runs").at(0).at("events").empty());
}

TEST_F(VerbTest, WithoutAResourceThereIsNothingToGuard) {
  write("a.yaml", kSafe);
  const auto runs =
      nlohmann::json::parse(shell("locklapse run a.yaml --guard all --format json").out).at("runs");
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs.at(0).at("guard"), "none");
}

TEST_F(VerbTest, SetChangesTheStory) {
  write("a.yaml", kViolated);
  EXPECT_EQ(shell("locklapse run a.yaml --set lock.ttl=30s --set clients.B.at=40s").status, 0);
  EXPECT_EQ(shell("locklapse run --set lock.ttl=30s --set clients.B.at=40s a.yaml").status, 0);
}

TEST_F(VerbTest, EqualRunsGiveEqualBytes) {
  write("a.yaml", kViolated);
  const std::string command = "locklapse run a.yaml --strategy all --format json --events";
  EXPECT_EQ(shell(command).out, shell(command).out);
}

TEST_F(VerbTest, ListsHaveANameAndAMeaning) {
  for (const char* kind : {"strategies", "guards", "faults", "causes"}) {
    const Ran ran = shell(std::string("locklapse list ") + kind);
    EXPECT_EQ(ran.status, 0);
    std::istringstream lines(ran.out);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      EXPECT_NE(line.find("  "), std::string::npos) << kind << ": " << line;
    }
    EXPECT_GE(count, 6) << kind;
  }
}

TEST_F(VerbTest, MermaidIsOneDiagram) {
  write("a.yaml", kViolated);
  EXPECT_EQ(shell("locklapse draw a.yaml --as mermaid | head -n 1").out, "sequenceDiagram\n");
}

}  // namespace
}  // namespace locklapse::cli
