// scenarios/schema.json against all of scenarios/ and against what must not pass, by a validator of
// its own: schema_check.py with python3-jsonschema.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

namespace {

TEST(Schema, HoldsForTheCatalogueAndRefusesTheMalformed) {
  const std::string root = LOCKLAPSE_SOURCE_DIR;
  const std::string command =
      "python3 '" + root + "/tests/scenario/schema_check.py' '" + root + "' 1>&2";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77)
    GTEST_SKIP() << "python3 with yaml and jsonschema is not installed";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
