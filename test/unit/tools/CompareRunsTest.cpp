// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparing two ways to run a graph: agreement, and faults planted by running a
// graph in which one node is another one.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "tools/compare/Compare.h"

#include <gmock/gmock.h>

#include <cmath>

namespace kiln::compare {
namespace {

using kiln::testing::failsAt;
using kiln::testing::GraphWriter;
using kiln::testing::isOk;
using kiln::testing::tensorOf;

/// What a graph may be made with a fault in.
struct Faults {
  const char *activation = "Tanh";
  float rate = 0.5f;
  float initial = 1;
  int64_t seed = 7;
};

/// a = x * w; b = activation(a); c = b + x; train: w -= rate * b; noise.
std::shared_ptr<Graph> trainGraph(const Faults &faults = {}) {
  constexpr DType f32 = DType::Float32;
  GraphWriter writer;
  writer.placeholder("x", f32, {3});
  writer.variable("w", tensorOf<float>({3}, {faults.initial, 2, 3}));
  writer.binary("a", "Mul", "x", "w/read", f32);
  writer.add("b", faults.activation, {"a"}, {{"T", f32}});
  writer.binary("c", "AddV2", "b", "x", f32);
  writer.constant("rate", Tensor::scalar<float>(faults.rate));
  writer.binary("step", "Mul", "b", "rate", f32);
  writer.binary("train", "AssignSub", "w", "step", f32);
  writer.constant("shape", tensorOf<int32_t>({1}, {3}));
  writer.add("noise", "RandomUniform", {"shape"},
             {{"dtype", f32},
              {"T", DType::Int32},
              {"seed", faults.seed},
              {"seed2", faults.seed}});
  writer.add("init", "NoOp", {"^w/Assign"});
  return writer.graph;
}

OpenSession opener(std::shared_ptr<Graph> graph, ExecutionMode mode) {
  return [graph, mode] {
    SessionOptions options;
    options.mode = mode;
    return kiln::Session::create(graph, options);
  };
}

Request trainRequest(int64_t steps) {
  Request request;
  request.feeds = {{{"x:0", tensorOf<float>({3}, {0.1f, -0.2f, 0.3f})}}};
  request.fetches = {"c:0", "noise:0"};
  request.targets = {"train"};
  request.init = {"init"};
  request.steps = steps;
  return request;
}

/// Native code of one graph against the evaluator on another.
StatusOr<std::optional<Difference>> compareWith(const Faults &faults,
                                                int64_t steps) {
  auto graph = trainGraph();
  return compareRuns(*graph, opener(graph, ExecutionMode::NativeOnly),
                     opener(trainGraph(faults), ExecutionMode::EvaluatorOnly),
                     trainRequest(steps));
}

TEST(CompareRuns, NativeCodeAndEvaluatorAgree) {
  auto found = compareWith({}, 3);
  ASSERT_THAT(found, isOk());
  EXPECT_FALSE(found->has_value()) << (*found)->toString();
}

TEST(CompareRuns, NamesTheFirstNodeThatDiffers) {
  auto found = compareWith({.activation = "Sigmoid"}, 2);
  ASSERT_THAT(found, isOk());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->tensor, "b:0");
  EXPECT_EQ((*found)->step, 1);
  EXPECT_EQ((*found)->element, 0);
  EXPECT_EQ((*found)->count, 3);
  EXPECT_GT((*found)->ulps, 1000u);
  EXPECT_FALSE((*found)->isHidden);
}

TEST(CompareRuns, OneUnitInTheLastPlaceIsSeen) {
  auto found = compareWith({.initial = std::nextafter(1.0f, 2.0f)}, 1);
  ASSERT_THAT(found, isOk());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->tensor, "w/initial:0");
  EXPECT_EQ((*found)->ulps, 1u);
  EXPECT_EQ((*found)->op, "Const");
}

TEST(CompareRuns, SeesVariablesThatTheInitializerWrote) {
  auto found = compareWith({.initial = 1.5f}, 1);
  ASSERT_THAT(found, isOk());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->step, 0);
  EXPECT_EQ((*found)->tensor, "w/initial:0");
}

TEST(CompareRuns, SeesAVariableThatNothingFetched) {
  auto graph = trainGraph();
  Request request = trainRequest(2);
  request.fetches.clear();
  auto found = compareRuns(
      *graph, opener(graph, ExecutionMode::NativeOnly),
      opener(trainGraph({.rate = 0.25f}), ExecutionMode::EvaluatorOnly),
      request);
  ASSERT_THAT(found, isOk());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->tensor, "rate:0");
}

// A view of the variable is read at the end of the run, the step's result
// included: what differs is what the step got.
TEST(CompareRuns, LooksBehindViewsOfAnOptimizersStep) {
  auto makeGraph = [](float rate) {
    constexpr DType f32 = DType::Float32;
    GraphWriter writer;
    writer.variable("w", tensorOf<float>({2}, {1, 2}));
    writer.add("kept", "PreventGradient", {"w"}, {{"T", f32}});
    writer.constant("rate", Tensor::scalar<float>(rate));
    writer.constant("delta", tensorOf<float>({2}, {3, 5}));
    writer.binary("change", "Mul", "delta", "rate", f32);
    writer.add("train", "ApplyGradientDescent", {"w", "rate", "change"},
               {{"T", f32}});
    writer.add("init", "NoOp", {"^w/Assign"});
    return writer.graph;
  };
  auto graph = makeGraph(0.5f);
  Request request;
  request.fetches = {"kept:0"};
  request.targets = {"train"};
  request.init = {"init"};
  request.steps = 1;
  auto found = compareRuns(
      *graph, opener(graph, ExecutionMode::NativeOnly),
      opener(makeGraph(0.25f), ExecutionMode::EvaluatorOnly), request);
  ASSERT_THAT(found, isOk());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->tensor, "rate:0");
}

