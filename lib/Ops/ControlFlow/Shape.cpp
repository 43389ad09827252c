// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops that pass values on.
#include "lib/Ops/ControlFlow/Shape.h"

#include "lib/Ops/Inference.h"

namespace kiln::shapes {
namespace {

void passOn(InferenceContext &context, int i) {
  const ValueInfo &value = context.input(i);
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
  passOn(context, 0);
  return okStatus();
}

Status inferIdentityN(InferenceContext &context) {
  for (int i = 0; i < context.numInputs(); ++i)
    passOn(context, i);
  return okStatus();
}

} // namespace kiln::shapes
