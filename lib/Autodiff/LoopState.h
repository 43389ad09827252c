// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of TensorFlow 1 and the loop that goes back through it.
#ifndef KILN_LIB_AUTODIFF_LOOPSTATE_H
#define KILN_LIB_AUTODIFF_LOOPSTATE_H

#include "kiln/Gradients.h"
#include "lib/Build/BuildState.h"

#include <map>
#include <memory>
#include <vector>

namespace kiln {

/// What gradients() keeps of one loop.
///
/// The forward loop gets a counter of its iterations, the backward loop has as
/// many. A value of the forward loop that a gradient function looks at is
/// pushed to a stack in each iteration and popped in the backward loop's; what
/// is the same in every iteration enters the backward loop instead, and
/// constants are made again. Pushes come before the counter's next iteration,
/// pops before the backward counter's, so that both are in the order of
/// iterations. Ownership: the backward context owns its state, which points
/// back at it. Thread safety: the one thread that builds. **Source**:
/// control_flow_state._GradLoopState.
class LoopState : public ForwardValues {
public:
  /// Adds both counters, in the forward loop and in a new one. `outer` is the
  /// state of the loop around the forward one, null where that is not gone back
  /// through; `caller` the context in which gradients() was called.
  static std::shared_ptr<WhileContext>
  create(BuildState &state, WhileContext &forward, LoopState *outer,
         const std::shared_ptr<ControlFlowContext> &caller);
  /// The state of a context; null where it is not a backward loop's.
  static LoopState *of(const WhileContext *context);
  /// The state of the backward loop that nodes are added in now.
  static LoopState *current(const BuildState &state);

  const WhileContext &forwardLoop() const override { return forward; }
  WhileContext &backwardLoop() const { return backward; }
  /// **Source**: GetRealValue.
  Output saved(const Output &value) override;

  /// Pushes a value of the forward loop in each of its iterations; the stack.
  /// With `isOther` the value is alive where the branch that it counts to is
  /// not taken. **Source**: AddForwardAccumulator.
  Output push(const Output &value, bool isOther = false);
  /// The value in the backward loop. **Source**: AddBackpropAccumulatedValue.
  Output pop(const Output &stack, const Output &value, bool isOther = false);
  /// Lets a gradient from outside into the backward loop, as what a loop
  /// variable starts with.
  Output enterGradient(const Output &gradient);
  /// Sums the gradients of what enters the forward loop unchanged. **Source**:
  /// AddBackpropAccumulator, AddBackpropIndexedSlicesAccumulator.
  Gradient accumulate(const Node &enter, const Gradient &gradient);
  /// Zeros for the output of a node in the forward loop. **Source**:
  /// ZerosLikeV1WhileLoop.
  Gradient zerosFor(const Output &output);
  /// The same of a variable's handle that a branch takes in.
  Gradient zerosForVariable(const Output &handle);
  /// Zeros for an Exit whose value nothing looks at. **Source**:
  /// ZerosLikeForExit.
  Gradient zerosForExit(const Output &exit);
  /// Closes the loops of gradients that have not come around: a variable that
  /// does not depend on the iteration before. **Source**: PostProcessing.
  void finish();

  /// The Merges of gradients of loop variables, by the Switches of these.
  std::vector<std::pair<const Node *, Output>> merges;
  /// The loop variables' Exits, as the walk back meets them.
  std::vector<Output> exits, unusedExits, deferredExits;
  int pendingExits = 0;

private:
  LoopState(BuildState &state, WhileContext &forward, WhileContext &backward,
            LoopState *outer, std::shared_ptr<ControlFlowContext> caller)
      : exits(forward.loopExits), pendingExits(int(forward.loopExits.size())),
        state(state), forward(forward), backward(backward), outer(outer),
        caller(std::move(caller)) {}

  struct LoopVariable {
    Output exit;                ///< without a node after an error
    const Node *next = nullptr; ///< what an iteration makes of it
    const Node *nextIteration = nullptr;
  };
  Output countForward();
  void countBackward(const Output &count);
  /// Adds a variable to a loop; the first one of a backward loop counts its
  /// iterations down. `shape` is what holds in every one, where that is less
  /// than what is known of the start.
  LoopVariable addVariable(WhileContext &loop, const Output &start,
                           const std::function<Output(const Output &)> &next,
                           std::string_view name, std::string_view mergeName,
                           const Shape *shape = nullptr);
  /// Adds a variable that sums up to the backward loop; its Exit.
  Output addSum(const Output &start,
                const std::function<Output(const Output &)> &next,
                const Shape *shape = nullptr);
  Gradient accumulateSlices(const Node &enter, const IndexedSlices &gradient);
  const Node *forwardSync();
  const Node *backwardSync();

  BuildState &state;
  WhileContext &forward;
  WhileContext &backward;
  LoopState *outer;
  std::shared_ptr<ControlFlowContext> caller;
  /// The counters' NextIterations, and what the first one takes on.
  const Node *forwardIndex = nullptr, *forwardAdd = nullptr;
  const Node *backwardIndex = nullptr;
  Output one; ///< by which the backward loop counts down
  const Node *forwardTrigger = nullptr, *backwardTrigger = nullptr;
  std::map<Output, Output, OutputOrder> history;
};

} // namespace kiln

#endif // KILN_LIB_AUTODIFF_LOOPSTATE_H
