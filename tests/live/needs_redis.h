// Tests that need a real redis-server are skipped, loudly, where none is installed.
#pragma once

#include <gtest/gtest.h>

#include "sim/live/real_server.h"

namespace locklapse::live {

template <typename Base>
class WithRedis : public Base {
 protected:
  void SetUp() override {
    Base::SetUp();
    if (!find_program("redis-server")) {
      GTEST_SKIP() << "NOT TESTED: redis-server is not installed (.ci/deps.sh test installs it)";
    }
  }
};

using NeedsRedis = WithRedis<testing::Test>;

}  // namespace locklapse::live
