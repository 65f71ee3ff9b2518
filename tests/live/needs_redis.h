// Tests that need a real redis-server are skipped, loudly, where none is installed.
#pragma once

#include <gtest/gtest.h>

#include "sim/live/real_server.h"

namespace locklapse::live {

class NeedsRedis : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_program("redis-server")) {
      GTEST_SKIP() << "NOT TESTED: redis-server is not installed (.ci/deps.sh test installs it)";
    }
  }
};

}  // namespace locklapse::live
