// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent networks: what runs cells over sequences.
#ifndef KILN_RNN_H
#define KILN_RNN_H

#include "kiln/RnnWrappers.h"
#include "kiln/TensorArray.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kiln {

/// The scope of a network's variables: a name, or one that is entered again.
using RnnScope = std::variant<std::string, VariableScopeHandle>;

struct RnnOptions {
  /// Zeros where it is empty.
  Outputs initialState = {};
  /// `[batch]` of integers: behind its length a sequence's outputs are zeros
  /// and its state stays. All of the length where there is none.
  std::optional<Input> sequenceLength = {};
  /// Inputs and outputs are `[time, batch, …]`.
  bool timeMajor = false;
  int64_t parallelIterations = 32;
  bool swapMemory = false;
  RnnScope scope = "rnn";
  /// Of the outputs, and of zeros to begin with. Invalid: the initial state's,
  /// or the first input's where there is none.
  DType dtype = DType::Invalid;
};
struct RnnResult {
  Output outputs;
  Outputs state;
  /// What a cell with several outputs gives beside the first.
  Outputs moreOutputs = {};
};
struct StaticRnnResult {
  /// One a step.
  std::vector<Output> outputs;
  Outputs state;
  /// What a cell with several outputs gives beside the first in each step.
  std::vector<Outputs> moreOutputs = {};
};

/// Runs the cell over the time steps of one or several tensors, in a loop.
/// **Shapes**: `inputs: [batch, time, columns…]`, batch and time of the run;
/// the result is `[batch, time, …]` with the cell's output shape. **Errors** of
/// the graph: INVALID_ARGUMENT with TensorFlow's texts for inputs of a lower
/// rank, whose columns are not known or whose batch or time differ; for several
/// dtypes of the state where `dtype` says none. **Source**: tf.nn.dynamic_rnn.
KILN_EXPORT RnnResult dynamicRnn(RnnCell &cell, const Outputs &inputs,
                                 const RnnOptions &options = {});
/// Runs the cell over a list of steps, one part of the graph each; timeMajor
/// does not matter. With sequenceLength a step that is behind all lengths does
/// not run. **Shapes**: each input `[batch, columns…]`. **Source**:
/// tf.nn.static_rnn.
KILN_EXPORT StaticRnnResult staticRnn(RnnCell &cell,
                                      const std::vector<Outputs> &inputs,
                                      const RnnOptions &options = {});
KILN_EXPORT StaticRnnResult staticRnn(RnnCell &cell,
                                      const std::vector<Output> &inputs,
                                      const RnnOptions &options = {});

/// What comes before a step, and with the first one what all steps are like.
struct RawRnnStep {
  /// `[batch]` of bool: which sequences are over.
  Output finished;
  /// What the cell takes, one or several tensors.
  Outputs input;
  /// The cell's, as it goes on; at first the initial one.
  Outputs state;
  /// What the step before gives out. At first what that is like; as the cell's
  /// output where it is empty.
  Outputs emit = {};
  /// Anything else that goes from step to step; empty: as it was.
  Outputs loopState = {};
};
/// Called with the number of the step, what the cell gave in the step before
/// (null at first), and the state of the loop.
using RawRnnFunction = std::function<RawRnnStep(
    const Output &time, const RnnCell::Step *given, const Outputs &loopState)>;
struct RawRnnOptions {
  int64_t parallelIterations = 32;
  bool swapMemory = false;
  RnnScope scope = "rnn";
};
struct RawRnnResult {
  /// What the steps gave out, one array for each tensor.
  std::vector<TensorArray> emit;
  Outputs state;
  Outputs loopState;
};
/// Runs the cell until all sequences are over, on what the function makes of
/// its outputs; a sequence that is over gives out zeros and keeps its state.
/// **Errors** of the graph: INVALID_ARGUMENT for other numbers of tensors than
/// in the first step. **Source**: tf.nn.raw_rnn.
KILN_EXPORT RawRnnResult rawRnn(RnnCell &cell, const RawRnnFunction &function,
                                const RawRnnOptions &options = {});

struct BidirectionalRnnOptions {
  /// Zeros where they are empty.
  Outputs initialStateForward = {};
  Outputs initialStateBackward = {};
  /// As RnnOptions has them; backward a sequence begins at its last step.
  std::optional<Input> sequenceLength = {};
  bool timeMajor = false;
  int64_t parallelIterations = 32;
  bool swapMemory = false;
  RnnScope scope = "bidirectional_rnn";
  DType dtype = DType::Invalid;
};
struct BidirectionalRnnResult {
  RnnResult forward, backward;
};
/// One cell from the first step to the last one, another one from the last to
/// the first, with variables in the scopes "fw" and "bw"; outputs of both are
/// in the order of the inputs. **Source**: tf.nn.bidirectional_dynamic_rnn.
KILN_EXPORT BidirectionalRnnResult bidirectionalDynamicRnn(
    RnnCell &forward, RnnCell &backward, const Outputs &inputs,
    const BidirectionalRnnOptions &options = {});

struct StaticBidirectionalRnnResult {
  /// Forward and backward beside one another, a tensor each step.
  std::vector<Output> outputs;
  Outputs stateForward, stateBackward;
  /// The same of what cells with several outputs give beside the first.
  std::vector<Outputs> moreOutputs = {};
};
/// The same over a list of steps, one part of the graph each. **Source**:
/// tf.nn.static_bidirectional_rnn.
KILN_EXPORT StaticBidirectionalRnnResult staticBidirectionalRnn(
    RnnCell &forward, RnnCell &backward, const std::vector<Outputs> &inputs,
    const BidirectionalRnnOptions &options = {});
KILN_EXPORT StaticBidirectionalRnnResult staticBidirectionalRnn(
    RnnCell &forward, RnnCell &backward, const std::vector<Output> &inputs,
    const BidirectionalRnnOptions &options = {});

} // namespace kiln

#endif // KILN_RNN_H
