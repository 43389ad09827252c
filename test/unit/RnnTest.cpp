// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent networks: variables, a loop over time beside the same steps one by
// one, and their gradients.
#include "kiln/Rnn.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "kiln/Gradients.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

#include <cmath>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::HasSubstr;

class Rnn : public ::testing::Test {
protected:
  std::vector<std::string> variableNames() {
    std::vector<std::string> names;
    for (const Variable &variable : globalVariables())
      names.push_back(variable.name());
    return names;
  }
  std::vector<float> valueOf(const Output &tensor) {
    EXPECT_EQ(graph.status(), okStatus());
    if (!session) {
      auto made = makeSession();
      EXPECT_EQ(made.status(), okStatus());
      session = *made;
      EXPECT_EQ(run(*session, globalVariablesInitializer()), okStatus());
    }
    auto value = fetch(*session, tensor);
    EXPECT_EQ(value.status(), okStatus());
    if (!value.ok())
      return {};
    auto data = value->data<float>();
    return {data.begin(), data.end()};
  }
  void expectNear(const Output &a, const Output &b) {
    auto first = valueOf(a), second = valueOf(b);
    ASSERT_EQ(first.size(), second.size());
    ASSERT_FALSE(first.empty());
    for (size_t i = 0; i < first.size(); ++i)
      EXPECT_NEAR(first[i], second[i], 1e-5) << i;
  }

  /// Two sequences of three steps with two columns.
  Output input() {
    return ops::constant(
        {{{.1, -.2}, {.3, .4}, {-.5, .6}}, {{.7, .8}, {-.9, 1.}, {.2, -.3}}});
  }

  /// A cell in a loop and step by step: outputs, states and the gradients of
  /// all variables and of the input.
  void checkCell(std::shared_ptr<RnnCell> cell) {
    Output x = input();
    auto looped = dynamicRnn(*cell, x);
    auto unrolled = staticRnn(*cell, ops::unstack(x, {.axis = 1}));
    ASSERT_EQ(graph.status(), okStatus());
    Output stacked = ops::stack(unrolled.outputs, {.axis = 1});
    expectNear(looped.outputs, stacked);
    ASSERT_EQ(looped.state.size(), unrolled.state.size());
    std::vector<Input> xs{x};
    for (const Variable &variable : globalVariables())
      xs.push_back(variable);
    auto lossOf = [](const Output &outputs, const std::vector<Output> &state) {
      Output loss = ops::reduceSum(ops::square(outputs));
      for (const Output &each : state)
        loss = loss + ops::reduceSum(ops::sin(each));
      return loss;
    };
    auto first =
        gradients({lossOf(looped.outputs, looped.state)}, InputList(xs));
    auto second = gradients({lossOf(stacked, unrolled.state)}, InputList(xs));
    for (size_t i = 0; i < xs.size(); ++i) {
      SCOPED_TRACE(i);
      expectNear(first[i].toTensor(), second[i].toTensor());
    }
  }

  /// TensorFlow's values, printed by test/tensorflow/record_rnn_values.py:
  /// outputs of sequences of two and three steps, and of the gradient of each
  /// variable the sum of its elements times 1, 2, 3 …
  void checkValues(RnnCell &cell, const std::vector<float> &outputs,
                   const std::vector<float> &sums) {
    auto result = dynamicRnn(cell, input(), {.sequenceLength = Input({2, 3})});
    std::vector<Variable> variables = globalVariables();
    ASSERT_EQ(graph.status(), okStatus());
    ASSERT_EQ(variables.size(), sums.size());
    std::vector<Input> xs(variables.begin(), variables.end());
    auto found =
        gradients({ops::reduceSum(ops::square(result.outputs))}, InputList(xs));
    std::vector<const Node *> assigned;
    std::vector<Output> picked;
    for (size_t v = 0; v < variables.size(); ++v) {
      const Shape &shape = variables[v].shape();
      std::vector<float> values(size_t(shape.numElements().valueOr(0)));
      std::vector<float> factors(values.size());
      for (size_t i = 0; i < values.size(); ++i) {
        values[i] = float((i + v) % 7) * 0.25f - 0.5f;
        factors[i] = float(i + 1);
      }
      Tensor start = *Tensor::fromValues<float>(shape, values);
      Tensor weights = *Tensor::fromValues<float>(shape, factors);
      assigned.push_back(variables[v].assign(Input(start)).operation());
      picked.push_back(ops::reduceSum(found[v].toTensor() * Input(weights)));
    }
    ASSERT_EQ(graph.status(), okStatus());
    (void)valueOf(result.outputs);
    for (const Node *each : assigned)
      ASSERT_EQ(run(*session, each), okStatus());
    auto got = valueOf(result.outputs);
    ASSERT_EQ(got.size(), outputs.size());
    for (size_t i = 0; i < outputs.size(); ++i)
      EXPECT_NEAR(got[i], outputs[i], 2e-6) << "output " << i;
    for (size_t v = 0; v < sums.size(); ++v)
      EXPECT_NEAR(valueOf(picked[v])[0], sums[v], 2e-5 * std::abs(sums[v]))
          << "gradient " << v;
  }

