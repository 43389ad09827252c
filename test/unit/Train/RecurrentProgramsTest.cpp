// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent networks that TensorFlow's Python built, written in C++: the graphs
// are the same node by node, but for what is inside of gradients, and steps of
// training give the same. test/golden_kiln/make_recurrent_cases.py.
#include "kiln/BuildOps.h"
#include "kiln/Optimizers.h"
#include "kiln/Rnn.h"
#include "test/unit/ProgramFixture.h"

namespace kiln {
namespace {

using testing::fails;
using ::testing::HasSubstr;

/// A cell of a program's own: two inputs and outputs, three tensors of a state,
/// of several shapes.
class Pair : public RnnCell {
public:
  std::vector<Shape> outputShapes() const override { return {{2}, {2, 2}}; }
  std::vector<Shape> stateShapes() const override { return {{2}, {2, 2}, {}}; }

protected:
  Step call(const Outputs &inputs, const Outputs &state) override {
    if (!callers)
      callers = currentVariableScope();
    VariableScope outer(*callers);
    bool isFirst = !scope;
    if (isFirst)
      scope = VariableScope(std::nullopt, {.defaultName = "pair"}).handle();
    VariableScope variables(*scope,
                            {.reuse = !isFirst, .auxiliaryNameScope = false});
    NameScope names(scope->originalNameScope());
    Variable w = getVariable("w", {.shape = {3, 2}});
    Output h = ops::tanh(ops::matMul(inputs[0], w) + state[0]);
    Output half = state[1] * 0.5;
    Output m = half + inputs[1] * ops::expandDims(h, 1);
    return {.output = h, .state = {h, m, state[2] + 1.0}, .moreOutputs = m};
  }

private:
  std::optional<VariableScopeHandle> callers, scope;
};

class RecurrentPrograms : public ProgramFixture {
protected:
  RecurrentPrograms() {
    setRandomSeed(3);
    comparison.ignores = isOfGradients;
  }

  Output floats(const Shape &shape, const std::string &name) {
    return ops::placeholder(DType::Float32, shape, {.name = name});
  }

  /// What ends each of the programs.
  void train(const std::vector<Output> &outputs) {
    std::vector<Input> losses;
    for (const Output &output : outputs) {
      Output squares = ops::square(output);
      losses.push_back(ops::reduceMean(squares));
    }
    Output loss = ops::addN(losses, {.name = "loss"});
    GradientDescentOptimizer(0.3).minimize(loss);
    globalVariablesInitializer();
  }

