// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that are products, sums and quotients of open ones, or that the run
// finds out, meet known ones: equal ones are one size from there on, others are
// an error of the node, and neither makes invalid IR.
#include "kiln/BuildOps.h"
#include "kiln/ControlFlow.h"
#include "kiln/GraphBuilder.h"
#include "kiln/GraphScopes.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using testing::tensorOf;

constexpr DType f32 = DType::Float32;

/// Each way to a size, beside each node that wants it to be `k`.
class SizesMeet : public ::testing::TestWithParam<ExecutionMode> {
protected:
  /// What is made of m [2, 3] and x [3], with the extent that it has.
  std::vector<std::pair<Output, int64_t>> sizes() {
    Output row = ops::expandDims(x, 0), column = ops::expandDims(x, 1);
    return {
        {ops::reshape(m, {-1}), 6},
        {ops::concat({x, x}, 0), 6},
        {ops::reshape(column * row, {-1}), 9},
        {x[sliceAll(2)], 2},
        {ops::pad(x, tensorOf<int32_t>({1, 2}, {1, 0})), 4},
        {x[sliceFrom(1)], 2},
        {ops::reshape(ops::where(x > 0.0), {-1}), 3},
    };
  }
  /// What wants a vector of `k` elements.
  std::vector<Output> uses(const Output &given, int64_t k) {
    Output t = ops::cast(given, f32), ones = ops::ones({k});
    Output row = ops::expandDims(t, 0);
    return {
        ops::biasAdd(row, ones),
        t + ones,
        ops::matMul(row, ops::ones({k, 2})),
        ops::concat({row, ops::ones({1, k})}, 0),
        ops::stack({t, ones}),
        ops::reshape(t, {k, 1}) * 2.0,
        ops::cond(
            ops::size(t) > 1, [&] { return t + ones; },
            [&] { return ones; })[0],
    };
  }

  GraphBuilder graph;
  GraphScope scope{graph};
  Output m = ops::placeholder(f32, {-1, -1}, {.name = "m"});
  Output x = ops::placeholder(f32, {-1}, {.name = "x"});
};

TEST_P(SizesMeet, EqualOnesAreOneAndOthersAnError) {
  std::vector<Output> fetches;
  for (const auto &[given, k] : sizes())
    for (const Output &use : uses(given, k))
      fetches.push_back(use);
  ASSERT_EQ(graph.status(), okStatus());
  auto session = testing::openSession(graph.graph(), GetParam());
  std::vector<Feed> fit = {{"m:0", testing::countingMatrix(2, 3)},
                           {"x:0", tensorOf<float>({3}, {1, 2, 3})}};
  std::vector<Feed> others = {{"m:0", testing::countingMatrix(2, 4)},
                              {"x:0", tensorOf<float>({5}, {1, 2, 3, 4, 5})}};
  for (const Output &fetch : fetches) {
    SCOPED_TRACE(fetch.name());
    EXPECT_EQ(session->run(fit, {fetch.name()}).status(), okStatus());
    EXPECT_EQ(session->run(others, {fetch.name()}).status().code(),
              StatusCode::InvalidArgument);
    EXPECT_EQ(session->run(fit, {fetch.name()}).status(), okStatus());
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, SizesMeet,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

} // namespace
} // namespace kiln
