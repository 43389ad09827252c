// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cells of recurrent networks have in common: calls in their scopes, and
// zeros to begin with.
#include "kiln/RnnCell.h"

#include "kiln/BuildOps.h"
#include "kiln/Operators.h"
#include "lib/Support/Strings.h"
#include "lib/Train/RnnShapes.h"

namespace kiln {
namespace {

/// Extents that are known as a constant, a scalar as a vector of one. A number
/// is that of a vector.
Output asVector(const Input &extents) {
  const Output *tensor = extents.output();
  if (!tensor)
    return ops::constant(std::holds_alternative<int64_t>(extents.value())
                             ? Input{extents}
                             : extents,
                         {.dtype = DType::Int32});
  return tensor->shape().rank() == 0 ? ops::expandDims(*tensor, 0) : *tensor;
}

bool isKnown(const Input &extents) {
  const Shape *shape = std::get_if<Shape>(&extents.value());
  return !shape || shape->isFullyDefined();
}

std::string textOf(const Input &extents) {
  if (const Shape *shape = std::get_if<Shape>(&extents.value()))
    return shape->toTupleString();
  if (const int64_t *number = std::get_if<int64_t>(&extents.value()))
    return strCat(*number);
  return extents.output() ? extents.output()->name() : "extents";
}

} // namespace

Input batchOf(const Outputs &tensors, int axis) {
  for (const Output &tensor : tensors)
    if (tensor.shape().rank() > axis && tensor.shape().dim(axis) >= 0)
      return tensor.shape().dim(axis);
  return ops::shape(tensors[0])[axis];
}

Output extentsOf(const Input &batch, const Input &size) {
  if (!isKnown(batch) || !isKnown(size)) {
    GraphBuilder::current().fail(invalidArgumentError(
        strCat("Provided a prefix or suffix of None: ", textOf(batch), " and ",
               textOf(size))));
    return {};
  }
  Output first = asVector(batch), second = asVector(size);
  return ops::concat({first, second}, 0);
}

void addUnusedExtents(const Input &batch, const Input &size) {
  if (isKnown(batch))
    asVector(batch);
  if (isKnown(size))
    asVector(size);
}

Output zerosOf(const Input &batch, const Input &size, DType dtype) {
  return ops::zeros(extentsOf(batch, size), {.dtype = dtype});
}

Output unlessOver(const Output &isOver, const Output &old, const Output &next) {
  if (old.shape().rank() == 0)
    return next;
  ColocationScope place(next);
  return ops::where(isOver, old, next);
}

Outputs RnnCell::Step::outputs() const {
  Outputs all{output};
  all.insert(all.end(), moreOutputs.begin(), moreOutputs.end());
  return all;
}

RnnCell::Step RnnCell::operator()(const Outputs &inputs, const Outputs &state) {
  for (const Output &input : inputs)
    if (!input.node)
      return {};
  GraphScope graph(inputs.empty() ? GraphBuilder::current()
                                  : GraphBuilder::of(inputs[0]));
  return call(inputs, state);
}

Outputs RnnCell::zeroState(const Input &batch, DType dtype) const {
  GraphScope graph(batch.output() ? GraphBuilder::of(*batch.output())
                                  : GraphBuilder::current());
  NameScope names(kind() + "ZeroState");
  return zeros(batch, dtype);
}

Outputs RnnCell::zeros(const Input &batch, DType dtype) const {
  Outputs all;
  for (const Shape &shape : stateShapes())
    all.push_back(zeroStateOf(batch, shape, dtype));
  return all;
}

Output zeroStateOf(const Input &batch, const Input &shape, DType dtype) {
  Output zeros = zerosOf(batch, shape, dtype);
  addUnusedExtents(batch, shape);
  return zeros;
}

Outputs FunctionCell::zeroState(const Input &batch, DType dtype) const {
  return makesZeros ? makesZeros(batch, dtype)
                    : RnnCell::zeroState(batch, dtype);
}

std::vector<Shape> LayerRnnCell::stateShapes() const {
  std::vector<Shape> shapes;
  for (int64_t size : stateSizes())
    shapes.push_back({size});
  return shapes;
}

RnnCell::Step LayerRnnCell::call(const Outputs &inputs, const Outputs &state) {
  auto refuse = [](std::string text) {
    GraphBuilder::current().fail(invalidArgumentError(std::move(text)));
    return Step();
  };
  if (inputs.size() != 1)
    return refuse(strCat("expected one input, got ", inputs.size()));
  const Output &input = inputs[0];
  if (input.shape().rank() != 2 || input.shape().dim(1) < 0)
    return refuse(strCat("Expected inputs.shape[-1] to be known, saw shape: ",
                         input.shape().toTupleString()));
  if (state.size() != stateSizes().size())
    return refuse(strCat("expected a state of ", stateSizes().size(),
                         " tensors, got ", state.size()));
  if (!scope)
    scope = reuse == Reuse(false)
                ? VariableScope(std::nullopt, {.defaultName = name}).handle()
                : VariableScope(name).handle();
  VariableScope variables(*scope,
                          {.reuse = reuse, .auxiliaryNameScope = false});
  NameScope names(scope->originalNameScope());
  build(input.shape().dim(1), input.dtype());
  return step(input, state);
}

} // namespace kiln