  GraphBuilder graph;
  GraphScope scope{graph};
  std::shared_ptr<Session> session;
};

TEST_F(Rnn, BasicCell) { checkCell(std::make_shared<BasicRnnCell>(3)); }
TEST_F(Rnn, LongShortTermMemory) {
  checkCell(std::make_shared<BasicLstmCell>(3));
}
TEST_F(Rnn, GatedUnit) { checkCell(std::make_shared<GruCell>(3)); }
TEST_F(Rnn, CellsOnTopOfOneAnother) {
  checkCell(
      std::make_shared<MultiRnnCell>(std::vector<std::shared_ptr<RnnCell>>{
          std::make_shared<GruCell>(3), std::make_shared<BasicLstmCell>(2)}));
}

TEST_F(Rnn, BasicCellAsInTensorFlow) {
  BasicRnnCell cell(2);
  checkValues(cell,
              {-0.291313f, -0.0748597f, -0.551487f, -0.1548f, 0, 0, -0.53705f,
               0.0249948f, -0.0435025f, 0.0596445f, -0.302352f, -0.185284f},
              {-3.1994f, -8.41064f});
}
TEST_F(Rnn, LongShortTermMemoryAsInTensorFlow) {
  BasicLstmCell cell(2);
  checkValues(cell,
              {0.0366835f, 0.085599f, 0.0915834f, 0.187249f, 0, 0, 0.058548f,
               0.107335f, 0.047126f, 0.312349f, 0.212167f, 0.337595f},
              {11.0292f, 5.76279f});
}
TEST_F(Rnn, GatedUnitAsInTensorFlow) {
  GruCell cell(2);
  checkValues(cell,
              {0.0725818f, 0.12494f, 0.200437f, 0.356537f, 0, 0, 0.148191f,
               0.36915f, 0.274435f, 0.582314f, 0.199989f, 0.473148f},
              {-6.46538f, -2.87998f, 5.73283f, 3.27661f});
}
TEST_F(Rnn, CellsOnTopOfOneAnotherAsInTensorFlow) {
  MultiRnnCell cell(
      {std::make_shared<GruCell>(2), std::make_shared<BasicLstmCell>(2)});
  checkValues(cell,
              {-0.199031f, -0.163118f, -0.286843f, -0.366659f, 0, 0, -0.236987f,
               -0.23285f, -0.31885f, -0.46788f, -0.314634f, -0.559109f},
              {-2.35236f, -1.12049f, 1.90011f, 1.20636f, -2.10892f, -4.23128f});
}

TEST_F(Rnn, VariablesHaveTensorFlowsNames) {
  BasicLstmCell one(3);
  dynamicRnn(one, input());
  MultiRnnCell stack(
      {std::make_shared<GruCell>(3), std::make_shared<BasicRnnCell>(2)});
  dynamicRnn(stack, input(), {.scope = "other"});
  ASSERT_EQ(graph.status(), okStatus());
  EXPECT_THAT(
      variableNames(),
      ElementsAre("rnn/basic_lstm_cell/kernel:0", "rnn/basic_lstm_cell/bias:0",
                  "other/multi_rnn_cell/cell_0/gru_cell/gates/kernel:0",
                  "other/multi_rnn_cell/cell_0/gru_cell/gates/bias:0",
                  "other/multi_rnn_cell/cell_0/gru_cell/candidate/kernel:0",
                  "other/multi_rnn_cell/cell_0/gru_cell/candidate/bias:0",
                  "other/multi_rnn_cell/cell_1/basic_rnn_cell/kernel:0",
                  "other/multi_rnn_cell/cell_1/basic_rnn_cell/bias:0"));
}

TEST_F(Rnn, BehindItsLengthASequenceStandsStill) {
  BasicLstmCell cell(2);
  Output x = input();
  auto all = dynamicRnn(cell, x);
  auto cut = dynamicRnn(cell, x, {.sequenceLength = Input({1, 3})});
  ASSERT_EQ(graph.status(), okStatus());
  auto whole = valueOf(all.outputs), part = valueOf(cut.outputs);
  ASSERT_EQ(part.size(), 12u);
  for (size_t i = 0; i < part.size(); ++i)
    EXPECT_EQ(part[i], i >= 2 && i < 6 ? 0.f : whole[i]) << i;
  // The state is that of the first step.
  auto h = valueOf(cut.state[1]);
  EXPECT_EQ(h[0], whole[0]);
  EXPECT_EQ(h[1], whole[1]);
  EXPECT_EQ(h[2], whole[10]);
}

TEST_F(Rnn, TimeMajor) {
  GruCell cell(2);
  Output x = input();
  auto first = dynamicRnn(cell, x);
  auto second =
      dynamicRnn(cell, ops::transpose(x, {1, 0, 2}), {.timeMajor = true});
  expectNear(ops::transpose(first.outputs, {1, 0, 2}), second.outputs);
}

TEST_F(Rnn, ColumnsMustBeKnown) {
  BasicRnnCell cell(2);
  dynamicRnn(cell, ops::placeholder(DType::Float32, {-1, -1, -1}));
  EXPECT_THAT(graph.status(),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("must be accessible via shape inference")));
}

} // namespace
} // namespace kiln
