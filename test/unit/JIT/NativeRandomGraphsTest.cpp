// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random functions of all tensor ops, compiled and evaluated: the bits must be
// the same.
//
// KILN_RANDOM_GRAPHS is how many functions to try from each of two stages
// (150), KILN_RANDOM_SEED the seed of the first, KILN_RANDOM_DEPTH how deep
// branches and loops lie inside each other (none, 1 and 2 in turn); a failure
// prints its own seed, which with KILN_RANDOM_GRAPHS=1 gives the same function
// again.
#include "test/unit/JIT/RandomGraph.h"

#include "gtest/gtest.h"

#include <cstdlib>

namespace kiln {
namespace {

int numberFrom(const char *name, int otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

class RandomGraphs : public ::testing::TestWithParam<passes::Stage> {};

TEST_P(RandomGraphs, GiveTheBitsOfTheEvaluator) {
  auto first = static_cast<unsigned>(numberFrom("KILN_RANDOM_SEED", 20250));
  auto count = static_cast<unsigned>(numberFrom("KILN_RANDOM_GRAPHS", 150));
  std::printf("seeds %u to %u\n", first, first + count - 1);
  int failures = 0;
  for (unsigned seed = first; seed < first + count && failures < 20; ++seed) {
    SCOPED_TRACE("KILN_RANDOM_SEED=" + std::to_string(seed));
    RandomGraph generator(seed, numberFrom("KILN_RANDOM_DEPTH", int(seed % 3)));
    generator.generate();
    NativeProgram program(generator.source(), GetParam());
    const int64_t sizes[][2] = {{3, 5},   {1, 17},   {33, 2},   {0, 3},
                                {40, 70}, {1100, 3}, {2, 1500}, {260, 300}};
    for (auto [s0, s1] : sizes)
      if (generator.largest(s0, s1) < 200'000 &&
          !program.agrees(generator.inputs(s0, s1, seed & 1, seed))) {
        ++failures;
        break;
      }
  }
  EXPECT_EQ(failures, 0);
}

INSTANTIATE_TEST_SUITE_P(From, RandomGraphs,
                         ::testing::Values(passes::Stage::Fuse,
                                           passes::Stage::Simplify),
                         [](const auto &info) {
                           return passes::stageName(info.param).str();
                         });

} // namespace
} // namespace kiln
