// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs cells of recurrent networks over sequences.
#include "kiln/Rnn.h"

#include "kiln/BuildOps.h"
#include "kiln/Operators.h"
#include "kiln/TensorArray.h"
#include "lib/Build/VariableStore.h"
#include "lib/Support/Strings.h"
#include "lib/Train/RnnShapes.h"

namespace kiln {
namespace {

/// The first two axes change places. **Source**: _transpose_batch_time.
Output swapTimeAndBatch(const Output &tensor) {
  if (!tensor.node || tensor.shape().rank() < 2)
    return tensor;
  Output rank = ops::rank(tensor);
  Output rest = ops::range(2, rank);
  return ops::permute(tensor, ops::concat({Input{1, 0}, rest}, 0));
}

bool isBroken(const RnnCell::Step &step, size_t states) {
  return !step.output.node || step.state.size() != states;
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

/// What a network is run with, in its variable scope.
class DynamicRnn {
public:
  DynamicRnn(RnnCell &cell, const RnnOptions &options)
      : cell(cell), options(options) {}

  RnnResult run(const Input &inputs) {
    x = GraphBuilder::current().convert(inputs, {.name = "inputs"});
    if (!x.node)
      return {};
    if (!options.timeMajor)
      x = swapTimeAndBatch(x);
    if (options.sequenceLength) {
      lengths = ops::cast(*options.sequenceLength, DType::Int32);
      lengths = ops::identity(lengths, {.name = "sequence_length"});
    }
    Input batch = batchOf(x, 1);
    state = options.initialState.empty() ? cell.zeroState(batch, x.dtype())
                                         : options.initialState;
    if (lengths.node)
      lengths = checkedLengths(lengths, batch);
    RnnResult result = loop();
    if (!options.timeMajor)
      result.outputs = swapTimeAndBatch(result.outputs);
    return result;
  }

private:
  /// **Source**: _dynamic_rnn_loop.
  RnnResult loop() {
    if (x.shape().rank() != 3 || x.shape().dim(2) < 0) {
      GraphBuilder::current().fail(invalidArgumentError(
          strCat("Input size (depth of inputs) must be accessible via shape "
                 "inference, but saw value None: ",
                 x.shape().toTupleString())));
      return {};
    }
    const Shape shape = x.shape();
    Output steps = ops::shape(x)[0];
    zeroOutput = zerosOf(batchOf(x, 1), cell.outputSize(), x.dtype());
    Output last = steps;
    if (lengths.node) {
      ops::reduceMin(lengths);
      last = ops::reduceMax(lengths);
    }
    Output time = ops::constant(0, {.name = "time"});
    std::string base = NameScope("dynamic_rnn").name();
    TensorArray output(x.dtype(), steps,
                       {.elementShape = {shape.dim(1), cell.outputSize()},
                        .tensorArrayName = base + "output_0"});
    TensorArray input(x.dtype(), steps,
                      {.elementShape = {shape.dim(1), shape.dim(2)},
                       .tensorArrayName = base + "input_0"});
    input = input.unstack(x);
    // At least one step, from which the arrays take their shapes.
    Output atLeastOne = ops::maximum(1, last);
    Output bound = ops::minimum(steps, atLeastOne);
    std::vector<Input> variables{time, output.flow()};
    variables.insert(variables.end(), state.begin(), state.end());
    if (!GraphBuilder::current().status().ok())
      return {};
    Outputs done =
        ops::whileLoop([&](const Outputs &v) { return v[0] < bound; },
                       [&](const Outputs &v) { return step(v, input, output); },
                       InputList(variables),
                       {.parallelIterations = options.parallelIterations,
                        .swapMemory = options.swapMemory,
                        .maximumIterations = steps});
    if (done.size() < 2)
      return {};
    RnnResult result;
    result.outputs = output.withFlow(done[1]).stack();
    addUnusedShape(shape);
    result.state.assign(done.begin() + 2, done.end());
    return result;
  }

  Outputs step(const Outputs &v, const TensorArray &input,
               const TensorArray &output) {
    std::vector<Output> before(v.begin() + 2, v.end());
    Output now = input.read(v[0]), isOver;
    if (lengths.node)
      isOver = v[0] >= lengths;
    RnnCell::Step step = cell(now, before);
    if (isBroken(step, before.size()))
      return Outputs();
    if (lengths.node) {
      step.output = unlessOver(isOver, zeroOutput, step.output);
      for (size_t i = 0; i < before.size(); ++i)
        step.state[i] = unlessOver(isOver, before[i], step.state[i]);
    }
    Output written = output.withFlow(v[1]).write(v[0], step.output).flow();
    Outputs next{v[0] + 1, written};
    next.insert(next.end(), step.state.begin(), step.state.end());
    return next;
  }

  /// What TensorFlow adds where it asks for the shape of the outputs.
  void addUnusedShape(const Shape &shape) {
    if (shape.dim(0) >= 0 && shape.dim(1) >= 0)
      ops::constant({shape.dim(0), shape.dim(1)}, {.dtype = DType::Int32});
    ops::constant({cell.outputSize()}, {.dtype = DType::Int32});
  }

  RnnCell &cell;
  const RnnOptions &options;
  Output x, lengths, zeroOutput;
  std::vector<Output> state;
};

} // namespace

namespace {

/// Which sequences are over in a step that is a part of the graph.
class StaticLengths {
public:
  /// **Source**: static_rnn.
  StaticLengths(const Input &lengths, const RnnCell &cell, const Input &batch,
                DType dtype) {
    Output given =
        GraphBuilder::current().convert(lengths, {.name = "sequence_length"});
    zeroOutput = zerosOf(batch, cell.outputSize(), dtype);
    if (!batch.output())
      addUnusedExtents(batch, cell.outputSize());
    else
      ops::constant({cell.outputSize()}, {.dtype = DType::Int32});
    all = ops::cast(given, DType::Int32);
    shortest = ops::reduceMin(all);
    longest = ops::reduceMax(all);
  }

