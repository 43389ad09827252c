// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of cross entropies.
#include "lib/Autodiff/GradientCall.h"

namespace kiln {
namespace {

Output timesRows(const Output &rows, const Output &matrix) {
  return ops::expandDims(rows, -1) * matrix;
}

/// The op has the gradient as its second output; where that one's own gradient
/// is asked for, it is the softmax's. **Source**: nn_grad.
Output logitsGradient(GradientCall &call, bool hasSecond) {
  Output logits = call.in(0), given = call.out(1);
  Output gradient = timesRows(call.grad(0), given);
  if (!hasSecond)
    return gradient;
  Output probabilities = addOp("Softmax", {logits});
  Output second = call.grad(1);
  Output product = ops::matMul(ops::expandDims(second, 1),
                               ops::expandDims(probabilities, 2));
  Output centered = second - ops::squeeze(product, {.axis = {1}});
  return gradient + centered * probabilities;
}

/// Whether the gradient of an output is the zeros that stand for none.
bool isZeros(const Output &gradient) {
  return gradient.node->op() == "ZerosLike";
}

} // namespace

void registerLossesGradients(GradientRegistry &registry) {
  registry.add({"SoftmaxCrossEntropyWithLogits"}, [](GradientCall &call) {
    call.set(0, logitsGradient(call, !isZeros(call.grad(1))));
    Output logSoftmax = addOp("LogSoftmax", {call.in(0)});
    call.set(1, timesRows(call.grad(0), -logSoftmax));
  });
  registry.add({"SparseSoftmaxCrossEntropyWithLogits"}, [](GradientCall &call) {
    call.set(0, logitsGradient(call, !isZeros(call.grad(1))));
  });
}

} // namespace kiln
