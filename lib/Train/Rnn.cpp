// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs cells of recurrent networks over sequences in a loop.
#include "kiln/Rnn.h"

#include "kiln/BuildOps.h"
#include "kiln/Operators.h"
#include "kiln/TensorArray.h"
#include "lib/Support/Strings.h"
#include "lib/Train/RnnRun.h"
#include "lib/Train/RnnShapes.h"

namespace kiln {
namespace {

/// The first two axes change places. **Source**: _transpose_batch_time.
Output swapTimeAndBatch(const Output &tensor) {
  if (!tensor.node || tensor.shape().rank() < 2)
    return tensor;
  Output rank = ops::rank(tensor);
  Output rest = ops::range(2, rank);
  Output swapped = ops::permute(tensor, ops::concat({Input{1, 0}, rest}, 0));
  std::vector<int64_t> dims(tensor.shape().dims().begin(),
                            tensor.shape().dims().end());
  std::swap(dims[0], dims[1]);
  if (swapped.node)
    GraphBuilder::of(swapped).setShape(swapped, Shape(dims));
  return swapped;
}

/// As many lengths as sequences: waits for an Assert. **Source**:
/// _assert_has_shape.
Output checkedLengths(const Output &lengths, const Input &batch) {
  Output got = ops::shape(lengths);
  Output wanted = ops::stack({batch});
  Output fits = ops::reduceAll(ops::equal(got, wanted));
  ControlScope after({ops::assertThat(
      fits, {strCat("Expected shape for Tensor ", lengths.name(), " is "),
             wanted, " but saw shape: ", got})});
  return ops::identity(lengths, {.name = "CheckSeqLen"});
}

bool refuse(std::string text) {
  GraphBuilder::current().fail(invalidArgumentError(std::move(text)));
  return false;
}

/// What a network is run with, in its variable scope.
class DynamicRnn {
public:
  DynamicRnn(RnnCell &cell, const RnnOptions &options)
      : cell(cell), options(options), shapes(cell.outputShapes()) {}

  RnnResult run(const Outputs &inputs) {
    for (const Output &input : inputs)
      x.push_back(options.timeMajor ? input : swapTimeAndBatch(input));
    if (!checkInputs())
      return {};
    if (options.sequenceLength) {
      lengths = lengthsOf(ops::cast(*options.sequenceLength, DType::Int32));
      if (!lengths.node)
        return {};
      lengths = ops::identity(lengths, {.name = "sequence_length"});
    }
    Input batch = batchOf(x, 1);
    state = options.initialState.empty()
                ? cell.zeroState(batch, options.dtype == DType::Invalid
                                            ? x[0].dtype()
                                            : options.dtype)
                : options.initialState;
    if (lengths.node)
      lengths = checkedLengths(lengths, batch);
    RnnResult result = loop();
    if (!options.timeMajor) {
      result.outputs = swapTimeAndBatch(result.outputs);
      for (Output &each : result.moreOutputs)
        each = swapTimeAndBatch(each);
    }
    return result;
  }

private:
  bool checkInputs() const {
    if (x.empty())
      return refuse("inputs must not be empty");
    for (const Output &input : x) {
      if (!input.node)
        return false;
      const Shape shape = input.shape(), first = x[0].shape();
      const std::string text = shape.toTupleString();
      if (shape.hasRank() && shape.rank() < 3)
        return refuse(strCat("Shape ", text, " must have rank at least 3"));
      bool isKnown = shape.hasRank();
      for (int i = 2; i < shape.rank(); ++i)
        isKnown &= shape.dim(i) >= 0;
      if (!isKnown)
        return refuse(
            strCat("Input size (depth of inputs) must be accessible via shape "
                   "inference, but saw value None: ",
                   text));
      if (shape.dim(0) != first.dim(0))
        return refuse("Time steps is not the same for all the elements in the "
                      "input in a batch.");
      if (shape.dim(1) != first.dim(1))
        return refuse(
            "Batch_size is not the same for all the elements in the input.");
    }
    return true;
  }

  /// **Source**: _dynamic_rnn_loop.
  RnnResult loop() {
    Output steps = ops::shape(x[0])[0];
    const DType dtype = dtypeOfOutputs(options.dtype, state);
    zeros = zeroOutputs(cell, batchOf(x, 1), dtype);
    Output last = steps;
    if (lengths.node) {
      ops::reduceMin(lengths);
      last = ops::reduceMax(lengths);
    }
    Output time = ops::constant(0, {.name = "time"});
    makeArrays(steps, dtype);
    // At least one step, from which the arrays take their shapes.
    Output atLeastOne = ops::maximum(1, last);
    Output bound = ops::minimum(steps, atLeastOne);
    std::vector<Input> variables{time};
    for (const TensorArray &array : written)
      variables.push_back(array.flow());
    variables.insert(variables.end(), state.begin(), state.end());
    if (!GraphBuilder::current().status().ok())
      return {};
    Outputs done = ops::whileLoop(
        [&](const Outputs &v) { return v[0] < bound; },
        [&](const Outputs &v) { return step(v); }, InputList(variables),
        {.parallelIterations = options.parallelIterations,
         .swapMemory = options.swapMemory,
         .maximumIterations = steps});
    if (done.size() != variables.size())
      return {};
    return resultOf(done);
  }

