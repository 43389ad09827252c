// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of recurrent networks: their variables, and what they compute.
#include "kiln/RnnCells.h"

#include "kiln/BuildOps.h"
#include "kiln/Operators.h"
#include "lib/Support/Strings.h"
#include "lib/Train/Helpers.h"

namespace kiln {
namespace {

Weight weights(const char *name, Shape shape, DType dtype,
               const std::optional<Initializer> &initializer = {}) {
  return getWeight(
      name, {.shape = shape, .dtype = dtype, .initializer = initializer});
}
Weight biases(const char *name, int64_t count, DType dtype,
              const Initializer &initializer) {
  return getWeight(
      name, {.shape = {count}, .dtype = dtype, .initializer = initializer});
}

Output linear(const Output &x, const Output &y, const Input &kernel,
              const Input &bias) {
  return ops::biasAdd(ops::matMul(ops::concat(InputList{x, y}, 1), kernel),
                      bias);
}

Output activated(const CellActivation &activation, const Output &x) {
  return activation ? activation(x) : ops::tanh(x);
}

/// What a step may take for its state; null and an error otherwise.
bool hasState(const Outputs &state, size_t least, size_t most) {
  if (state.size() >= least && state.size() <= most)
    return true;
  GraphBuilder::current().fail(invalidArgumentError(
      strCat("expected a state of ", most, " tensors, got ", state.size())));
  return false;
}

/// c and h after a step, beside one another where they were so before.
Outputs memoryLike(const Outputs &before, const Output &c, const Output &h) {
  if (before.size() == 1)
    return ops::concat(InputList{c, h}, 1);
  return {c, h};
}

} // namespace

void BasicRnnCell::build(int64_t inputSize, DType dtype) {
  if (kernel.isValid())
    return;
  kernel = weights("kernel", {inputSize + units, units}, dtype);
  bias = biases("bias", units, dtype, zerosInitializer());
}

RnnCell::Step BasicRnnCell::step(const Output &input, const Outputs &state) {
  return basicRnnStep(input, state, kernel, bias, options);
}

RnnCell::Step basicRnnStep(const Output &input, const Outputs &state,
                           const Input &kernel, const Input &bias,
                           const BasicRnnCellOptions &options) {
  if (!hasState(state, 1, 1))
    return {};
  Output h =
      activated(options.activation, linear(input, state[0], kernel, bias));
  return {h, h};
}

void BasicLstmCell::build(int64_t inputSize, DType dtype) {
  if (kernel.isValid())
    return;
  kernel = weights("kernel", {inputSize + units, 4 * units}, dtype);
  bias = biases("bias", 4 * units, dtype, zerosInitializer());
}

RnnCell::Step BasicLstmCell::step(const Output &input, const Outputs &state) {
  return basicLstmStep(input, state, kernel, bias, options);
}

RnnCell::Step basicLstmStep(const Output &input, const Outputs &state,
                            const Input &kernel, const Input &bias,
                            const BasicLstmCellOptions &options) {
  if (!hasState(state, 1, 2))
    return {};
  Output axis = ops::constant(1);
  Outputs before = state.size() == 2
                       ? state
                       : Outputs(ops::split(state[0], 2, {.axis = axis}));
  if (before.size() != 2)
    return {};
  auto gates =
      ops::split(linear(input, before[1], kernel, bias), 4, {.axis = axis});
  if (gates.size() != 4)
    return {};
  Output added = ops::constant(options.forgetBias, {.dtype = gates[2].dtype()});
  Output forget = ops::sigmoid(ops::add(gates[2], added));
  Output kept = ops::multiply(before[0], forget);
  Output admit = ops::sigmoid(gates[0]);
  Output admitted =
      ops::multiply(admit, activated(options.activation, gates[1]));
  Output c = ops::add(kept, admitted);
  Output shown = activated(options.activation, c);
  Output h = ops::multiply(shown, ops::sigmoid(gates[3]));
  return {h, memoryLike(state, c, h)};
}

void LstmCell::build(int64_t inputSize, DType dtype) {
  if (kernel.isValid())
    return;
  auto make = [&](const char *name, Shape shape) {
    return getWeight(name, {.shape = std::move(shape),
                            .dtype = dtype,
                            .initializer = options.initializer});
  };
  kernel = make("kernel", {inputSize + outputSize(), 4 * units});
  bias = biases("bias", 4 * units, dtype, zerosInitializer());
  if (options.usePeepholes) {
    forgetPeephole = make("w_f_diag", {units});
    inputPeephole = make("w_i_diag", {units});
    outputPeephole = make("w_o_diag", {units});
  }
  if (options.numProj)
    projection = make("projection/kernel", {units, *options.numProj});
}

RnnCell::Step LstmCell::step(const Output &input, const Outputs &state) {
  auto given = [](const Weight &weight) {
    return weight.isValid() ? std::optional(weight.input()) : std::nullopt;
  };
  return lstmStep(input, state, units,
                  {.kernel = kernel,
                   .bias = bias,
                   .forgetPeephole = given(forgetPeephole),
                   .inputPeephole = given(inputPeephole),
                   .outputPeephole = given(outputPeephole),
                   .projection = given(projection)},
                  options);
}

RnnCell::Step lstmStep(const Output &input, const Outputs &state, int64_t units,
                       const LstmWeights &weights,
                       const LstmCellOptions &options) {
  if (!hasState(state, 1, 2))
    return {};
  auto clipped = [](const Output &x, const std::optional<double> &limit) {
    return limit ? ops::clipByValue(x, -*limit, *limit) : x;
  };
  auto weighted = [](const Input &peephole, const Output &c) {
    return binary("mul", peephole, c);
  };
  Outputs previous = state;
  if (state.size() == 1)
    previous = {ops::slice(state[0], {0, 0}, {int64_t{-1}, units}),
                ops::slice(state[0], {int64_t{0}, units},
                           {int64_t{-1}, options.numProj.value_or(units)})};
  const Output &before = previous[0];
  auto gates = ops::split(
      linear(input, previous[1], weights.kernel, weights.bias), 4, {.axis = 1});
  if (gates.size() != 4)
    return {};
  Output forget = gates[2] + options.forgetBias;
  if (weights.forgetPeephole)
    forget = forget + weighted(*weights.forgetPeephole, before);
  Output kept = ops::sigmoid(forget) * before;
  Output admit = gates[0];
  if (weights.inputPeephole)
    admit = admit + weighted(*weights.inputPeephole, before);
  Output admitted = ops::sigmoid(admit);
  Output memory = kept + admitted * activated(options.activation, gates[1]);
  memory = clipped(memory, options.cellClip);
  Output show = gates[3];
  if (weights.outputPeephole)
    show = show + weighted(*weights.outputPeephole, memory);
  Output shown = ops::sigmoid(show);
  Output h = shown * activated(options.activation, memory);
  if (weights.projection)
    h = clipped(ops::matMul(h, *weights.projection), options.projClip);
  return {h, memoryLike(state, memory, h)};
}

void GruCell::build(int64_t inputSize, DType dtype) {
  if (kernel.isValid())
    return;
  gateKernel = weights("gates/kernel", {inputSize + units, 2 * units}, dtype,
                       options.kernelInitializer);
  gateBias = biases("gates/bias", 2 * units, dtype,
                    options.biasInitializer.value_or(constantInitializer(1.0)));
  kernel = weights("candidate/kernel", {inputSize + units, units}, dtype,
                   options.kernelInitializer);
  bias = biases("candidate/bias", units, dtype,
                options.biasInitializer.value_or(zerosInitializer()));
}

RnnCell::Step GruCell::step(const Output &input, const Outputs &state) {
  return gruStep(input, state, {gateKernel, gateBias, kernel, bias}, options);
}

RnnCell::Step gruStep(const Output &input, const Outputs &state,
                      const GruWeights &weights,
                      const GruCellOptions &options) {
  if (!hasState(state, 1, 1))
    return {};
  const Output &h = state[0];
  auto gates = ops::split(
      ops::sigmoid(linear(input, h, weights.gateKernel, weights.gateBias)), 2,
      {.axis = 1});
  if (gates.size() != 2)
    return {};
  Output candidate =
      activated(options.activation,
                linear(input, gates[0] * h, weights.kernel, weights.bias));
  Output kept = gates[1] * h;
  Output taken = 1.0 - gates[1];
  Output next = kept + taken * candidate;
  return {next, next};
}

std::vector<Shape> MultiRnnCell::stateShapes() const {
  std::vector<Shape> shapes;
  for (const auto &cell : cells)
    for (const Shape &shape : cell->stateShapes())
      shapes.push_back(shape);
  return shapes;
}

std::vector<bool> MultiRnnCell::dropsState() const {
  std::vector<bool> drops;
  for (const auto &cell : cells)
    for (bool each : cell->dropsState())
      drops.push_back(each);
  return drops;
}

Outputs MultiRnnCell::zeros(const Input &batch, DType dtype) const {
  Outputs all;
  for (const auto &cell : cells)
    for (const Output &each : cell->zeroState(batch, dtype))
      all.push_back(each);
  return all;
}

RnnCell::Step MultiRnnCell::call(const Outputs &inputs, const Outputs &state) {
  if (!hasState(state, stateShapes().size(), stateShapes().size()))
    return {};
  if (!callers)
    callers = currentVariableScope();
  VariableScope outer(*callers);
  if (!scope)
    scope =
        VariableScope(std::nullopt, {.defaultName = "multi_rnn_cell"}).handle();
  VariableScope variables(*scope, {.auxiliaryNameScope = false});
  NameScope names(scope->originalNameScope());
  Outputs below = inputs;
  Step result;
  auto at = state.begin();
  for (size_t i = 0; i < cells.size(); ++i) {
    VariableScope own(strCat("cell_", i));
    auto end = at + static_cast<ptrdiff_t>(cells[i]->stateShapes().size());
    Step step = (*cells[i])(below, std::vector<Output>(at, end));
    at = end;
    below = step.outputs();
    result.output = step.output;
    result.moreOutputs = step.moreOutputs;
    result.state.insert(result.state.end(), step.state.begin(),
                        step.state.end());
  }
  return result;
}

} // namespace kiln
