// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of variables and assignments.
#include "lib/Ops/State/Shape.h"

#include "lib/OpDefs/Ranks.h"
#include "lib/Ops/Array/Shape.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {

SymShape variableShape(const InferenceContext &context, int i) {
  const ValueInfo &value = context.input(i);
  if (value.dtype != DType::Resource)
    return value.shape;
  return value.handle ? value.handle->shape : SymShape::unknownRank();
}

Status inferVariable(InferenceContext &context) {
  SymShape shape = context.shapeAttr("shape");
  // Graphs of Variable's time wrote a scalar's shape for an unknown one.
  if (context.node().op() == "Variable" && shape.rank() == 0)
    shape = SymShape::unknownRank();
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferTemporaryVariable(InferenceContext &context) {
  SymShape shape = context.shapeAttr("shape");
  if (!shape.rankKnown || !std::all_of(shape.dims.begin(), shape.dims.end(),
                                       [](Dim dim) { return dim.isKnown(); }))
    return context.error("expected a temporary variable of a known shape");
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferDestroyTemporary(InferenceContext &context) {
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

Status inferNoOutputs(InferenceContext &) { return okStatus(); }

Status inferVarHandle(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  context.setOutputHandle(
      0, {context.typeAttr("dtype"), context.shapeAttr("shape")});
  return okStatus();
}

Status inferIsInitialized(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferVariableShape(InferenceContext &context) {
  setExtents(context, 0, variableShape(context, 0));
  return okStatus();
}

Status inferReadVariable(InferenceContext &context) {
  const std::optional<HandleInfo> &handle = context.input(0).handle;
  DType dtype = context.typeAttr("dtype");
  if (handle && handle->dtype != dtype)
    return context.error(
        strCat("Trying to read variable with wrong dtype. Expected ",
               dtypeTfName(dtype), " got ", dtypeTfName(handle->dtype)));
  context.setOutputShape(0, variableShape(context, 0));
  return okStatus();
}

Status inferAssign(InferenceContext &context) {
  if (!context.boolAttr("validate_shape")) {
    context.setOutputShape(0, context.inputShape(1));
    return okStatus();
  }
  KILN_RETURN_IF_ERROR(
      demandSameShape(context, context.inputShape(0), context.inputShape(1)));
  GuardInfo info{
      .prefix = "Assign requires shapes of both tensors to match. lhs shape= ",
      .joiner = " rhs shape= "};
  KILN_ASSIGN_OR_RETURN(
      SymShape shape,
      sameShape(context, context.inputShape(0), context.inputShape(1), info));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferAssignUpdate(InferenceContext &context) {
  GuardInfo info{.prefix = "Parameters and update must be the same size"};
  KILN_ASSIGN_OR_RETURN(
      SymShape shape,
      sameShape(context, context.inputShape(0), context.inputShape(1), info));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferCountUpTo(InferenceContext &context) {
  const SymShape shape = variableShape(context, 0);
  if (shape.rankKnown && shape.rank() != 0)
    return context.error(
        context.isBuilding()
            ? strCat("Shape must be rank 0 but is rank ", shape.rank())
            : strCat("input is not a scalar: ",
                     context.dims().format(shape.dims)));
  const std::optional<HandleInfo> &handle = context.input(0).handle;
  const DType dtype = context.typeAttr("T");
  if (handle && handle->dtype != dtype)
    return context.error(
        strCat("Trying to count in a variable with wrong dtype. Expected ",
               dtypeTfName(handle->dtype), " got ", dtypeTfName(dtype)));
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferResourceAssign(InferenceContext &context) {
  const std::optional<HandleInfo> &handle = context.input(0).handle;
  DType dtype = context.typeAttr("dtype");
  if (handle && handle->dtype != dtype)
    return context.error(
        strCat("Trying to assign variable with wrong dtype. Expected ",
               dtypeTfName(handle->dtype), " got ", dtypeTfName(dtype)));
  // What has no static shape takes any that its declaration allows.
  if (context.input(0).dynamicVariable >= 0 &&
      !context.boolAttr("validate_shape"))
    return okStatus();
  GuardInfo info{.prefix = "Trying to assign to variable with tensor with "
                           "wrong shape. Expected ",
                 .joiner = " got "};
  return sameShape(context, variableShape(context, 0), context.inputShape(1),
                   info)
      .status();
}

Status inferResourceUpdate(InferenceContext &context) {
  GuardInfo info{.prefix = "Cannot update variable with shape ",
                 .joiner = " using a Tensor with shape ",
                 .suffix = ", shapes must be equal."};
  return sameShape(context, variableShape(context, 0), context.inputShape(1),
                   info)
      .status();
}

} // namespace kiln::shapes
