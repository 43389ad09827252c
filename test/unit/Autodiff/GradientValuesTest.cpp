// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gradients() of graphs that TensorFlow built, against the values of its own:
// y by x0, x1, ... of each test/golden_kiln/gradients_* (make_gradient_cases.py
// there).
#include "kiln/Gradients.h"
#include "kiln/GraphScopes.h"
#include "kiln/ops/ArrayOps.h"
#include "test/unit/ProgramFixture.h"

#include <set>

namespace kiln {
namespace {

class GradientValuesTest : public ProgramFixture,
                           public ::testing::WithParamInterface<std::string> {};

TEST_P(GradientValuesTest, AreTensorFlows) {
  std::shared_ptr<Graph> graph = load(GetParam());
  ASSERT_TRUE(graph);
  GraphBuilder builder(graph);
  GraphScope scope(builder);
  std::vector<Input> xs;
  while (const Node *x = graph->lookup("x" + std::to_string(xs.size())))
    xs.push_back(Input(Output{x, 0}));
  ASSERT_FALSE(xs.empty());
  std::vector<Gradient> found = gradients({Output{graph->lookup("y"), 0}},
                                          InputList(xs), {.name = "of_kiln"});
  ASSERT_EQ(builder.status(), okStatus());

  auto recorded = golden::readCase(folder(GetParam()));
  ASSERT_EQ(recorded.status(), okStatus());
  std::set<std::string> names;
  for (golden::Step &step : recorded->steps)
    for (std::string &fetch : step.fetches)
      for (size_t i = 0; i < xs.size(); ++i)
        if (fetch == "dx" + std::to_string(i) + ":0") {
          Output gradient = found[i].toTensor();
          ASSERT_TRUE(gradient.node) << "no gradient of x" << i;
          EXPECT_TRUE(gradient.node->name().starts_with("of_kiln"));
          fetch = gradient.name();
          names.insert(fetch);
        }
  ASSERT_FALSE(names.empty());
  for (ExecutionMode mode :
       {ExecutionMode::NativeOnly, ExecutionMode::EvaluatorOnly}) {
    golden::CaseResult result =
        golden::runCase(*recorded, {.mode = mode}, graph);
    EXPECT_EQ(result.failure, "");
    for (const golden::StepResult &step : result.steps)
      EXPECT_EQ(step.failure, "");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Recorded, GradientValuesTest,
    ::testing::ValuesIn(testing::recordedCases("golden_kiln", "gradients_")),
    [](const auto &info) { return info.param; });

TEST(GradientValues, OfArraysByNameAreRefused) {
  GraphBuilder builder;
  GraphScope scope(builder);
  Output x = ops::placeholder(DType::Float32, {2});
  const Node *array = builder.addOp({.op = "TensorArrayV2",
                                     .inputs = {Input(2)},
                                     .attrs = {{"dtype", DType::Float32}}});
  Output handle{array, 0};
  const Node *write = builder.addOp(
      {.op = "TensorArrayWriteV2",
       .inputs = {Input(handle), Input(0), Input(x), Input(0.0f)}});
  const Node *read = builder.addOp(
      {.op = "TensorArrayReadV2",
       .inputs = {Input(handle), Input(0), Input(Output{write, 0})},
       .attrs = {{"dtype", DType::Float32}}});
  ASSERT_EQ(builder.status(), okStatus());
  gradients({Output{read, 0}}, {x});
  EXPECT_EQ(builder.status().code(), StatusCode::InvalidArgument);
  EXPECT_THAT(std::string(builder.status().message()),
              ::testing::HasSubstr(
                  "Input 'handle' of 'TensorArrayGradV3' Op has type string "
                  "that does not match expected type of resource."));
}

TEST(GradientValues, OfGradientsOfRoundingAreRefused) {
  GraphBuilder builder;
  GraphScope scope(builder);
  Output x = ops::placeholder(DType::Float32, {3});
  const Node *node =
      builder.addOp({.op = "QuantizeAndDequantizeV4Grad",
                     .inputs = {Input(x), Input(x), Input(0.0f), Input(1.0f)}});
  gradients({Output{node, 0}}, {x});
  EXPECT_EQ(builder.status().code(), StatusCode::InvalidArgument);
}

} // namespace
} // namespace kiln
