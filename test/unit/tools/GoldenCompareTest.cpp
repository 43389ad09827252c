// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes as TensorFlow's value and error, and what does not.
#include "tools/golden/Compare.h"

#include <gtest/gtest.h>

#include <limits>

namespace kiln::golden {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

bool same(float got, float want, Tolerance tolerance) {
  return compareTensors(Tensor::scalar(got), Tensor::scalar(want), tolerance)
      .empty();
}

Graph variableGraph() {
  Graph graph;
  EXPECT_TRUE(
      graph
          .addNodes({{.name = "v", .op = "VariableV2"},
                     {.name = "w", .op = "VariableV2"},
                     {.name = "v/read", .op = "Identity", .inputs = {"v"}}})
          .ok());
  return graph;
}

TEST(GoldenCompare, ToleranceIsAbsolutePlusRelative) {
  EXPECT_TRUE(same(10.2f, 10, {0.01, 0.11}));
  EXPECT_FALSE(same(10.3f, 10, {0.01, 0.11}));
}

TEST(GoldenCompare, NanMatchesNanAlone) {
  EXPECT_TRUE(same(nan, nan, {}));
  EXPECT_FALSE(same(nan, 0, {1, 1}));
  EXPECT_FALSE(same(0, nan, {1, 1}));
}

TEST(GoldenCompare, InfinitiesMatchExactly) {
  EXPECT_TRUE(same(infinity, infinity, {}));
  EXPECT_FALSE(same(-infinity, infinity, {1, 1}));
  EXPECT_FALSE(same(1e38f, infinity, {1, 1}));
}

TEST(GoldenCompare, SignsOfZerosCountAtRtolZero) {
  EXPECT_FALSE(same(-0.0f, 0.0f, {0, 1}));
  EXPECT_TRUE(same(-0.0f, -0.0f, {0, 0}));
  EXPECT_TRUE(same(-0.0f, 0.0f, {1e-6, 0}));
}

TEST(GoldenCompare, LargeIntegersAreNotRounded) {
  int64_t large = (int64_t{1} << 62) + 1;
  EXPECT_FALSE(
      compareTensors(Tensor::scalar(large), Tensor::scalar(large - 1), {})
          .empty());
}

TEST(GoldenCompare, DtypeAndShapeMatchExactly) {
  Tensor want = *Tensor::fromValues<float>({1, 2}, {1, 2});
  EXPECT_EQ(compareTensors(*Tensor::fromValues<float>({2}, {1, 2}), want, {}),
            "got float32 [2], expected float32 [1,2]");
  EXPECT_FALSE(
      compareTensors(*Tensor::fromValues<double>({1, 2}, {1, 2}), want, {})
          .empty());
  EXPECT_FALSE(compareTensors(Tensor(), want, {}).empty());
}

TEST(GoldenCompare, ReportsTheFirstDifference) {
  Tensor got = *Tensor::fromValues<int32_t>({2, 2}, {1, 2, 9, 8});
  Tensor want = *Tensor::fromValues<int32_t>({2, 2}, {1, 2, 3, 4});
  std::string report = compareTensors(got, want, {});
  EXPECT_NE(report.find("2 of 4 elements differ, the first at [1,0]: got 9, "
                        "expected 3"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("[[1, 2], [9, 8]]"), std::string::npos) << report;
}

TEST(GoldenCompare, FactsOfAMessageCountNotItsWords) {
  Graph graph;
  ExpectedError want{"InvalidArgumentError",
                     "Incompatible shapes: [3,4] vs. [3,5] of 'a'",
                     {"Add"}};
  auto report = [&](std::string message, StatusCode code) {
    return compareError(Status(code, std::move(message), "Add"), want, graph);
  };
  auto bad = StatusCode::InvalidArgument;
  EXPECT_EQ(report("a: expected [3, 4], got [3,5]", bad), "");
  EXPECT_NE(report("a: expected [3,4], got [3,6]", bad), "");
  EXPECT_NE(report("ab: expected [3,4], got [3,5]", bad), "");
  EXPECT_NE(report("a: expected [3,4], got [3,5]", StatusCode::Internal), "");
}

TEST(GoldenCompare, ADigitInsideOfANameIsNoNumber) {
  ExpectedError want{"ValueError", "TF1 says Add_2", {}};
  EXPECT_EQ(compareError(invalidArgumentError("no"), want, Graph()), "");
}

TEST(GoldenCompare, TheNodeOrWhatItReadsIsNamed) {
  Graph graph = variableGraph();
  ExpectedError want{"FailedPreconditionError", "no value", {"v/read"}};
  auto report = [&](std::string node) {
    return compareError(
        Status(StatusCode::FailedPrecondition, "?", std::move(node)), want,
        graph);
  };
  EXPECT_EQ(report("v/read"), "");
  EXPECT_EQ(report("v"), "");
  EXPECT_NE(report("w"), "");
  // Which variable without a value is named is chance.
  want.message = "uninitialized value v";
  EXPECT_EQ(report("w"), "");
}

TEST(GoldenCompare, ANodeOfAFunctionIsNamedWithItsCallsAroundIt) {
  Graph graph = variableGraph();
  ExpectedError want{"InvalidArgumentError", "no", {"read"}};
  auto report = [&](std::string node) {
    return compareError(
        Status(StatusCode::InvalidArgument, "?", std::move(node)), want, graph);
  };
  EXPECT_EQ(report("call/read"), "");
  EXPECT_NE(report("call/thread"), "");
  EXPECT_NE(report("v/read"), ""); // the graph's own
}

} // namespace
} // namespace kiln::golden