  void checkCell(const std::string &name, std::shared_ptr<RnnCell> cell,
                 int64_t batch = -1, const RnnOptions &options = {}) {
    Output x = floats({batch, 4, 3}, "x");
    train({dynamicRnn(*cell, x, options).outputs});
    expectGraph("recurrent_" + name);
  }
};

TEST_F(RecurrentPrograms, Basic) {
  checkCell("basic", std::make_shared<BasicRnnCell>(5));
}

TEST_F(RecurrentPrograms, Lstm) {
  checkCell("lstm", std::make_shared<BasicLstmCell>(
                        2, BasicLstmCellOptions{.forgetBias = 0.5}));
}

TEST_F(RecurrentPrograms, LstmWithAllOptions) {
  checkCell(
      "lstm_full",
      std::make_shared<LstmCell>(
          3, LstmCellOptions{.usePeepholes = true,
                             .cellClip = 0.5,
                             .initializer = randomUniformInitializer(-1, 1),
                             .numProj = 2,
                             .projClip = 0.25}),
      2);
}

TEST_F(RecurrentPrograms, Gru) {
  checkCell("gru", std::make_shared<GruCell>(3));
}

TEST_F(RecurrentPrograms, Stacked) {
  checkCell(
      "stacked",
      std::make_shared<MultiRnnCell>(std::vector<std::shared_ptr<RnnCell>>{
          std::make_shared<GruCell>(3), std::make_shared<LstmCell>(2)}),
      -1, {.scope = "deep"});
}

TEST_F(RecurrentPrograms, CellsWithOptions) {
  Output x = floats({-1, 3}, "x"), state = floats({-1, 3}, "state");
  auto relu = [](const Output &y) { return ops::relu(y); };
  auto sigmoid = [](const Output &y) { return ops::sigmoid(y); };
  std::vector<Output> outputs{
      BasicRnnCell(3, {.activation = relu})(x, {state}).output};
  BasicLstmCell memory(
      3, {.forgetBias = 0.5, .activation = sigmoid, .name = "memory"});
  outputs.push_back(memory(x, {state, x}).output);
  GruCell gru(3, {.activation = sigmoid,
                  .kernelInitializer = randomNormalInitializer(0, 0.5),
                  .biasInitializer = constantInitializer(0.25)});
  outputs.push_back(gru(x, {state}).output);
  outputs.push_back(GruCell(3, {.reuse = true})(state, {x}).output);
  LstmCell shared(3, {.initializer = onesInitializer(),
                      .activation = relu,
                      .reuse = autoReuse,
                      .name = "memory"});
  outputs.push_back(shared(x, {x, state}).output);
  ResidualWrapper residual(std::make_shared<GruCell>(3));
  outputs.push_back(residual(x, residual.zeroState(2, DType::Float32)).output);
  ResidualWrapper product(
      std::make_shared<BasicRnnCell>(3),
      [](const Output &in, const Output &out) { return in * out; });
  Output both = ops::stack({x, state}, {.axis = 1, .name = "both"});
  outputs.push_back(dynamicRnn(product, both).outputs);
  train(outputs);
  expectGraph("recurrent_options");
}

TEST_F(RecurrentPrograms, StepsWithLengths) {
  Output x = floats({2, 3, 3}, "x");
  Output lengths = ops::placeholder(DType::Int64, {2}, {.name = "lengths"});
  BasicLstmCell cell(2);
  StaticRnnResult result = staticRnn(cell, ops::unstack(x, {.axis = 1}),
                                     {.sequenceLength = lengths});
  std::vector<Output> outputs = result.outputs;
  outputs.push_back(result.state.at(1));
  train(outputs);
  expectGraph("recurrent_static_lengths");
}

TEST_F(RecurrentPrograms, StepsInBothDirections) {
  Output x = floats({2, 3, 3}, "x");
  Output lengths = ops::placeholder(DType::Int32, {2}, {.name = "lengths"});
  std::vector<Output> rows = ops::unstack(x, {.axis = 1});
  GruCell gru(2), other(2);
  BasicRnnCell basic(3), another(2);
  StaticBidirectionalRnnResult result =
      staticBidirectionalRnn(gru, basic, rows);
  Output first = x[{sliceAll(), 0, sliceTo(2)}];
  StaticBidirectionalRnnResult ragged =
      staticBidirectionalRnn(another, other, rows,
                             {.initialStateForward = {first},
                              .sequenceLength = lengths,
                              .scope = "ragged"});
  std::vector<Output> outputs = result.outputs;
  outputs.push_back(result.stateForward.at(0));
  outputs.push_back(result.stateBackward.at(0));
  outputs.insert(outputs.end(), ragged.outputs.begin(), ragged.outputs.end());
  outputs.push_back(ragged.stateBackward.at(0));
  train(outputs);
  expectGraph("recurrent_static_both_ways");
}

TEST_F(RecurrentPrograms, Lengths) {
  Output x = floats({4, 2, 3}, "x");
  Output lengths = ops::placeholder(DType::Int64, {2}, {.name = "lengths"});
  GruCell cell(2);
  RnnResult result =
      dynamicRnn(cell, x, {.sequenceLength = lengths, .timeMajor = true});
  train({result.outputs, result.state[0]});
  expectGraph("recurrent_lengths");
}

TEST_F(RecurrentPrograms, OpenLengths) {
  Output x = floats({-1, -1, 3}, "x");
  Output lengths = ops::placeholder(DType::Int32, {-1}, {.name = "lengths"});
  Output c = floats({-1, 2}, "c"), h = floats({-1, 2}, "h");
  BasicLstmCell cell(2);
  RnnResult result = dynamicRnn(cell, x,
                                {.initialState = {c, h},
                                 .sequenceLength = lengths,
                                 .parallelIterations = 1,
                                 .swapMemory = true});
  train({result.outputs, result.state[1]});
  expectGraph("recurrent_open_lengths");
}

TEST_F(RecurrentPrograms, Dropped) {
  Output x = floats({-1, 3, 3}, "x");
  Output keep = floats({}, "keep");
  auto lower = std::make_shared<DropoutWrapper>(
      std::make_shared<BasicLstmCell>(2),
      DropoutWrapperOptions{.inputKeepProb = 0.75,
                            .outputKeepProb = keep,
                            .stateKeepProb = 0.5,
                            .seed = 7});
  auto upper = std::make_shared<DropoutWrapper>(
      std::make_shared<GruCell>(2),
      DropoutWrapperOptions{.outputKeepProb = 0.8});
  MultiRnnCell cell({lower, upper});
  train({dynamicRnn(cell, x, {.parallelIterations = 1}).outputs});
  expectGraph("recurrent_dropped");
}

TEST_F(RecurrentPrograms, DroppedTheSameInAllSteps) {
  Output x = floats({-1, 3, 3}, "x");
  DropoutWrapper cell(std::make_shared<BasicLstmCell>(2),
                      {.inputKeepProb = 0.75,
                       .outputKeepProb = floats({}, "keep"),
                       .stateKeepProb = 0.5,
                       .seed = 7,
                       .variationalRecurrent = true,
                       .inputSize = 3,
                       .dtype = DType::Float32});
  train({dynamicRnn(cell, x).outputs});
  expectGraph("recurrent_variational");
}

TEST_F(RecurrentPrograms, Static) {
  Output x = floats({2, 3, 3}, "x");
  LstmCell cell(2);
  train(staticRnn(cell, ops::unstack(x, {.axis = 1})).outputs);
  expectGraph("recurrent_static");
}

TEST_F(RecurrentPrograms, BothWays) {
  Output x = floats({-1, 4, 3}, "x");
  Output lengths = ops::placeholder(DType::Int32, {-1}, {.name = "lengths"});
  GruCell forward(2);
  BasicRnnCell backward(3);
  auto result = bidirectionalDynamicRnn(forward, backward, x,
                                        {.sequenceLength = lengths});
  train({result.forward.outputs, result.backward.outputs});
  expectGraph("recurrent_both_ways");
}

TEST_F(RecurrentPrograms, Raw) {
  Output x = floats({2, 3}, "x");
  Output lengths = ops::placeholder(DType::Int32, {2}, {.name = "lengths"});
  BasicRnnCell cell(3);
  RawRnnResult result =
      rawRnn(cell,
             [&](const Output &time, const RnnCell::Step *given,
                 const Outputs &sums) -> RawRnnStep {
               Output finished = time >= lengths;
               if (!given)
                 return {.finished = finished,
                         .input = x,
                         .state = cell.zeroState(2, DType::Float32),
                         .loopState = ops::constant(0.0, {.name = "sum"})};
               Output input = given->output * 2.0;
               return {.finished = finished,
                       .input = input,
                       .state = given->state,
                       .emit = given->output,
                       .loopState = sums[0] + ops::reduceSum(given->output)};
             });
  train({result.emit[0].stack(), result.state[0], result.loopState[0]});
  expectGraph("recurrent_raw");
}

TEST_F(RecurrentPrograms, StepsOfMemoriesInOneTensor) {
  Output x = floats({-1, 3}, "x"), state = floats({-1, 4}, "state");
  RnnCell::Step basic, full;
  {
    VariableScope scope("basic_lstm_cell");
    Variable kernel = getVariable("kernel", {.shape = {5, 8}});
    Variable bias =
        getVariable("bias", {.shape = {8}, .initializer = zerosInitializer()});
    basic = basicLstmStep(x, state, kernel, bias);
  }
  {
    VariableScope scope("lstm_cell");
    auto vector = [](const char *name) {
      return getVariable(name, {.shape = {2}});
    };
    LstmWeights weights{
        .kernel = getVariable("kernel", {.shape = {5, 8}}),
        .bias = getVariable("bias",
                            {.shape = {8}, .initializer = zerosInitializer()}),
        .forgetPeephole = vector("w_f_diag"),
        .inputPeephole = vector("w_i_diag"),
        .outputPeephole = vector("w_o_diag"),
        .projection = getVariable("projection/kernel", {.shape = {2, 2}})};
    full = lstmStep(x, basic.state, 2, weights, {.numProj = 2});
  }
  train({basic.output, basic.state, full.output, full.state});
  expectGraph("recurrent_joined");
}

TEST_F(RecurrentPrograms, CellsOfFunctions) {
  FunctionCell cell(
      [](const Outputs &inputs, const Outputs &state) -> RnnCell::Step {
        Output sum = state[0] + inputs[0];
        return {.output = sum, .state = sum, .moreOutputs = inputs[0]};
      },
      {{3}, {3}}, {{3}});
  Output x = floats({2, 4, 3}, "x");
  RnnResult result = dynamicRnn(cell, x);
  EXPECT_EQ(result.outputs.shape(), (Shape{2, 4, 3}));
  EXPECT_EQ(result.moreOutputs.at(0).shape(), (Shape{2, 4, 3}));
  EXPECT_EQ(result.state.at(0).shape(), (Shape{2, 3}));
  EXPECT_EQ(GraphBuilder::current().status(), okStatus());
}

TEST_F(RecurrentPrograms, CellsMustGiveWhatTheySay) {
  FunctionCell cell(
      [](const Outputs &inputs, const Outputs &state) -> RnnCell::Step {
        return {.output = inputs[0], .state = state};
      },
      {{3}, {3}}, {{3}});
  dynamicRnn(cell, floats({2, 4, 3}, "x"));
  EXPECT_THAT(GraphBuilder::current().status(),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("expected of a cell 2 outputs and a state of 1 "
                              "tensors, got 1 and 1")));
}

TEST_F(RecurrentPrograms, SeveralInputsAndOutputsOfAnyShape) {
  Output x = floats({-1, 3, 3}, "x"), y = floats({2, 3, 2, 2}, "y");
  Output lengths = ops::placeholder(DType::Int32, {2}, {.name = "lengths"});
  Outputs first{ops::zeros({2, 2}, {.name = "h"}),
                ops::ones({2, 2, 2}, {.name = "m"}),
                ops::constant(0.0, {.name = "n"})};
  Output xs = rawOps::placeholderWithDefault(x, {2, 3, 3}, {.name = "xs"});
  Output ys = ops::identity(y, {.name = "ys"});
  Pair looped, unrolled, raw;
  RnnResult dynamic = dynamicRnn(
      looped, {xs, ys}, {.initialState = first, .sequenceLength = lengths});
  std::vector<Output> outputs{dynamic.outputs, dynamic.moreOutputs.at(0)};
  outputs.insert(outputs.end(), dynamic.state.begin(), dynamic.state.end());
  GruCell forward(2), backward(2);
  auto ways = bidirectionalDynamicRnn(forward, backward, x, {.scope = "ways"});
  outputs.push_back(ways.forward.outputs);
  outputs.push_back(ways.backward.outputs);

  std::vector<Output> xRows = ops::unstack(xs, {.axis = 1});
  std::vector<Output> yRows = ops::unstack(ys, {.axis = 1});
  std::vector<Outputs> rows;
  for (size_t i = 0; i < 3; ++i)
    rows.push_back({xRows.at(i), yRows.at(i)});
  StaticRnnResult listed = staticRnn(
      unrolled, rows,
      {.initialState = first, .sequenceLength = lengths, .scope = "listed"});
  for (size_t i : {0, 2}) {
    outputs.push_back(listed.outputs.at(i));
    outputs.push_back(listed.moreOutputs.at(i).at(0));
  }
  outputs.insert(outputs.end(), listed.state.begin(), listed.state.end());

  RawRnnResult last =
      rawRnn(raw,
             [&](const Output &time, const RnnCell::Step *given,
                 const Outputs &) -> RawRnnStep {
               Output finished = time >= lengths;
               if (!given)
                 return {finished,
                         rows[0],
                         first,
                         {ops::zeros({2, 2}), ops::zeros(Shape{})}};
               Output sum = ops::reduceSumOver(given->output, 1);
               return {finished,
                       {rows[1][0], given->moreOutputs[0]},
                       given->state,
                       {given->moreOutputs[0], sum}};
             },
             {.scope = "raw"});
  for (const TensorArray &array : last.emit)
    outputs.push_back(array.stack());
  outputs.insert(outputs.end(), last.state.begin(), last.state.end());
  train(outputs);
  EXPECT_EQ(dynamic.outputs.shape(), (Shape{2, 3, 2}));
  EXPECT_EQ(dynamic.moreOutputs[0].shape(), (Shape{2, 3, 2, 2}));
  EXPECT_EQ(listed.state[1].shape(), (Shape{2, 2, 2}));
  expectGraph("recurrent_several");
}

} // namespace
} // namespace kiln
