// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops that pass values on.
#include "lib/Ops/ControlFlow/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"

namespace kiln::shapes {
namespace {

/// Output i is input j.
void passOn(InferenceContext &context, int i, int j) {
  const ValueInfo &value = context.input(j);
  context.setOutputShape(i, value.shape);
  if (value.contents)
    context.setOutputContents(i, *value.contents);
  if (value.handle)
    context.setOutputHandle(i, *value.handle);
}

} // namespace

Status inferNone(InferenceContext &) { return okStatus(); }

Status inferCall(InferenceContext &context) {
  const AttrValue *attr = context.node().findAttr("output_shapes");
  const auto *shapes = attr ? attr->getIf<std::vector<Shape>>() : nullptr;
  for (int i = 0; i < context.numOutputs(); ++i)
    context.setOutputShape(
        i, shapes && shapes->size() == static_cast<size_t>(context.numOutputs())
               ? toSymShape((*shapes)[static_cast<size_t>(i)])
               : SymShape::unknownRank());
  return okStatus();
}

Status inferIdentity(InferenceContext &context) {
  passOn(context, 0, 0);
  return okStatus();
}

Status inferSwitch(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(1), 0).status());
  passOn(context, 0, 0);
  passOn(context, 1, 0);
  return okStatus();
}

/// Import makes branches and loops of Merges; a graph that is being built knows
/// what all inputs have in common, and of a loop, whose last input comes later,
/// nothing.
Status inferMerge(InferenceContext &context) {
  SymShape shape = context.inputShape(0);
  for (int i = 1; i < context.numInputs(); ++i) {
    const SymShape &other = context.inputShape(i);
    if (context.inputDType(i) == DType::Invalid || !other.rankKnown ||
        shape.rank() != other.rank()) {
      shape = SymShape::unknownRank();
      break;
    }
    for (size_t d = 0; d < shape.dims.size(); ++d)
      if (!(shape.dims[d] == other.dims[d]))
        shape.dims[d] = Dim::unknown();
  }
  context.setOutputShape(0, std::move(shape));
  context.setOutputShape(1, SymShape::scalar());
  return okStatus();
}

Status inferOptional(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferLoopCond(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(0), 0).status());
  passOn(context, 0, 0);
  return okStatus();
}

Status inferToBool(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferIdentityN(InferenceContext &context) {
  for (int i = 0; i < context.numInputs(); ++i)
    passOn(context, i, i);
  return okStatus();
}

} // namespace kiln::shapes
