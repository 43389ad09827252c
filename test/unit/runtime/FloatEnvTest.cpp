// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run flushes denormals and leaves no trace of it.
#include "runtime/arithmetic/FloatEnv.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>

namespace kiln {
namespace {

/// Half of the smallest normal number, computed at run time.
float makeDenormal() {
  volatile float smallest = std::numeric_limits<float>::min();
  volatile float half = 0.5f;
  return smallest * half;
}

TEST(FloatEnv, DenormalResultsAreFlushedInside) {
  EXPECT_GT(makeDenormal(), 0.0f);
  FloatEnv env;
  EXPECT_EQ(makeDenormal(), 0.0f);
}

TEST(FloatEnv, DenormalOperandsCountAsZeroInside) {
  volatile float denormal = makeDenormal();
  volatile float large = 1e38f;
  EXPECT_GT(denormal * large, 0.0f);
  FloatEnv env;
  EXPECT_EQ(denormal * large, 0.0f);
}

TEST(FloatEnv, CallersStateComesBackExactly) {
  std::feclearexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_UPWARD);
  std::feraiseexcept(FE_INEXACT);
  uint64_t before = FloatEnv::read();
  {
    FloatEnv env;
    volatile float zero = 0.0f, one = 1.0f, tiny = 1e-20f;
    volatile float sum = one + tiny;
    EXPECT_EQ(sum, 1.0f); // to nearest, not upward
    volatile float quotient = one / zero;
    EXPECT_TRUE(std::isinf(quotient));
  }
  EXPECT_EQ(FloatEnv::read(), before);
  std::fesetround(FE_TONEAREST);
}

TEST(FloatEnv, StateScopeTakesOverAnotherThreadsState) {
  uint64_t before = FloatEnv::read();
  uint64_t run;
  {
    FloatEnv env;
    run = FloatEnv::read();
  }
  {
    FloatStateScope scope(run);
    EXPECT_EQ(makeDenormal(), 0.0f);
  }
  EXPECT_EQ(FloatEnv::read(), before);
}

} // namespace
} // namespace kiln
