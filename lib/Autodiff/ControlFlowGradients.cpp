// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradients of Switch, Merge, Enter and Exit: those of the conditional or
// of the loop that they are part of.
#include "lib/Autodiff/ControlFlowGradients.h"

#include "lib/Autodiff/LoopState.h"
#include "lib/Build/BuildState.h"

#include <algorithm>

namespace kiln {
namespace {

BuildState &current() { return GraphBuilder::current().internals(); }

/// The conditional whose branch a node is in; null outside.
const CondContext *condOf(const Node &node) {
  return dynamic_cast<const CondContext *>(
      outputContext(current(), node).get());
}
/// The loop that a node is right in; null outside.
const WhileContext *loopOf(const Node &node) {
  return dynamic_cast<const WhileContext *>(
      outputContext(current(), node).get());
}

const Node *flow(std::string_view op, std::string name,
                 std::vector<std::variant<Input, InputList>> inputs) {
  return GraphBuilder::current().addOp({.op = std::string(op),
                                        .name = std::move(name),
                                        .inputs = std::move(inputs)});
}

/// A Switch beside what it leads on. **Source**: _SwitchRefOrTensor.
const Node *switchOf(const Output &value, const Output &pred,
                     std::string name) {
  ColocationScope place(value, /*ignoreExisting=*/true);
  return flow("Switch", std::move(name), {value, pred});
}

/// A loop variable's Switch comes twice: first with the gradient from behind
/// the loop, which a Merge begins with, then with that of the body, which is
/// the Merge's for the next iteration back.
void loopSwitchGradient(GradientCall &call, LoopState &loop) {
  auto found = std::ranges::find(loop.merges, &call.node,
                                 [](const auto &each) { return each.first; });
  if (found == loop.merges.end()) {
    Output dy = call.grad(0);
    if (!dy.node)
      return;
    if (const Node *merge = flow("Merge", "b_switch", {InputList{dy, dy}})) {
      loop.merges.emplace_back(&call.node, Output{merge, 0});
      call.set(0, Output{merge, 0});
    }
    return;
  }
  Output dy = call.grad(1);
  if (!dy.node)
    return;
  const Node *next = flow("NextIteration", "NextIteration", {dy});
  if (!next)
    return;
  if (Status status = current().graph->closeLoop(*found->second.node, *next);
      !status.ok())
    call.fail(status);
}

} // namespace

void mergeGradient(GradientCall &call) {
  Output dy = call.grad(0);
  LoopState *loop = LoopState::current(current());
  if (loopOf(*call.in(0).node)) {
    // The Merge of a loop variable: the end of the backward loop, or its next
    // iteration.
    const Node *node =
        loop ? switchOf(dy, loop->backwardLoop().loopCond, "Switch") : nullptr;
    for (int i = 0; node && i < 2; ++i)
      call.set(i, Output{node, i});
    return;
  }
  if (const CondContext *cond = condOf(*call.in(0).node)) {
    // In a loop, the branch that was taken in that iteration.
    Output pred = loop ? loop->saved(cond->pred) : cond->pred;
    const Node *node = switchOf(dy, pred, "cond_grad");
    for (int i = 0; node && i < 2; ++i)
      call.set(i, Output{node, i});
    return;
  }
  // No conditional that is known of: the Merge tells which input it took.
  for (int i = 0; i < call.node.numInputs(); ++i) {
    Output isTaken = addOp("Equal", {call.out(1), i});
    if (const Node *node = switchOf(dy, isTaken, "Switch"))
      call.set(i, Output{node, 1});
  }
}

void exitGradient(GradientCall &call) {
  LoopState *loop = LoopState::current(current());
  if (!loop || !loop->backwardLoop().backProp)
    return;
  auto own = current().contexts.find(&call.node);
  if (own != current().contexts.end() && own->second->asWhile() &&
      own->second->asWhile()->forwardValues)
    return call.fail(invalidArgumentError(
        "Second-order gradient for while loops not supported."));
  call.set(0, loop->enterGradient(call.grad(0)));
}

void enterGradient(GradientCall &call) {
  LoopState *loop = LoopState::current(current());
  if (!loop || !loop->backwardLoop().backProp)
    return call.set(0, call.sparseGrad());
  if (isLoopConstantEnter(call.node))
    return call.set(0, loop->accumulate(call.node, call.sparseGrad()));
  const Node *exit = flow("Exit", "Exit", {call.grad(0)});
  if (!exit)
    return;
  WhileContext &backward = loop->backwardLoop();
  backward.loopExits.push_back({exit, 0});
  if (backward.outer)
    backward.outer->addValue({exit, 0});
  call.set(0, Output{exit, 0});
}

void switchGradient(GradientCall &call) {
  if (loopOf(call.node)) {
    if (LoopState *loop = LoopState::current(current()))
      loopSwitchGradient(call, *loop);
    return;
  }
  if (condOf(call.node)) {
    Output falseGrad = call.grad(0), trueGrad = call.grad(1);
    if (!falseGrad.node || !trueGrad.node)
      return;
    if (const Node *node =
            flow("Merge", "cond_grad", {InputList{falseGrad, trueGrad}}))
      call.set(0, Output{node, 0});
    return;
  }
  Output pred = call.in(1);
  const Node *whenFalse = flow("Switch", "Switch", {call.grad(0), pred});
  const Node *whenTrue = flow("Switch", "Switch", {call.grad(1), pred});
  if (!whenFalse || !whenTrue)
    return;
  if (const Node *node =
          flow("Merge", "Merge",
               {InputList{Output{whenFalse, 0}, Output{whenTrue, 1}}}))
    call.set(0, Output{node, 0});
}

} // namespace kiln
