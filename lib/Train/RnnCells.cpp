// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of recurrent networks.
#include "kiln/RnnWrappers.h"

#include "kiln/BuildOps.h"
#include "kiln/Operators.h"
#include "lib/Support/Md5.h"
#include "lib/Support/Strings.h"
#include "lib/Train/Helpers.h"
#include "lib/Train/RnnShapes.h"

namespace kiln {
namespace {

Variable weights(const char *name, Shape shape, DType dtype,
                 const std::optional<Initializer> &initializer = {}) {
  return getVariable(
      name, {.shape = shape, .dtype = dtype, .initializer = initializer});
}
Variable biases(const char *name, int64_t count, DType dtype,
                const Initializer &initializer) {
  return getVariable(
      name, {.shape = {count}, .dtype = dtype, .initializer = initializer});
}

Output linear(const Output &x, const Output &y, const Variable &kernel,
              const Variable &bias) {
  return ops::biasAdd(ops::matMul(ops::concat(InputList{x, y}, 1), kernel),
                      bias);
}

Output activated(const CellActivation &activation, const Output &x) {
  return activation ? activation(x) : ops::tanh(x);
}

/// Extents that are known as a constant, a scalar as a vector of one.
Output asVector(const Input &extents) {
  const Output *tensor = extents.output();
  if (!tensor)
    return ops::constant(std::holds_alternative<int64_t>(extents.value())
                             ? Input{extents}
                             : extents,
                         {.dtype = DType::Int32});
  return tensor->shape().rank() == 0 ? ops::expandDims(*tensor, 0) : *tensor;
}

} // namespace

Input batchOf(const Output &tensor, int axis) {
  int64_t known = tensor.shape().rank() > axis ? tensor.shape().dim(axis) : -1;
  if (known >= 0)
    return known;
  return ops::shape(tensor)[axis];
}

Output extentsOf(const Input &batch, const Input &size) {
  Output first = asVector(batch), second = asVector(size);
  return ops::concat({first, second}, 0);
}

void addUnusedExtents(const Input &batch, int64_t size) {
  asVector(batch);
  asVector(size);
}

Output zerosOf(const Input &batch, const Input &size, DType dtype) {
  return ops::zeros(extentsOf(batch, size), {.dtype = dtype});
}

Output unlessOver(const Output &isOver, const Output &old, const Output &next) {
  if (old.shape().rank() == 0)
    return next;
  ColocationScope place(next);
  return ops::where(isOver, old, next);
}

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
  return call(input, state);
}

std::vector<Output> RnnCell::zeroState(const Input &batch, DType dtype) const {
  GraphScope graph(batch.output() ? GraphBuilder::of(*batch.output())
                                  : GraphBuilder::current());
  NameScope names(kind() + "ZeroState");
  return zeros(batch, dtype);
}

std::vector<Output> RnnCell::zeros(const Input &batch, DType dtype) const {
  std::vector<Output> all;
  for (int64_t size : stateSizes()) {
    all.push_back(zerosOf(batch, size, dtype));
    addUnusedExtents(batch, size);
  }
  return all;
}

RnnCell::Step LayerRnnCell::call(const Output &input,
                                 const std::vector<Output> &state) {
  if (!scope)
    scope = reuse == Reuse(false)
                ? VariableScope(std::nullopt, {.defaultName = name}).handle()
                : VariableScope(name).handle();
  VariableScope variables(*scope,
                          {.reuse = reuse, .auxiliaryNameScope = false});
  NameScope names(scope->originalNameScope());
  build(input.shape().dim(1), input.dtype());
  return step(input, state);
}

void BasicRnnCell::build(int64_t inputSize, DType dtype) {
  if (kernel)
    return;
  kernel = weights("kernel", {inputSize + units, units}, dtype);
  bias = biases("bias", units, dtype, zerosInitializer());
}

RnnCell::Step BasicRnnCell::step(const Output &input,
                                 const std::vector<Output> &state) {
  Output h = activated(activation, linear(input, state[0], *kernel, *bias));
  return {h, {h}};
}

