// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gradient functions are written with.
#include "lib/Autodiff/GradientCall.h"

#include "kiln/ConstantValue.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {

Output Gradient::toTensor() const {
  if (!isSparse())
    return dense;
  GraphScope graph(GraphBuilder::of(rows.values));
  if (!rows.denseShape.node) {
    GraphBuilder::current().fail(invalidArgumentError(
        strCat("Tensor conversion requested for IndexedSlices without "
               "dense_shape: ",
               rows.values.name())));
    return {};
  }
  return addOp("UnsortedSegmentSum",
               {rows.values, rows.indices, rows.denseShape[0]});
}

Output GradientCall::grad(int i) {
  Gradient &gradient = outputs[static_cast<size_t>(i)];
  if (gradient.isSparse())
    gradient = gradient.toTensor();
  return gradient.tensor();
}

void GradientCall::setAll(std::vector<Gradient> gradients) {
  if (gradients.size() != inputs.size())
    return fail(invalidArgumentError(
        strCat("Num gradients ", gradients.size(), " generated for op ",
               node.name(), " do not match num inputs ", inputs.size())));
  inputs = std::move(gradients);
}

AttrMap
GradientCall::attrs(std::initializer_list<std::string_view> names) const {
  AttrMap found;
  for (std::string_view name : names)
    if (const AttrValue *value = node.findAttr(name))
      found.set(std::string(name), *value);
  return found;
}

void GradientCall::fail(Status error) const {
  GraphBuilder::current().fail(error.withNode(node.name()));
}

Output addOp(std::string_view op,
             std::vector<std::variant<Input, InputList>> inputs, AttrMap attrs,
             std::string_view name) {
  const Node *node = GraphBuilder::current().addOp({.op = std::string(op),
                                                    .name = std::string(name),
                                                    .inputs = std::move(inputs),
                                                    .attrs = std::move(attrs)});
  return {node, 0};
}

std::vector<Output>
addOpOutputs(std::string_view op,
             std::vector<std::variant<Input, InputList>> inputs, size_t count,
             AttrMap attrs, std::string_view name) {
  const Node *node = addOp(op, std::move(inputs), std::move(attrs), name).node;
  std::vector<Output> outputs(count);
  for (size_t i = 0; node && i < count; ++i)
    outputs[i] = {node, static_cast<int>(i)};
  return outputs;
}

std::optional<std::vector<int64_t>> knownIntegers(const Input &value) {
  return ops::knownIntegers(value);
}

namespace {

/// The axes of each operand that a broadcast repeats; nothing where that is
/// decided in the run. **Source**: _InferGradientReductionAxes.
std::optional<std::pair<std::vector<int32_t>, std::vector<int32_t>>>
broadcastAxes(const Shape &x, const Shape &y) {
  if (!x.hasRank() || !y.hasRank())
    return std::nullopt;
  std::pair<std::vector<int32_t>, std::vector<int32_t>> axes;
  int rank = std::max(x.rank(), y.rank());
  for (int axis = 0; axis < rank; ++axis) {
    int xAxis = axis - (rank - x.rank()), yAxis = axis - (rank - y.rank());
    int64_t xDim = xAxis < 0 ? 1 : x.dim(xAxis);
    int64_t yDim = yAxis < 0 ? 1 : y.dim(yAxis);
    if (xDim == 1 && yDim != 1)
      axes.first.push_back(axis);
    else if (yDim == 1 && xDim != 1)
      axes.second.push_back(axis);
    else if (xDim == Shape::unknownDim || yDim == Shape::unknownDim)
      return std::nullopt;
  }
  return axes;
}

} // namespace

std::pair<Output, Output> reduceToOperands(const Output &x, const Output &y,
                                           const Output &gx, const Output &gy) {
  if (!gx.node && !gy.node)
    return {gx, gy};
  Output shapes[] = {ops::shape(x), ops::shape(y)};
  Output gradients[] = {gx, gy};
  auto known = broadcastAxes(x.shape(), y.shape());
  std::vector<Output> computed;
  if (!known)
    computed = addOpOutputs("BroadcastGradientArgs", {shapes[0], shapes[1]}, 2);
  for (int side = 0; side < 2; ++side) {
    Output &gradient = gradients[side];
    if (!gradient.node)
      continue;
    Input axes = 0;
    if (known) {
      const auto &list = side == 0 ? known->first : known->second;
      int own = side == 0 ? x.shape().rank() : y.shape().rank();
      int other = side == 0 ? y.shape().rank() : x.shape().rank();
      if (list.empty() && own >= other)
        continue;
      axes = Input(list);
    } else {
      axes = computed[static_cast<size_t>(side)];
    }
    gradient = ops::reduceSum(gradient, axes, {.keepDims = true});
    gradient = addOp("Reshape", {gradient, shapes[side]});
  }
  return {gradients[0], gradients[1]};
}

std::pair<Output, Output> sumToOperands(const Output &shapeX,
                                        const Output &shapeY, const Output &gx,
                                        const Output &gy) {
  auto axes = addOpOutputs("BroadcastGradientArgs", {shapeX, shapeY}, 2);
  auto sum = [](const Output &gradient, const Output &over,
                const Output &shape) {
    if (!gradient.node)
      return Output();
    return addOp("Reshape", {ops::reduceSum(gradient, over), shape});
  };
  return {sum(gx, axes[0], shapeX), sum(gy, axes[1], shapeY)};
}

Input reducedShape(const Output &shape, const Output &axes) {
  auto known = knownIntegers(shape), reduced = knownIntegers(axes);
  if (known && reduced) {
    std::vector<int32_t> dims(known->begin(), known->end());
    int64_t rank = static_cast<int64_t>(dims.size());
    for (int64_t axis : *reduced)
      if (axis >= -rank && axis < rank)
        dims[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = 1;
    return Input(dims);
  }
  Output rank = ops::size(shape);
  Output positive = ops::cast(axes, DType::Int32);
  positive = (positive + rank) % rank;
  Output extents = ops::shape(positive);
  Output all = ops::range(0, rank);
  Output ones = ops::ones(extents, {.dtype = DType::Int32});
  return addOp("DynamicStitch",
               {InputList{all, positive}, InputList{shape, ones}});
}

Output constantBeside(const Output &tensor, const Output &dy) {
  if (!tensor.node || !dy.node || tensor.node->op() != "Const")
    return tensor;
  BuildState &state = GraphBuilder::current().internals();
  auto value =
      outputContext(state, *tensor.node) == outputContext(state, *dy.node)
          ? std::nullopt
          : ops::constantValue(tensor);
  return value ? ops::constant(Input(*value)) : tensor;
}

bool sameKnownShape(const Output &x, const Output &y, const Output &z) {
  return x.shape().isFullyDefined() && x.shape() == y.shape() &&
         x.shape() == z.shape();
}

Output conjugated(const Output &tensor) {
  return isComplex(tensor.dtype()) ? addOp("Conj", {tensor}) : tensor;
}

Output reshapeLike(const Output &tensor, const Output &like) {
  return addOp("Reshape", {tensor, ops::shape(like)});
}

} // namespace kiln
