// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of recurrent networks.
#include "kiln/RnnCells.h"
#include "kiln/BuildOps.h"
#include "kiln/Operators.h"
#include "lib/Support/Strings.h"
#include "lib/Train/Helpers.h"

namespace kiln {
namespace {

Variable weights(const char *name, Shape shape, DType dtype) {
  return getVariable(name, {.shape = shape, .dtype = dtype});
}
Variable biases(int64_t count, DType dtype, const Initializer &initializer) {
  return getVariable(
      "bias", {.shape = {count}, .dtype = dtype, .initializer = initializer});
}

Output linear(const Output &x, const Output &y, const Variable &kernel,
              const Variable &bias) {
  return ops::biasAdd(ops::matMul(ops::concat(InputList{x, y}, 1), kernel),
                      bias);
}

} // namespace

RnnCell::Step RnnCell::operator()(const Output &input,
                                  const std::vector<Output> &state) {
  if (!input.node)
    return {};
  if (input.shape().rank() != 2 || input.shape().dim(1) < 0) {
    GraphBuilder::of(input).fail(invalidArgumentError(
        strCat("Expected inputs.shape[-1] to be known, saw shape: ",
               input.shape().toTupleString())));
    return {};
  }
  if (state.size() != stateSizes().size()) {
    GraphBuilder::of(input).fail(
        invalidArgumentError(strCat("expected a state of ", stateSizes().size(),
                                    " tensors, got ", state.size())));
    return {};
  }
  GraphScope graph(GraphBuilder::of(input));
  build(input.shape().dim(1), input.dtype());
  return step(input, state);
}

std::vector<Output> RnnCell::zeroState(const Output &batch, DType dtype) const {
  GraphScope graph(GraphBuilder::of(batch));
  std::vector<Output> zeros;
  for (int64_t size : stateSizes())
    zeros.push_back(ops::zeros(ops::stack({batch, static_cast<int32_t>(size)}),
                               {.dtype = dtype}));
  return zeros;
}

void BasicRnnCell::build(int64_t inputSize, DType dtype) {
  if (kernel)
    return;
  VariableScope scope(name);
  kernel = weights("kernel", {inputSize + units, units}, dtype);
  bias = biases(units, dtype, zerosInitializer());
}

RnnCell::Step BasicRnnCell::step(const Output &input,
                                 const std::vector<Output> &state) {
  NameScope names(name);
  Output h = ops::tanh(linear(input, state[0], *kernel, *bias));
  return {h, {h}};
}

void BasicLstmCell::build(int64_t inputSize, DType dtype) {
  if (kernel)
    return;
  VariableScope scope(name);
  kernel = weights("kernel", {inputSize + units, 4 * units}, dtype);
  bias = biases(4 * units, dtype, zerosInitializer());
}

RnnCell::Step BasicLstmCell::step(const Output &input,
                                  const std::vector<Output> &state) {
  NameScope names(name);
  auto gates =
      ops::split(linear(input, state[1], *kernel, *bias), 4, {.axis = 1});
  if (gates.size() != 4)
    return {};
  Output c = state[0] * ops::sigmoid(gates[2] + forgetBias) +
             ops::sigmoid(gates[0]) * ops::tanh(gates[1]);
  Output h = ops::tanh(c) * ops::sigmoid(gates[3]);
  return {h, {c, h}};
}

void LstmCell::build(int64_t inputSize, DType dtype) {
  if (kernel)
    return;
  VariableScope scope(options.name);
  auto make = [&](const char *name, Shape shape) {
    return getVariable(name, {.shape = std::move(shape),
                              .dtype = dtype,
                              .initializer = options.initializer});
  };
  kernel = make("kernel", {inputSize + outputSize(), 4 * units});
  bias = biases(4 * units, dtype, zerosInitializer());
  if (options.usePeepholes) {
    forgetPeephole = make("w_f_diag", {units});
    inputPeephole = make("w_i_diag", {units});
    outputPeephole = make("w_o_diag", {units});
  }
  if (options.numProj)
    projection = make("projection/kernel", {units, *options.numProj});
}

RnnCell::Step LstmCell::step(const Output &input,
                             const std::vector<Output> &state) {
  NameScope names(options.name);
  const Output &before = state[0];
  auto activated = [&](const Output &x) {
    return options.activation ? options.activation(x) : ops::tanh(x);
  };
  auto clipped = [](const Output &x, const std::optional<double> &limit) {
    return limit ? ops::clipByValue(x, -*limit, *limit) : x;
  };
  auto gates =
      ops::split(linear(input, state[1], *kernel, *bias), 4, {.axis = 1});
  if (gates.size() != 4)
    return {};
  Output forget = gates[2] + options.forgetBias;
  if (forgetPeephole)
    forget = forget + *forgetPeephole * before;
  Output kept = ops::sigmoid(forget) * before;
  Output admit = gates[0];
  if (inputPeephole)
    admit = admit + *inputPeephole * before;
  Output memory = kept + ops::sigmoid(admit) * activated(gates[1]);
  memory = clipped(memory, options.cellClip);
  Output show = gates[3];
  if (outputPeephole)
    show = show + *outputPeephole * memory;
  Output h = ops::sigmoid(show) * activated(memory);
  if (projection)
    h = clipped(ops::matMul(h, *projection), options.projClip);
  return {h, {memory, h}};
}

void GruCell::build(int64_t inputSize, DType dtype) {
  if (kernel)
    return;
  VariableScope scope(name);
  {
    VariableScope gates("gates");
    gateKernel = weights("kernel", {inputSize + units, 2 * units}, dtype);
    gateBias = biases(2 * units, dtype, onesInitializer());
  }
  VariableScope candidate("candidate");
  kernel = weights("kernel", {inputSize + units, units}, dtype);
  bias = biases(units, dtype, zerosInitializer());
}

RnnCell::Step GruCell::step(const Output &input,
                            const std::vector<Output> &state) {
  NameScope names(name);
  const Output &h = state[0];
  auto gates = ops::split(
      ops::sigmoid(linear(input, h, *gateKernel, *gateBias)), 2, {.axis = 1});
  if (gates.size() != 2)
    return {};
  Output candidate = ops::tanh(linear(input, gates[0] * h, *kernel, *bias));
  Output next = gates[1] * h + (1.0 - gates[1]) * candidate;
  return {next, {next}};
}

std::vector<int64_t> MultiRnnCell::stateSizes() const {
  std::vector<int64_t> sizes;
  for (const auto &cell : cells)
    for (int64_t size : cell->stateSizes())
      sizes.push_back(size);
  return sizes;
}

std::vector<bool> MultiRnnCell::dropsState() const {
  std::vector<bool> drops;
  for (const auto &cell : cells)
    for (bool each : cell->dropsState())
      drops.push_back(each);
  return drops;
}

void MultiRnnCell::build(int64_t inputSize, DType dtype) {
  VariableScope scope("multi_rnn_cell", {.auxiliaryNameScope = false});
  for (size_t i = 0; i < cells.size(); ++i) {
    VariableScope own(strCat("cell_", i), {.auxiliaryNameScope = false});
    cells[i]->build(inputSize, dtype);
    inputSize = cells[i]->outputSize();
  }
}

RnnCell::Step MultiRnnCell::step(const Output &input,
                                 const std::vector<Output> &state) {
  NameScope names("multi_rnn_cell");
  Step result{input, {}};
  size_t at = 0;
  for (const auto &cell : cells) {
    size_t count = cell->stateSizes().size();
    std::vector<Output> own(state.begin() + static_cast<ptrdiff_t>(at),
                            state.begin() + static_cast<ptrdiff_t>(at + count));
    at += count;
    Step step = (*cell)(result.output, own);
    result.output = step.output;
    result.state.insert(result.state.end(), step.state.begin(),
                        step.state.end());
  }
  return result;
}

namespace {

/// The elements that are kept, scaled; all of them where that is certain.
Output keep(const Output &x, const Input &probability, std::string_view what) {
  std::optional<double> number = numberOf(probability);
  if (!x.node || (number && *number == 1))
    return x;
  if (number && !(*number >= 0 && *number < 1)) {
    GraphBuilder::current().fail(invalidArgumentError(
        strCat("Parameter ", what, " must be between 0 and 1: ", *number)));
    return {};
  }
  if (number)
    return ops::dropout(x, 1.0 - *number);
  return ops::dropout(x, binary("sub", 1.0, probability));
}

} // namespace

RnnCell::Step DropoutWrapper::step(const Output &input,
                                   const std::vector<Output> &state) {
  Output kept = keep(input, options.inputKeepProb, "input_keep_prob");
  Step result = (*cell)(kept, state);
  std::vector<bool> drops = dropsState();
  for (size_t i = 0; i < result.state.size(); ++i)
    if (drops[i])
      result.state[i] =
          keep(result.state[i], options.stateKeepProb, "state_keep_prob");
  result.output =
      keep(result.output, options.outputKeepProb, "output_keep_prob");
  return result;
}

} // namespace kiln