  void makeArrays(const Output &steps, DType dtype) {
    std::string base = NameScope("dynamic_rnn").name();
    const int64_t batch = x[0].shape().dim(1);
    for (size_t i = 0; i < shapes.size(); ++i) {
      Shape element = Shape::unknownRank();
      if (shapes[i].hasRank()) {
        element = Shape{batch};
        for (int64_t extent : shapes[i].dims())
          element.appendDim(extent);
      }
      written.emplace_back(
          dtype, steps,
          TensorArrayOptions{.elementShape = element,
                             .tensorArrayName = strCat(base, "output_", i)});
    }
    for (size_t i = 0; i < x.size(); ++i) {
      const auto dims = x[i].shape().dims();
      read.emplace_back(
          x[i].dtype(), steps,
          TensorArrayOptions{.elementShape = Shape(std::vector<int64_t>(
                                 dims.begin() + 1, dims.end())),
                             .tensorArrayName = strCat(base, "input_", i)});
    }
    for (size_t i = 0; i < x.size(); ++i)
      read[i] = read[i].unstack(x[i]);
  }

  Outputs step(const Outputs &v) {
    auto first = v.begin() + 1;
    auto rest = first + static_cast<ptrdiff_t>(written.size());
    Outputs before(std::vector<Output>(rest, v.end())), now;
    for (const TensorArray &array : read)
      now.push_back(array.read(v[0]));
    Output isOver;
    if (lengths.node)
      isOver = v[0] >= lengths;
    RnnCell::Step step = cell(now, before);
    if (isBroken(step, shapes.size(), before.size()))
      return Outputs();
    Outputs outputs = step.outputs();
    if (lengths.node) {
      for (size_t i = 0; i < outputs.size(); ++i)
        outputs[i] = unlessOver(isOver, zeros[i], outputs[i]);
      for (size_t i = 0; i < before.size(); ++i)
        step.state[i] = unlessOver(isOver, before[i], step.state[i]);
      setShapesLike(zeros, outputs);
      setShapesLike(before, step.state);
    }
    std::vector<Output> flows;
    for (size_t i = 0; i < written.size(); ++i)
      flows.push_back(written[i]
                          .withFlow(first[static_cast<ptrdiff_t>(i)])
                          .write(v[0], outputs[i])
                          .flow());
    Outputs next{v[0] + 1};
    next.insert(next.end(), flows.begin(), flows.end());
    next.insert(next.end(), step.state.begin(), step.state.end());
    return next;
  }

  RnnResult resultOf(const Outputs &done) {
    RnnResult result;
    const auto end = done.begin() + 1 + static_cast<ptrdiff_t>(written.size());
    Outputs all;
    for (size_t i = 0; i < written.size(); ++i)
      all.push_back(written[i].withFlow(done[i + 1]).stack());
    for (size_t i = 0; i < all.size(); ++i)
      setStaticShape(all[i], shapes[i]);
    result.outputs = all[0];
    result.moreOutputs.assign(all.begin() + 1, all.end());
    result.state.assign(end, done.end());
    return result;
  }

  /// Says what is known of the outputs, with the constants that TensorFlow adds
  /// where it asks for that.
  void setStaticShape(const Output &output, const Shape &shape) const {
    Shape whole{x[0].shape().dim(0), x[0].shape().dim(1)};
    if (whole.isFullyDefined())
      ops::constant(whole, {.dtype = DType::Int32});
    if (shape.isFullyDefined())
      ops::constant(shape, {.dtype = DType::Int32});
    if (!shape.hasRank() || !output.node)
      return;
    for (int64_t extent : shape.dims())
      whole.appendDim(extent);
    GraphBuilder::of(output).setShape(output, whole);
  }

  RnnCell &cell;
  const RnnOptions &options;
  std::vector<Shape> shapes;
  Outputs x, zeros, state;
  Output lengths;
  std::vector<TensorArray> written, read;
};

GraphBuilder graphOf(const Outputs &inputs) {
  return inputs.empty() ? GraphBuilder::current() : GraphBuilder::of(inputs[0]);
}

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

RnnResult dynamicRnn(RnnCell &cell, const Outputs &inputs,
                     const RnnOptions &options) {
  GraphScope graph(graphOf(inputs));
  auto scope = openCachingScope(options.scope);
  return DynamicRnn(cell, options).run(inputs);
}

BidirectionalRnnResult
bidirectionalDynamicRnn(RnnCell &forward, RnnCell &backward,
                        const Outputs &inputs,
                        const BidirectionalRnnOptions &options) {
  GraphScope graph(graphOf(inputs));
  auto scope = openScope(options.scope);
  // In the scope of its direction once more.
  auto runOver = [&](RnnCell &cell, const Outputs &steps,
                     const Outputs &state) {
    auto own = openCachingScope(currentVariableScope());
    RnnOptions each{.initialState = state,
                    .sequenceLength = options.sequenceLength,
                    .timeMajor = options.timeMajor,
                    .parallelIterations = options.parallelIterations,
                    .swapMemory = options.swapMemory,
                    .dtype = options.dtype};
    return DynamicRnn(cell, each).run(steps);
  };
  BidirectionalRnnResult result;
  {
    VariableScope direction("fw");
    result.forward = runOver(forward, inputs, options.initialStateForward);
  }
  {
    VariableScope direction("bw");
    Outputs last;
    for (const Output &input : inputs)
      last.push_back(reversed(input, options));
    result.backward = runOver(backward, last, options.initialStateBackward);
  }
  scope.reset();
  result.backward.outputs = reversed(result.backward.outputs, options);
  for (Output &each : result.backward.moreOutputs)
    each = reversed(each, options);
  return result;
}

} // namespace kiln