void BasicLstmCell::build(int64_t inputSize, DType dtype) {
  if (kernel)
    return;
  kernel = weights("kernel", {inputSize + units, 4 * units}, dtype);
  bias = biases("bias", 4 * units, dtype, zerosInitializer());
}

RnnCell::Step BasicLstmCell::step(const Output &input,
                                  const std::vector<Output> &state) {
  Output axis = ops::constant(1);
  auto gates =
      ops::split(linear(input, state[1], *kernel, *bias), 4, {.axis = axis});
  if (gates.size() != 4)
    return {};
  Output added = ops::constant(options.forgetBias, {.dtype = input.dtype()});
  Output forget = ops::sigmoid(ops::add(gates[2], added));
  Output kept = ops::multiply(state[0], forget);
  Output admit = ops::sigmoid(gates[0]);
  Output admitted =
      ops::multiply(admit, activated(options.activation, gates[1]));
  Output c = ops::add(kept, admitted);
  Output shown = activated(options.activation, c);
  Output h = ops::multiply(shown, ops::sigmoid(gates[3]));
  return {h, {c, h}};
}

void LstmCell::build(int64_t inputSize, DType dtype) {
  if (kernel)
    return;
  auto make = [&](const char *name, Shape shape) {
    return getVariable(name, {.shape = std::move(shape),
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

RnnCell::Step LstmCell::step(const Output &input,
                             const std::vector<Output> &state) {
  const Output &before = state[0];
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
  Output admitted = ops::sigmoid(admit);
  Output memory = kept + admitted * activated(options.activation, gates[1]);
  memory = clipped(memory, options.cellClip);
  Output show = gates[3];
  if (outputPeephole)
    show = show + *outputPeephole * memory;
  Output shown = ops::sigmoid(show);
  Output h = shown * activated(options.activation, memory);
  if (projection)
    h = clipped(ops::matMul(h, *projection), options.projClip);
  return {h, {memory, h}};
}

void GruCell::build(int64_t inputSize, DType dtype) {
  if (kernel)
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

RnnCell::Step GruCell::step(const Output &input,
                            const std::vector<Output> &state) {
  const Output &h = state[0];
  auto gates = ops::split(
      ops::sigmoid(linear(input, h, *gateKernel, *gateBias)), 2, {.axis = 1});
  if (gates.size() != 2)
    return {};
  Output candidate = activated(options.activation,
                               linear(input, gates[0] * h, *kernel, *bias));
  Output kept = gates[1] * h;
  Output taken = 1.0 - gates[1];
  Output next = kept + taken * candidate;
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

std::vector<Output> MultiRnnCell::zeros(const Input &batch, DType dtype) const {
  std::vector<Output> all;
  for (const auto &cell : cells)
    for (const Output &each : cell->zeroState(batch, dtype))
      all.push_back(each);
  return all;
}

RnnCell::Step MultiRnnCell::call(const Output &input,
                                 const std::vector<Output> &state) {
  if (!callers)
    callers = currentVariableScope();
  VariableScope outer(*callers);
  if (!scope)
    scope =
        VariableScope(std::nullopt, {.defaultName = "multi_rnn_cell"}).handle();
  VariableScope variables(*scope, {.auxiliaryNameScope = false});
  NameScope names(scope->originalNameScope());
  Step result{input, {}};
  size_t at = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    VariableScope own(strCat("cell_", i));
    size_t count = cells[i]->stateSizes().size();
    auto first = state.begin() + static_cast<ptrdiff_t>(at);
    at += count;
    Step step = (*cells[i])(
        result.output,
        std::vector<Output>(first, first + static_cast<ptrdiff_t>(count)));
    result.output = step.output;
    result.state.insert(result.state.end(), step.state.begin(),
                        step.state.end());
  }
  return result;
}

std::vector<Output> ResidualWrapper::zeros(const Input &batch,
                                           DType dtype) const {
  return cell->zeroState(batch, dtype);
}

RnnCell::Step ResidualWrapper::call(const Output &input,
                                    const std::vector<Output> &state) {
  Step result = (*cell)(input, state);
  if (result.output.node)
    result.output =
        function ? function(input, result.output) : input + result.output;
  return result;
}

namespace {

bool mayDrop(const Input &probability) {
  std::optional<double> number = numberOf(probability);
  return !number || *number < 1;
}

} // namespace

DropoutWrapper::DropoutWrapper(std::shared_ptr<RnnCell> wrapped,
                               DropoutWrapperOptions given)
    : cell(std::move(wrapped)), options(std::move(given)) {
  GraphBuilder graph = GraphBuilder::current();
  auto refuse = [&](std::string text) {
    graph.fail(invalidArgumentError(std::move(text)));
  };
  {
    NameScope names(graph, "DropoutWrapperInit");
    for (auto [probability, what] :
         {std::pair(&options.inputKeepProb, "input_keep_prob"),
          std::pair(&options.stateKeepProb, "state_keep_prob"),
          std::pair(&options.outputKeepProb, "output_keep_prob")}) {
      std::optional<double> number = numberOf(*probability);
      if (number && !(*number >= 0 && *number <= 1)) {
        refuse(strCat("Parameter ", what, " must be between 0 and 1: ",
                      static_cast<int64_t>(*number)));
        return;
      }
      // As Python's constructor does, though nothing takes it.
      if (number)
        ops::constant(*probability);
    }
  }
  if (!options.variationalRecurrent)
    return;
  if (options.dtype == DType::Invalid) {
    refuse("When variational_recurrent=True, dtype must be provided");
    return;
  }
  auto noise = [&](int64_t size, const std::string &salt) {
    Output extents = ops::concat({Input{1}, Input{size}}, 0);
    return ops::randomUniform(extents,
                              {.dtype = options.dtype, .seed = seedFor(salt)});
  };
  if (mayDrop(options.inputKeepProb)) {
    if (options.inputSize < 0) {
      refuse("When variational_recurrent=True and input_keep_prob < 1.0 or is "
             "unknown, input_size must be provided");
      return;
    }
    inputNoise = noise(options.inputSize, "input_0");
  }
  std::vector<int64_t> sizes = cell->stateSizes();
  for (size_t i = 0; i < sizes.size(); ++i)
    stateNoise.push_back(noise(sizes[i], strCat("state_", i)));
  outputNoise = noise(cell->outputSize(), "output_0");
}

std::optional<int64_t> DropoutWrapper::seedFor(const std::string &salt) const {
  if (!options.seed)
    return {};
  return seedOf(strCat(*options.seed, salt));
}

std::vector<Output> DropoutWrapper::zeros(const Input &batch,
                                          DType dtype) const {
  return cell->zeroState(batch, dtype);
}

Output DropoutWrapper::keep(const Output &x, const Input &probability,
                            const std::string &salt,
                            const Output &noise) const {
  if (!x.node || !mayDrop(probability))
    return x;
  if (options.variationalRecurrent) {
    Output kept = ops::floor(binary("add", probability, noise));
    Output scaled = binary("truediv", x, probability);
    return scaled * kept;
  }
  std::optional<double> number = numberOf(probability);
  return ops::dropout(x,
                      number ? Input(1.0 - static_cast<float>(*number))
                             : Input(binary("sub", 1.0, probability)),
                      {.seed = seedFor(salt)});
}

RnnCell::Step DropoutWrapper::call(const Output &input,
                                   const std::vector<Output> &state) {
  Output kept = keep(input, options.inputKeepProb, "input_0", inputNoise);
  Step result = (*cell)(kept, state);
  std::vector<bool> drops = dropsState();
  for (size_t i = 0; i < result.state.size(); ++i)
    if (drops[i])
      result.state[i] =
          keep(result.state[i], options.stateKeepProb, strCat("state_", i),
               stateNoise.empty() ? Output() : stateNoise[i]);
  result.output =
      keep(result.output, options.outputKeepProb, "output_0", outputNoise);
  return result;
}

} // namespace kiln
