// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of TensorFlow 1 and the loop that goes back through it: what comes in,
// what is summed up, and zeros.
#include "kiln/Operators.h"
#include "lib/Autodiff/GradientCall.h"
#include "lib/Autodiff/LoopState.h"
#include "lib/Build/FunctionGraph.h"
#include "lib/Build/UnpublishedNodes.h"

namespace kiln {
namespace {

/// The shape of a tensor, or of the variable that a handle is of, as the run
/// has it.
Output shapeInRun(const Output &value, DType outType = DType::Int32) {
  if (value.dtype() == DType::Resource)
    return addOp("VariableShape", {value}, {{"out_type", outType}});
  return ops::shape(value, {.outType = outType, .optimize = false});
}

/// Zeros like the value; of a shape that is not known, as the run has it.
Output zerosLikeIn(const Output &value, const Shape &shape, DType dtype,
                   std::string_view name) {
  if (shape.isFullyDefined())
    return ops::constant(
        0, {.dtype = dtype, .shape = shape, .name = std::string(name)});
  return ops::zeros(shapeInRun(value), {.dtype = dtype});
}

} // namespace

Output LoopState::enterGradient(const Output &gradient) {
  backward.addValue(gradient);
  ContextScope inside(state, backward.shared_from_this());
  Output entered =
      backward.addEnter(state, gradient, /*isConstant=*/false, "b_exit");
  backward.loopEnters.push_back(entered);
  return entered;
}

Gradient LoopState::accumulate(const Node &enter, const Gradient &gradient) {
  if (gradient.isSparse())
    return accumulateSlices(enter, gradient.slices());
  const Output &term = gradient.tensor();
  Output zero;
  {
    ContextScope around(state, backward.outer);
    zero = zerosLikeIn(enter.input(0), term.shape(), term.dtype(), "b_acc");
  }
  if (!zero.node)
    return {};
  return addSum(zero, [&](const Output &sum) {
    return addOp("AddV2", {sum, term}, {}, "Add");
  });
}

Output LoopState::addSum(const Output &start,
                         const std::function<Output(const Output &)> &next,
                         const Shape *shape) {
  constexpr std::string_view name = "b_acc";
  return addVariable(backward, start, next, name, name, shape).exit;
}

Gradient LoopState::accumulateSlices(const Node &enter,
                                     const IndexedSlices &gradient) {
  const Output &source = enter.input(0);
  Output values, indices, denseShape;
  {
    // A row of zeros comes first, for a loop without iterations.
    ContextScope around(state, backward.outer);
    if (const Shape &shape = gradient.values.shape(); shape.isFullyDefined()) {
      std::vector<int64_t> dims(shape.dims().begin(), shape.dims().end());
      dims[0] = 1;
      values = ops::constant(0, {.dtype = gradient.values.dtype(),
                                 .shape = Shape(dims),
                                 .name = "b_acc"});
    } else {
      Output row = shapeInRun(source)[{sliceFrom(1)}];
      values = ops::zeros(ops::concat(InputList{vectorOf({1}), row}, 0),
                          {.dtype = gradient.values.dtype()});
    }
    indices = ops::constant(
        0, {.dtype = gradient.indices.dtype(), .shape = Shape{1}});
    // Not zeros as TensorFlow's, whose sum over no iterations has no shape.
    if (const Output &shape = gradient.denseShape; shape.node)
      denseShape = addOp("Identity", {shapeInRun(source, shape.dtype())});
  }
  if (state.failed())
    return {};
  auto join = [&](const Output &term) {
    return [&term](const Output &all) {
      return ops::concat(InputList{all, term}, 0);
    };
  };
  Shape anyIndices{Shape::unknownDim}, anyValues = values.shape();
  if (anyValues.hasRank()) {
    std::vector<int64_t> dims(anyValues.dims().begin(), anyValues.dims().end());
    dims[0] = Shape::unknownDim;
    anyValues = Shape(dims);
  }
  IndexedSlices sum;
  sum.indices = addSum(indices, join(gradient.indices), &anyIndices);
  sum.values = addSum(values, join(gradient.values), &anyValues);
  if (denseShape.node)
    sum.denseShape = addSum(denseShape, [&](const Output &largest) {
      return addOp("Maximum", {gradient.denseShape, largest});
    });
  return state.failed() ? Gradient() : Gradient(sum);
}

Gradient LoopState::zerosFor(const Output &output) {
  const Node &node = *output.node;
  DType dtype = output.dtype();
  if (dtype == DType::Resource)
    return zerosForVariable(output);
  if (dtype == DType::Variant)
    return {};
  const CondContext *branch = nullptr;
  if (node.op() == "Switch" || node.op() == "RefSwitch")
    branch =
        dynamic_cast<const CondContext *>(outputContext(state, node).get());
  ContextScope inside(state, backward.shared_from_this());
  if (!branch && output.shape().isFullyDefined())
    return zerosLikeIn(output, output.shape(), dtype, "");
  if (!branch) {
    Output shape;
    {
      ContextScope around(state, outputContext(state, node));
      shape = shapeInRun(output);
    }
    Output real = pop(push(shape), shape);
    return real.node ? Gradient(ops::zeros(real, {.dtype = dtype}))
                     : Gradient();
  }
  // The output is dead where the branch is taken, whose gradient is not zero.
  const int other = 1 - branch->branch;
  if (output.shape().isFullyDefined()) {
    Output zero = zerosLikeIn(output, output.shape(), dtype, "");
    const Node *guard = addSwitch(state, zero, saved(branch->pred));
    return guard ? Gradient(Output{guard, other}) : Gradient();
  }
  Output shape;
  {
    ContextScope around(state, branch->outer);
    Output value{addSwitch(state, node.input(0), branch->pred), other};
    shape = value.node ? shapeInRun(value) : Output();
    if (!shape.node)
      return {};
    auto context = outputContext(state, node);
    state.contexts[value.node] = context;
    state.contexts[shape.node] = context;
  }
  Output stack = push(shape, /*isOther=*/true);
  Output real = pop(stack, shape, /*isOther=*/true);
  return real.node ? Gradient(ops::zeros(real, {.dtype = dtype})) : Gradient();
}

/// **Difference**: TensorFlow asks for the shape by the handle in the loop, of
/// which it keeps one for each iteration.
Gradient LoopState::zerosForVariable(const Output &handle) {
  auto variable = variableOfHandle(handle);
  const auto *branch = dynamic_cast<const CondContext *>(
      outputContext(state, *handle.node).get());
  if (!variable || !branch || handle.node->op() != "Switch")
    return {};
  Output root = handle;
  while (root.node->op() == "Switch" || root.node->op() == "Enter")
    root = root.node->input(0);
  ContextScope inside(state, backward.shared_from_this());
  Output zero =
      ops::zeros(addOp("VariableShape", {root}), {.dtype = variable->first});
  const Node *guard = addSwitch(state, zero, saved(branch->pred));
  return guard ? Gradient(Output{guard, 1 - branch->branch}) : Gradient();
}

Gradient LoopState::zerosForExit(const Output &exit) {
  if (outer && !exit.shape().isFullyDefined()) {
    Output shape;
    {
      ContextScope around(state, forward.outer);
      shape = shapeInRun(exit);
    }
    Output stack = outer->push(shape);
    ContextScope inside(state, backward.outer);
    Output real = outer->pop(stack, shape);
    return real.node ? Gradient(ops::zeros(real, {.dtype = exit.dtype()}))
                     : Gradient();
  }
  ContextScope around(state, backward.outer);
  if (exit.shape().isFullyDefined())
    return ops::zeros(exit.shape(), {.dtype = exit.dtype()});
  return addOp("ZerosLike", {exit}, {}, "zeros_like");
}

void LoopState::finish() {
  for (const auto &[node, merge] : merges) {
    const Output &start = merge.node->input(0);
    if (state.failed() || !(start == merge.node->input(1)))
      continue;
    Output zero;
    if (!start.shape().isFullyDefined()) {
      ContextScope around(state, backward.outer);
      zero =
          zerosLikeIn(start.node->input(0), start.shape(), start.dtype(), "");
    }
    ContextScope inside(state, backward.shared_from_this());
    if (!zero.node)
      zero = zerosLikeIn(start, start.shape(), start.dtype(), "");
    if (!zero.node)
      return;
    const Node *again = addFlowNode(state, "NextIteration", "", {zero});
    if (!again)
      return;
    if (Status status = state.graph->closeLoop(*merge.node, *again);
        !status.ok())
      state.fail(status);
  }
}

} // namespace kiln
