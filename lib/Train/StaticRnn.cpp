// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs cells of recurrent networks over lists of steps, one part of the graph
// each.
#include "kiln/Rnn.h"

#include "kiln/BuildOps.h"
#include "kiln/Operators.h"
#include "lib/Support/Strings.h"
#include "lib/Train/RnnRun.h"
#include "lib/Train/RnnShapes.h"

namespace kiln {
namespace {

using Steps = std::vector<Outputs>;

/// Which sequences are over in a step that is a part of the graph.
class StaticLengths {
public:
  /// **Source**: static_rnn.
  StaticLengths(const Input &lengths, const RnnCell &cell, const Input &batch,
                DType dtype)
      : outputs(cell.outputShapes().size()) {
    Output given = lengthsOf(
        GraphBuilder::current().convert(lengths, {.name = "sequence_length"}));
    for (const Shape &shape : cell.outputShapes()) {
      zeros.push_back(zerosOf(batch, shape, dtype));
      if (!batch.output())
        addUnusedExtents(batch, shape);
      else if (shape.isFullyDefined())
        ops::constant(shape, {.dtype = DType::Int32});
    }
    all = ops::cast(given, DType::Int32);
    shortest = ops::reduceMin(all);
    longest = ops::reduceMax(all);
  }

  /// Runs the cell unless all sequences are over. **Source**: _rnn_step.
  RnnCell::Step step(int64_t time, const Outputs &state,
                     const std::function<RnnCell::Step()> &run) const {
    Output isOver = all <= time;
    Outputs past = zeros;
    past.insert(past.end(), state.begin(), state.end());
    Outputs now = ops::cond(
        longest <= time, [&] { return past; },
        [&] {
          RnnCell::Step found = run();
          if (isBroken(found, outputs, state.size()))
            return Outputs();
          Outputs next = joined(found);
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
    setShapesLike(past, now);
    return stepOf(now, outputs);
  }

private:
  size_t outputs;
  Outputs zeros;
  Output all, shortest, longest;
};

/// A batch of no sequences is looked at as one of any size, as TensorFlow does.
Input staticBatchOf(const Output &input) {
  Input batch = batchOf(input, 0);
  const int64_t *known = std::get_if<int64_t>(&batch.value());
  return known && *known == 0 ? Input(ops::shape(input)[0]) : batch;
}

bool checkInputs(const Steps &inputs, std::string_view empty) {
  auto refuse = [](std::string text) {
    GraphBuilder::current().fail(invalidArgumentError(std::move(text)));
    return false;
  };
  if (inputs.empty() || inputs[0].empty())
    return refuse(std::string(empty));
  for (const Outputs &step : inputs)
    for (const Output &input : step) {
      if (!input.node)
        return false;
      // A vector is what cells that look embeddings up take.
      const Shape shape = input.shape();
      if (inputs[0][0].shape().rank() == 1 || !shape.hasRank())
        continue;
      if (shape.rank() < 2)
        return refuse(strCat("Shape ", shape.toTupleString(),
                             " must have rank at least 2"));
      for (int i = 1; i < shape.rank(); ++i)
        if (shape.dim(i) < 0)
          return refuse(strCat("Input size (dimension ", i - 1,
                               " of inputs) must be accessible via shape "
                               "inference, but saw value None."));
    }
  return true;
}

StaticRnnResult runStatic(RnnCell &cell, const Steps &inputs,
                          const RnnOptions &options) {
  Input batch = staticBatchOf(inputs[0][0]);
  StaticRnnResult result;
  result.state = options.initialState.empty()
                     ? cell.zeroState(batch, options.dtype == DType::Invalid
                                                 ? inputs[0][0].dtype()
                                                 : options.dtype)
                     : options.initialState;
  std::optional<StaticLengths> lengths;
  if (options.sequenceLength)
    lengths.emplace(*options.sequenceLength, cell, batch,
                    dtypeOfOutputs(options.dtype, result.state));
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (i > 0)
      currentVariableScope().reuseVariables();
    auto run = [&] { return cell(inputs[i], result.state); };
    RnnCell::Step step =
        lengths ? lengths->step(static_cast<int64_t>(i), result.state, run)
                : run();
    if (!step.output.node)
      return {};
    result.outputs.push_back(step.output);
    result.moreOutputs.push_back(step.moreOutputs);
    result.state = step.state;
  }
  return result;
}

/// The steps in reverse order, of each sequence as far as it goes. **Source**:
/// rnn._reverse_seq.
Steps reversed(const Steps &steps, const std::optional<Input> &lengths) {
  if (!lengths)
    return {steps.rbegin(), steps.rend()};
  Steps all(steps.size());
  for (size_t i = 0; i < steps[0].size(); ++i) {
    std::vector<Input> sequence;
    for (const Outputs &step : steps)
      sequence.push_back(step[i]);
    Output turned = rawOps::reverseSequence(ops::stack(sequence), *lengths, 0,
                                            {.batchDim = 1});
    std::vector<Output> parts = ops::unstack(turned);
    for (size_t t = 0; t < parts.size() && t < all.size(); ++t)
      all[t].push_back(parts[t]);
  }
  return all;
}

Steps stepsOf(const std::vector<Output> &inputs) {
  return {inputs.begin(), inputs.end()};
}

Steps outputsOf(const StaticRnnResult &result) {
  Steps all;
  for (size_t t = 0; t < result.outputs.size(); ++t) {
    all.push_back(result.outputs[t]);
    all[t].insert(all[t].end(), result.moreOutputs[t].begin(),
                  result.moreOutputs[t].end());
  }
  return all;
}

} // namespace

StaticRnnResult staticRnn(RnnCell &cell, const std::vector<Output> &inputs,
                          const RnnOptions &options) {
  return staticRnn(cell, stepsOf(inputs), options);
}

StaticRnnResult staticRnn(RnnCell &cell, const std::vector<Outputs> &inputs,
                          const RnnOptions &options) {
  if (!checkInputs(inputs, "inputs must not be empty"))
    return {};
  GraphScope graph(GraphBuilder::of(inputs[0][0]));
  auto scope = openCachingScope(options.scope);
  return runStatic(cell, inputs, options);
}

StaticBidirectionalRnnResult
staticBidirectionalRnn(RnnCell &forward, RnnCell &backward,
                       const std::vector<Output> &inputs,
                       const BidirectionalRnnOptions &options) {
  return staticBidirectionalRnn(forward, backward, stepsOf(inputs), options);
}

StaticBidirectionalRnnResult
staticBidirectionalRnn(RnnCell &forward, RnnCell &backward, const Steps &inputs,
                       const BidirectionalRnnOptions &options) {
  if (!checkInputs(inputs, "Argument `inputs` must not be empty."))
    return {};
  GraphScope graph(GraphBuilder::of(inputs[0][0]));
  auto scope = openScope(options.scope);
  auto runOver = [&](const char *name, RnnCell &cell, const Outputs &state,
                     bool isBackward) {
    VariableScope direction(name);
    Steps steps =
        isBackward ? reversed(inputs, options.sequenceLength) : inputs;
    auto own = openCachingScope(direction.handle());
    return runStatic(cell, steps,
                     {.initialState = state,
                      .sequenceLength = options.sequenceLength,
                      .dtype = options.dtype});
  };
  StaticRnnResult ahead =
      runOver("fw", forward, options.initialStateForward, false);
  if (ahead.outputs.empty())
    return {};
  StaticRnnResult back =
      runOver("bw", backward, options.initialStateBackward, true);
  scope.reset();
  if (back.outputs.empty())
    return {};
  Steps first = outputsOf(ahead);
  Steps second = reversed(outputsOf(back), options.sequenceLength);
  StaticBidirectionalRnnResult result{
      .outputs = {}, .stateForward = ahead.state, .stateBackward = back.state};
  for (size_t t = 0; t < first.size(); ++t) {
    Outputs both;
    for (size_t i = 0; i < first[t].size() && i < second[t].size(); ++i)
      both.push_back(ops::concat(InputList{first[t][i], second[t][i]}, 1));
    result.outputs.push_back(both[0]);
    both.erase(both.begin());
    result.moreOutputs.push_back(std::move(both));
  }
  return result;
}

} // namespace kiln
