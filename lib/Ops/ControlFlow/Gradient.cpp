// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of identities and of the conditionals of TensorFlow 1.
#include "lib/Autodiff/GradientCall.h"
#include "lib/Build/BuildState.h"

namespace kiln {
namespace {

/// The conditional whose branch a node is in; null outside.
const CondContext *condOf(const Node &node) {
  const BuildState &state = GraphBuilder::current().internals();
  return dynamic_cast<const CondContext *>(outputContext(state, node).get());
}

const Node *flow(std::string_view op, std::string name,
                 std::vector<std::variant<Input, InputList>> inputs) {
  return GraphBuilder::current().addOp({.op = std::string(op),
                                        .name = std::move(name),
                                        .inputs = std::move(inputs)});
}

/// Each branch gets what flows back where it was taken.
void mergeGradient(GradientCall &call) {
  Output dy = call.grad(0);
  if (const CondContext *cond = condOf(*call.in(0).node)) {
    const Node *node = flow("Switch", "cond_grad", {dy, cond->pred});
    for (int i = 0; node && i < 2; ++i)
      call.set(i, Output{node, i});
    return;
  }
  // No conditional that is known of: the Merge tells which input it took.
  for (int i = 0; i < call.node.numInputs(); ++i) {
    Output isTaken = addOp("Equal", {call.out(1), i});
    if (const Node *node = flow("Switch", "Switch", {dy, isTaken}))
      call.set(i, Output{node, 1});
  }
}

void switchGradient(GradientCall &call) {
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

} // namespace

void registerControlFlowGradients(GradientRegistry &registry) {
  registry.add({"Identity", "RefIdentity"},
               [](GradientCall &call) { call.set(0, call.sparseGrad()); });
  registry.add({"IdentityN"}, [](GradientCall &call) {
    for (int i = 0; i < call.node.numInputs(); ++i)
      call.set(i, call.sparseGrad(i));
  });
  registry.add({"PreventGradient"}, [](GradientCall &call) {
    call.fail(notFoundError("Gradient explicitly disabled. Reason: " +
                            call.attr<std::string>("message")));
  });
  registry.add({"Merge", "RefMerge"}, mergeGradient);
  registry.add({"Switch", "RefSwitch"}, switchGradient);
}

} // namespace kiln
