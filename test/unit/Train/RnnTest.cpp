// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent networks: variables, a loop over time beside the same steps one by
// one, and their gradients.
#include "kiln/Rnn.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "kiln/Gradients.h"
#include "kiln/Optimizers.h"
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

  /// What gives the variables the values that they have in TensorFlow's runs.
  static std::vector<const Node *>
  assignWeights(const std::vector<Variable> &variables) {
    std::vector<const Node *> assigned;
    for (size_t v = 0; v < variables.size(); ++v) {
      const Shape &shape = variables[v].shape();
      std::vector<float> values(size_t(shape.numElements().valueOr(0)));
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = float((i + v) % 7) * 0.25f - 0.5f;
      Tensor start = *Tensor::fromValues<float>(shape, values);
      assigned.push_back(variables[v].assign(Input(start)).operation());
    }
    return assigned;
  }
  /// What one run gives.
  std::vector<std::vector<float>> runTogether(const std::vector<Output> &all) {
    std::vector<Fetch> fetches(all.begin(), all.end());
    auto values = session->run({}, fetches);
    EXPECT_EQ(values.status(), okStatus());
    std::vector<std::vector<float>> lists;
    if (values.ok())
      for (const Tensor &value : *values) {
        auto data = value.data<float>();
        lists.emplace_back(data.begin(), data.end());
      }
    return lists;
  }
  static void expectValues(const std::vector<float> &got,
                           const std::vector<float> &expected) {
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_NEAR(got[i], expected[i], 2e-6 + 2e-6 * std::abs(expected[i]))
          << i;
  }
  void expectValues(const Output &got, const std::vector<float> &expected) {
    expectValues(valueOf(got), expected);
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
    std::vector<const Node *> assigned = assignWeights(variables);
    std::vector<Output> picked;
    for (size_t v = 0; v < variables.size(); ++v) {
      const Shape &shape = variables[v].shape();
      std::vector<float> factors(size_t(shape.numElements().valueOr(0)));
      for (size_t i = 0; i < factors.size(); ++i)
        factors[i] = float(i + 1);
      Tensor weights = *Tensor::fromValues<float>(shape, factors);
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

TEST_F(Rnn, PeepholesLimitsAndProjection) {
  checkCell(std::make_shared<LstmCell>(3, LstmCellOptions{.usePeepholes = true,
                                                          .cellClip = 0.75,
                                                          .numProj = 2,
                                                          .projClip = 0.5}));
}
TEST_F(Rnn, PeepholesLimitsAndProjectionAsInTensorFlow) {
  LstmCell cell(2, {.usePeepholes = true,
                    .cellClip = 0.3,
                    .numProj = 3,
                    .projClip = 0.15,
                    .forgetBias = 0.5});
  checkValues(
      cell,
      {0.00499747f, 0.0375968f, 0.00440174f, 0.0360207f, 0.0902221f,
       -0.0134652f, 0, 0, 0, 0.0192703f, 0.0606594f, -0.00410546f, -0.00764368f,
       0.0429137f, 0.0183721f, 0.0737311f, 0.14613f, -0.0371986f},
      {0.590425f, 0.704465f, 0.000106049f, 0.00080873f, 0.0105906f, 0.763702f});
  EXPECT_THAT(variableNames(),
              ElementsAre("rnn/lstm_cell/kernel:0", "rnn/lstm_cell/bias:0",
                          "rnn/lstm_cell/w_f_diag:0",
                          "rnn/lstm_cell/w_i_diag:0",
                          "rnn/lstm_cell/w_o_diag:0",
                          "rnn/lstm_cell/projection/kernel:0"));
}
TEST_F(Rnn, AnotherActivationAsInTensorFlow) {
  LstmCell cell(3,
                {.activation = [](const Output &x) { return ops::relu(x); }});
  checkValues(cell,
              {0.131333f, 0.227291f, 0.41487f, 0.30679f, 0.594224f, 1.02821398f,
               0, 0, 0, 0.10986f, 0.441764f, 0.598658f, 0.191528f, 0.698789f,
               0.862036f, 0.578567f, 1.07147479f, 1.70142353f},
              {1713.41f, 230.565f});
}

TEST_F(Rnn, BothDirectionsAsInTensorFlow) {
  for (bool hasLengths : {false, true}) {
    GraphBuilder own;
    GraphScope current(own);
    graph = own;
    session = nullptr;
    LstmCell forward(2);
    GruCell backward(2);
    BidirectionalRnnOptions options;
    if (hasLengths)
      options.sequenceLength = Input({2, 3});
    auto both = bidirectionalDynamicRnn(forward, backward, input(), options);
    EXPECT_THAT(variableNames(),
                ElementsAre("bidirectional_rnn/fw/lstm_cell/kernel:0",
                            "bidirectional_rnn/fw/lstm_cell/bias:0",
                            "bidirectional_rnn/bw/gru_cell/gates/kernel:0",
                            "bidirectional_rnn/bw/gru_cell/gates/bias:0",
                            "bidirectional_rnn/bw/gru_cell/candidate/kernel:0",
                            "bidirectional_rnn/bw/gru_cell/candidate/bias:0"));
    std::vector<const Node *> assigned = assignWeights(globalVariables());
    (void)valueOf(both.forward.outputs);
    for (const Node *each : assigned)
      ASSERT_EQ(run(*session, each), okStatus());
    expectValues(
        both.forward.outputs,
        hasLengths
            ? std::vector<float>{0.0366835f, 0.085599f, 0.0915834f, 0.187249f,
                                 0, 0, 0.058548f, 0.107335f, 0.047126f,
                                 0.312349f, 0.212167f, 0.337595f}
            : std::vector<float>{0.0366835f, 0.085599f, 0.0915834f, 0.187249f,
                                 0.0895138f, 0.336897f, 0.058548f, 0.107335f,
                                 0.047126f, 0.312349f, 0.212167f, 0.337595f});
    expectValues(
        both.backward.outputs,
        hasLengths
            ? std::vector<float>{0.336276f, 0.308984f, 0.267156f, 0.175265f, 0,
                                 0, 0.578895f, 0.16848f, 0.473338f, 0.0822326f,
                                 0.142118f, 0.207235f}
            : std::vector<float>{0.47901f, 0.329733f, 0.466091f, 0.224607f,
                                 0.330912f, 0.109482f, 0.578895f, 0.16848f,
                                 0.473338f, 0.0822326f, 0.142118f, 0.207235f});
    expectValues(
        both.backward.state[0],
        hasLengths
            ? std::vector<float>{0.336276f, 0.308984f, 0.578895f, 0.16848f}
            : std::vector<float>{0.47901f, 0.329733f, 0.578895f, 0.16848f});
  }
}

TEST_F(Rnn, DropoutAsInTensorFlow) {
  setRandomSeed(5);
  Output half = ops::constant(0.5);
  RnnResult result;
  {
    VariableScope net("net", {.initializer = zerosInitializer()});
    DropoutWrapper cell(
        std::make_shared<LstmCell>(2),
        {.inputKeepProb = 0.75, .outputKeepProb = 0.5, .stateKeepProb = half});
    result = dynamicRnn(cell, input());
  }
  std::vector<const Node *> assigned = assignWeights(globalVariables());
  for (size_t i = 0; i < assigned.size(); ++i) {
    if (!session)
      (void)valueOf(half);
    ASSERT_EQ(run(*session, assigned[i]), okStatus());
  }
  auto all = runTogether({result.outputs, result.state[0], result.state[1]});
  ASSERT_EQ(all.size(), 3u);
  expectValues(all[0], {0, 0, 0.164544f, 0, 0, 0, 0.122201f, 0.196022f,
                        0.0712587f, 0.707955f, 0, 0.618578f});
  expectValues(all[1], {0.502273f, 0.982535f, 0.495573f, 1.00352f});
  expectValues(all[2], {0, 0.624372f, 0, 0});
}

TEST_F(Rnn, ProbabilitiesAreChecked) {
  DropoutWrapper cell(std::make_shared<GruCell>(2), {.inputKeepProb = 1.5});
  dynamicRnn(cell, input());
  EXPECT_THAT(graph.status(),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("Parameter input_keep_prob must be between 0 "
                              "and 1: 1")));
}

TEST_F(Rnn, StepsOfOptimizersAsInTensorFlow) {
  struct Case {
    std::shared_ptr<Optimizer> optimizer;
    std::vector<float> losses, bias;
  };
  Case cases[] = {{std::make_shared<GradientDescentOptimizer>(0.5),
                   {0.272542f, 0.256732f, 0.241603f, 0.152828f, 0.142226f},
                   {-0.311063f, -0.110788f, -0.0213311f, -0.29285f, 0.728882f,
                    0.994647f, -0.548079f, -0.429906f}},
                  {std::make_shared<AdamOptimizer>(0.1),
                   {0.272542f, 0.219774f, 0.1859f, 0.148765f, 0.131266f},
                   {-0.828136f, -0.693667f, 0.536652f, -0.540298f, 0.0555454f,
                    0.32317f, -1.0327f, -0.936719f}}};
  for (Case &each : cases) {
    GraphBuilder own;
    GraphScope current(own);
    graph = own;
    session = nullptr;
    BasicLstmCell cell(2);
    auto result = dynamicRnn(cell, input());
    Output last = result.outputs[{sliceAll(), -1}];
    Output target = ops::constant({{0.5, -0.5}, {-0.25, 0.25}});
    Output loss = ops::reduceMean(ops::square(last - target));
    std::vector<Variable> trained = trainableVariables();
    const Node *step = each.optimizer->minimize(loss);
    std::vector<const Node *> assigned = assignWeights(trained);
    (void)valueOf(loss);
    for (const Node *assign : assigned)
      ASSERT_EQ(run(*session, assign), okStatus());
    std::vector<float> losses;
    for (int i = 0; i < 20; ++i) {
      losses.push_back(valueOf(loss)[0]);
      ASSERT_EQ(run(*session, step), okStatus());
    }
    int at[] = {0, 1, 2, 10, 19};
    for (size_t i = 0; i < each.losses.size(); ++i)
      EXPECT_NEAR(losses[size_t(at[i])], each.losses[i], 2e-5) << at[i];
    EXPECT_LT(losses.back(), losses.front());
    auto bias = valueOf(trained[1].value());
    ASSERT_EQ(bias.size(), each.bias.size());
    for (size_t i = 0; i < bias.size(); ++i)
      EXPECT_NEAR(bias[i], each.bias[i], 1e-3) << i;
  }
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

TEST_F(Rnn, ComputesWithTensorsOfCustomGetters) {
  CustomGetter doubled = [](const VariableGetter &getter,
                            const std::string &name,
                            const GetVariableOptions &options) -> Weight {
    return ops::multiply(getter(name, options), 2.0);
  };
  std::vector<std::pair<Output, Output>> both;
  for (auto make : std::vector<std::function<std::shared_ptr<RnnCell>()>>{
           [] { return std::make_shared<BasicRnnCell>(3); },
           [] { return std::make_shared<BasicLstmCell>(3); },
           [] {
             return std::make_shared<LstmCell>(
                 3, LstmCellOptions{.usePeepholes = true, .numProj = 2});
           },
           [] {
             return std::make_shared<GruCell>(
                 3, GruCellOptions{.biasInitializer = zerosInitializer()});
           }}) {
    auto outputs = [&](const char *name, double value,
                       std::optional<CustomGetter> getter) {
      VariableScope scope(std::nullopt,
                          {.defaultName = name,
                           .initializer = constantInitializer(value),
                           .customGetter = getter});
      return dynamicRnn(*make(), input()).outputs;
    };
    Output twice = outputs("twice", 0.1, doubled);
    both.emplace_back(twice, outputs("once", 0.2, std::nullopt));
  }
  for (auto &[twice, once] : both)
    expectNear(twice, once);
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