  /// Runs the cell unless all sequences are over. **Source**: _rnn_step.
  RnnCell::Step step(int64_t time, const std::vector<Output> &state,
                     const std::function<RnnCell::Step()> &run) const {
    Output isOver = all <= time;
    Outputs past{zeroOutput};
    past.insert(past.end(), state.begin(), state.end());
    Outputs now = ops::cond(
        longest <= time, [&] { return past; },
        [&] {
          RnnCell::Step found = run();
          if (isBroken(found, state.size()))
            return Outputs();
          Outputs next{found.output};
          next.insert(next.end(), found.state.begin(), found.state.end());
          return ops::cond(
              shortest > time, [&] { return next; },
              [&] {
                Outputs some;
                for (size_t i = 0; i < next.size(); ++i)
                  some.push_back(unlessOver(isOver, past[i], next[i]));
                return some;
              });
        });
    if (now.size() != past.size())
      return {};
    return {now[0], {now.begin() + 1, now.end()}};
  }

private:
  Output all, shortest, longest, zeroOutput;
};

StaticRnnResult runStatic(RnnCell &cell, const std::vector<Output> &inputs,
                          const RnnOptions &options) {
  Input batch = batchOf(inputs[0], 0);
  StaticRnnResult result;
  result.state = options.initialState.empty()
                     ? cell.zeroState(batch, inputs[0].dtype())
                     : options.initialState;
  std::optional<StaticLengths> lengths;
  if (options.sequenceLength)
    lengths.emplace(*options.sequenceLength, cell, batch, inputs[0].dtype());
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto run = [&] { return cell(inputs[i], result.state); };
    RnnCell::Step step =
        lengths ? lengths->step(static_cast<int64_t>(i), result.state, run)
                : run();
    if (isBroken(step, result.state.size()))
      return {};
    result.outputs.push_back(step.output);
    result.state = step.state;
  }
  return result;
}

} // namespace

RnnResult dynamicRnn(RnnCell &cell, const Input &inputs,
                     const RnnOptions &options) {
  GraphScope graph(inputs.output() ? GraphBuilder::of(*inputs.output())
                                   : GraphBuilder::current());
  VariableScope scope(options.scope);
  cacheReads(scope.handle());
  return DynamicRnn(cell, options).run(inputs);
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
  cacheReads(scope.handle());
  return runStatic(cell, inputs, options);
}

namespace {

/// The steps in reverse order, of each sequence as far as it goes. **Source**:
/// rnn._reverse_seq.
std::vector<Output> reversed(const std::vector<Output> &steps,
                             const std::optional<Input> &lengths) {
  if (!lengths)
    return {steps.rbegin(), steps.rend()};
  Output joined = ops::stack(std::vector<Input>(steps.begin(), steps.end()));
  Output turned = rawOps::reverseSequence(joined, *lengths, 0, {.batchDim = 1});
  return ops::unstack(turned);
}

} // namespace

StaticBidirectionalRnnResult
staticBidirectionalRnn(RnnCell &forward, RnnCell &backward,
                       const std::vector<Output> &inputs,
                       const BidirectionalRnnOptions &options) {
  if (inputs.empty() || !inputs[0].node) {
    GraphBuilder::current().fail(
        invalidArgumentError("Argument `inputs` must not be empty."));
    return {};
  }
  GraphScope graph(GraphBuilder::of(inputs[0]));
  std::optional<VariableScope> scope(std::in_place, options.scope);
  auto runOver = [&](const char *name, RnnCell &cell,
                     const std::vector<Output> &state, bool isBackward) {
    VariableScope direction(name);
    std::vector<Output> steps =
        isBackward ? reversed(inputs, options.sequenceLength) : inputs;
    VariableScope own(direction.handle());
    cacheReads(own.handle());
    return steps.size() == inputs.size()
               ? runStatic(cell, steps,
                           {.initialState = state,
                            .sequenceLength = options.sequenceLength})
               : StaticRnnResult();
  };
  StaticRnnResult ahead =
      runOver("fw", forward, options.initialStateForward, false);
  StaticRnnResult back =
      runOver("bw", backward, options.initialStateBackward, true);
  scope.reset();
  if (ahead.outputs.empty() || back.outputs.empty())
    return {};
  std::vector<Output> turned = reversed(back.outputs, options.sequenceLength);
  StaticBidirectionalRnnResult result{.stateForward = ahead.state,
                                      .stateBackward = back.state};
  for (size_t i = 0; i < inputs.size() && i < turned.size(); ++i)
    result.outputs.push_back(
        ops::concat(InputList{ahead.outputs[i], turned[i]}, 1));
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
  std::optional<VariableScope> scope(std::in_place, options.scope);
  Output x = GraphBuilder::current().convert(inputs, {.name = "inputs"});
  // In the scope of its direction once more.
  auto runOver = [&](RnnCell &cell, const Output &steps,
                     const std::vector<Output> &state) {
    VariableScope own(currentVariableScope());
    cacheReads(own.handle());
    RnnOptions each{.initialState = state,
                    .sequenceLength = options.sequenceLength,
                    .timeMajor = options.timeMajor,
                    .parallelIterations = options.parallelIterations,
                    .swapMemory = options.swapMemory};
    return DynamicRnn(cell, each).run(steps);
  };
  if (!x.node)
    return {};
  BidirectionalRnnResult result;
  {
    VariableScope direction("fw");
    result.forward = runOver(forward, x, options.initialStateForward);
  }
  {
    VariableScope direction("bw");
    Output last = reversed(x, options);
    if (!last.node)
      return {};
    result.backward = runOver(backward, last, options.initialStateBackward);
  }
  scope.reset();
  result.backward.outputs = reversed(result.backward.outputs, options);
  return result;
}

} // namespace kiln
