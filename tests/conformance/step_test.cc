#include "tests/conformance/step.h"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace locklapse::conformance {
namespace {

Sequence read(const std::string& text) {
  std::istringstream in(text);
  return read_sequence(in);
}

TEST(Step, ReadsWhatItWrites) {
  const Sequence sequence{
      {.kind = Step::Kind::kCommand, .connection = 2, .clock_us = 0,
       .words = {"SET", std::string("\0\xff \"\\\r\n\t", 8), "", "plain:{tag}"}},
      {.kind = Step::Kind::kClock, .connection = 0, .clock_us = -100'999, .words = {}},
      {.kind = Step::Kind::kClose, .connection = 4, .clock_us = 0, .words = {}},
  };
  std::string text = "# what it shows\n\n";
  for (const Step& step : sequence) text += written(step) + "\n";
  EXPECT_EQ(read(text), sequence);
}

TEST(Step, NamesTheLineThatItCannotRead) {
  for (const char* text : {"@0 GET k\nnonsense\n", "@0 GET k\n@9 GET k\n", "@0 GET k\n@0 GET \"k\n",
                           "@0 GET k\n@0 \"\\x0\"\n", "@0 GET k\nclock 5\n", "@0 GET k\nclose x\n"}) {
    try {
      read(text);
      ADD_FAILURE() << "read: " << text;
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 8), "line 2: ") << text;
    }
  }
}

}  // namespace
}  // namespace locklapse::conformance
