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

} // namespace
} // namespace kiln