TEST(CompareRuns, StepsTakeSetsOfFeedsInTurn) {
  auto graph = trainGraph();
  Request request = trainRequest(4);
  // The graphs give the same for -0 and 0; the third step feeds the first set.
  request.feeds = {{{"x:0", tensorOf<float>({3}, {0, 0, 0})}},
                   {{"x:0", tensorOf<float>({3}, {0, 1, 0})}}};
  auto found = compareRuns(
      *graph, opener(graph, ExecutionMode::EvaluatorOnly),
      opener(trainGraph({.activation = "Sinh"}), ExecutionMode::EvaluatorOnly),
      request);
  ASSERT_THAT(found, isOk());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->tensor, "b:0");
  EXPECT_EQ((*found)->step, 2);
  EXPECT_EQ((*found)->element, 1);
}

TEST(CompareRuns, RandomStreamsCount) {
  auto found = compareWith({.seed = 8}, 1);
  ASSERT_THAT(found, isOk());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->tensor, "noise:0");
}

TEST(CompareRuns, RandomOpsNeedASeed) {
  auto graph = trainGraph({.seed = 0});
  auto open = opener(graph, ExecutionMode::EvaluatorOnly);
  auto found = compareRuns(*graph, open, open, trainRequest(1));
  EXPECT_THAT(found, failsAt("noise"));
  EXPECT_EQ(found.status().code(), StatusCode::InvalidArgument);
}

TEST(CompareRuns, AMistakeOfBothIsAnError) {
  auto graph = trainGraph();
  Request request = trainRequest(1);
  request.init.clear();
  auto found =
      compareRuns(*graph, opener(graph, ExecutionMode::NativeOnly),
                  opener(graph, ExecutionMode::EvaluatorOnly), request);
  EXPECT_EQ(found.status().code(), StatusCode::FailedPrecondition);
}

TEST(CompareRuns, AMistakeThatMayNotBeIsADifference) {
  auto graph = trainGraph();
  Request request = trainRequest(1);
  request.init.clear();
  request.mayFail = [](int64_t step, const Status &status) {
    return step != 1 || status.code() != StatusCode::FailedPrecondition;
  };
  auto found =
      compareRuns(*graph, opener(graph, ExecutionMode::EvaluatorOnly),
                  opener(graph, ExecutionMode::EvaluatorOnly), request);
  ASSERT_THAT(found, isOk());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->step, 1);
  EXPECT_EQ((*found)->second, "no error");
}

// The first step fails in both; the graphs differ in the second.
TEST(CompareRuns, GoesOnBehindAnErrorWhereAsked) {
  auto makeGraph = [](const char *op) {
    GraphWriter writer;
    writer.add("x", "Placeholder", {},
               {{"dtype", DType::Float32}, {"shape", Shape{-1}}});
    writer.add("checked", "EnsureShape", {"x"},
               {{"T", DType::Float32}, {"shape", Shape{2}}});
    writer.add("y", op, {"checked"}, {{"T", DType::Float32}});
    return writer.graph;
  };
  auto graph = makeGraph("Tanh");
  Request request;
  request.fetches = {"y:0"};
  request.steps = 2;
  request.feeds = {{{"x:0", tensorOf<float>({3}, {1, 2, 3})}},
                   {{"x:0", tensorOf<float>({2}, {1, 2})}}};
  auto compare = [&] {
    return compareRuns(*graph, opener(graph, ExecutionMode::EvaluatorOnly),
                       opener(makeGraph("Sinh"), ExecutionMode::EvaluatorOnly),
                       request);
  };
  EXPECT_EQ(compare().status().code(), StatusCode::InvalidArgument);
  request.goesOn = true;
  auto found = compare();
  ASSERT_THAT(found, isOk());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->step, 2);
  EXPECT_EQ((*found)->tensor, "y:0");
}

TEST(CompareTensors, AllBytesOfComplexNumbersCount) {
  Tensor one = *Tensor::zeros(DType::Complex128, {2});
  Tensor other = *Tensor::zeros(DType::Complex128, {2});
  static_cast<char *>(other.mutableRawData())[31] = 1;
  auto found = compareTensors(one, other);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->element, 1);
  EXPECT_NE(hashTensor(one), hashTensor(other));
}

TEST(CompareTensors, NanIsEqualToNanAndZerosHaveSigns) {
  auto of = [](float value) { return tensorOf<float>({2}, {1, value}); };
  EXPECT_FALSE(compareTensors(of(NAN), of(-NAN)));
  auto zeros = compareTensors(of(0.0f), of(-0.0f));
  ASSERT_TRUE(zeros);
  EXPECT_EQ(zeros->element, 1);
  EXPECT_EQ(zeros->ulps, 0u);
  EXPECT_TRUE(compareTensors(of(1), tensorOf<float>({1, 2}, {1, 1})));
}

} // namespace
} // namespace kiln::compare
