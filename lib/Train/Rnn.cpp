// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs cells of recurrent networks over sequences.
#include "kiln/Rnn.h"

#include "kiln/BuildOps.h"
#include "kiln/Operators.h"
#include "kiln/TensorArray.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

/// The first two axes change places.
Output swapTimeAndBatch(const Output &tensor) {
  return ops::transpose(tensor, {1, 0, 2});
}

bool isBroken(const RnnCell::Step &step, size_t states) {
  return !step.output.node || step.state.size() != states;
}

} // namespace

RnnResult dynamicRnn(RnnCell &cell, const Input &inputs,
                     const RnnOptions &options) {
  GraphScope graph(inputs.output() ? GraphBuilder::of(*inputs.output())
                                   : GraphBuilder::current());
  VariableScope scope(options.scope);
  Output x = GraphBuilder::current().convert(inputs, {.name = "inputs"});
  if (!x.node)
    return {};
  if (x.shape().rank() != 3 || x.shape().dim(2) < 0) {
    GraphBuilder::current().fail(invalidArgumentError(
        strCat("Input size (depth of inputs) must be accessible via shape "
               "inference, but saw value None: ",
               x.shape().toTupleString())));
    return {};
  }
  if (!options.timeMajor)
    x = swapTimeAndBatch(x);
  Output extents = ops::shape(x);
  Output steps = extents[0], batch = extents[1];
  // Before the loop: variables are made outside of it.
  cell.build(x.shape().dim(2), x.dtype());
  std::vector<Output> state = options.initialState.empty()
                                  ? cell.zeroState(batch, x.dtype())
                                  : options.initialState;
  Output lengths, zeroOutput;
  if (options.sequenceLength) {
    lengths = ops::cast(*options.sequenceLength, DType::Int32);
    zeroOutput =
        ops::zeros(ops::stack({batch, static_cast<int32_t>(cell.outputSize())}),
                   {.dtype = x.dtype()});
  }
  TensorArray input =
      TensorArray(x.dtype(), steps,
                  {.elementShape = {x.shape().dim(1), x.shape().dim(2)},
                   .tensorArrayName = "input_0"})
          .unstack(x);
  TensorArray output(x.dtype(), steps,
                     {.elementShape = {x.shape().dim(1), cell.outputSize()},
                      .tensorArrayName = "output_0"});
  std::vector<Input> variables{Input(0), output.flow()};
  variables.insert(variables.end(), state.begin(), state.end());
  if (!GraphBuilder::current().status().ok())
    return {};
  Outputs done = ops::whileLoop(
      [&](const Outputs &v) { return v[0] < steps; },
      [&](const Outputs &v) {
        std::vector<Output> before(v.begin() + 2, v.end());
        RnnCell::Step step = cell(input.read(v[0]), before);
        if (isBroken(step, before.size()))
          return Outputs();
        if (lengths.node) {
          Output isOver = v[0] >= lengths;
          step.output = ops::where(isOver, zeroOutput, step.output);
          for (size_t i = 0; i < before.size(); ++i)
            step.state[i] = ops::where(isOver, before[i], step.state[i]);
        }
        Outputs next{v[0] + 1,
                     output.withFlow(v[1]).write(v[0], step.output).flow()};
        next.insert(next.end(), step.state.begin(), step.state.end());
        return next;
      },
      InputList(variables),
      {.parallelIterations = options.parallelIterations,
       .swapMemory = options.swapMemory});
  if (done.size() < 2)
    return {};
  RnnResult result;
  result.outputs = output.withFlow(done[1]).stack();
  if (!options.timeMajor && result.outputs.node)
    result.outputs = swapTimeAndBatch(result.outputs);
  result.state.assign(done.begin() + 2, done.end());
  return result;
}

StaticRnnResult staticRnn(RnnCell &cell, const std::vector<Output> &inputs,
                          const RnnOptions &options) {
  if (inputs.empty() || !inputs[0].node) {
    GraphBuilder::current().fail(
        invalidArgumentError("inputs must not be empty"));
    return {};
  }
  GraphScope graph(GraphBuilder::of(inputs[0]));
  VariableScope scope(options.scope);
  StaticRnnResult result;
  result.state =
      options.initialState.empty()
          ? cell.zeroState(ops::shape(inputs[0])[0], inputs[0].dtype())
          : options.initialState;
  for (const Output &input : inputs) {
    RnnCell::Step step = cell(input, result.state);
    if (isBroken(step, result.state.size()))
      return {};
    result.outputs.push_back(step.output);
    result.state = step.state;
  }
  return result;
}

namespace {

/// The steps in reverse order, of each sequence as far as it goes.
Output reversed(const Output &tensor, const BidirectionalRnnOptions &options) {
  int64_t time = options.timeMajor ? 0 : 1;
  if (!tensor.node)
    return {};
  if (options.sequenceLength)
    return rawOps::reverseSequence(tensor, *options.sequenceLength, time,
                                   {.batchDim = 1 - time});
  return rawOps::reverseV2(tensor, Input(std::vector<int64_t>{time}));
}

} // namespace

BidirectionalRnnResult
bidirectionalDynamicRnn(RnnCell &forward, RnnCell &backward,
                        const Input &inputs,
                        const BidirectionalRnnOptions &options) {
  GraphScope graph(inputs.output() ? GraphBuilder::of(*inputs.output())
                                   : GraphBuilder::current());
  VariableScope scope(options.scope);
  Output x = GraphBuilder::current().convert(inputs, {.name = "inputs"});
  auto runOver = [&](RnnCell &cell, const Output &steps,
                     const std::vector<Output> &state, std::string name) {
    return dynamicRnn(cell, steps,
                      {.initialState = state,
                       .sequenceLength = options.sequenceLength,
                       .timeMajor = options.timeMajor,
                       .parallelIterations = options.parallelIterations,
                       .swapMemory = options.swapMemory,
                       .scope = std::move(name)});
  };
  if (!x.node)
    return {};
  BidirectionalRnnResult result;
  result.forward = runOver(forward, x, options.initialStateForward, "fw");
  Output last;
  {
    NameScope names("bw");
    last = reversed(x, options);
  }
  if (!last.node)
    return {};
  result.backward = runOver(backward, last, options.initialStateBackward, "bw");
  result.backward.outputs = reversed(result.backward.outputs, options);
  return result;
}

} // namespace kiln
