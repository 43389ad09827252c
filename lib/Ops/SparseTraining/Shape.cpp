// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape function of optimizer steps for some rows.
#include "lib/Ops/SparseTraining/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Ops/State/Shape.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// Demands that a slot has the shape of the variable.
Status checkSlot(InferenceContext &context, const SymShape &var,
                 const std::string &name, int i) {
  const SymShape slot = variableShape(context, i);
  if (!slot.rankKnown)
    return okStatus();
  std::string prefix = strCat("var and ", name, " do not have the same shape");
  GuardInfo info{
      .prefix = prefix, .joiner = " ", .lhs = &var.dims, .rhs = &slot.dims};
  if (slot.rank() != var.rank())
    return context.dims().error(info);
  for (size_t d = 0; d < var.dims.size(); ++d)
    KILN_RETURN_IF_ERROR(
        context.dims().unify(var.dims[d], slot.dims[d], info).status());
  return okStatus();
}

/// Demands of grad [n, row...] that it has the variable's rows, and of indices
/// [n] that there is one for each.
Status checkGradient(InferenceContext &context, const SymShape &var,
                     const SymShape &grad, const SymShape &indices) {
  if (indices.rankKnown && indices.rank() != 1)
    return context.error("indices must be one-dimensional");
  if (!grad.rankKnown)
    return okStatus();
  if (grad.rank() != var.rank())
    return context.error("grad must have the same number of dimensions as var");
  for (size_t d = 1; d < var.dims.size(); ++d) {
    std::string text = strCat("var and grad must match in dimension ", d);
    KILN_RETURN_IF_ERROR(context.dims()
                             .unify(var.dims[d], grad.dims[d], {.prefix = text})
                             .status());
  }
  if (!indices.rankKnown)
    return okStatus();
  return context.dims()
      .unify(grad.dims[0], indices.dims[0],
             {.prefix = "grad must be the same size as indices in the first "
                        "dimension."})
      .status();
}

} // namespace

/// The variable and its slots come first; what is neither grad nor indices is a
/// scalar.
Status inferSparseApply(InferenceContext &context) {
  SymShape var = variableShape(context, 0), grad, indices;
  for (int i = 0; i < context.numInputs(); ++i) {
    const ArgDef &input = context.def().inputs[static_cast<size_t>(i)];
    const SymShape &shape = context.inputShape(i);
    if (input.name == "grad") {
      grad = shape;
    } else if (input.name == "indices") {
      indices = shape;
    } else if (input.isRef || context.inputDType(i) == DType::Resource) {
      if (i > 0 && var.rankKnown)
        KILN_RETURN_IF_ERROR(checkSlot(context, var, input.name, i));
    } else if (shape.rankKnown && shape.rank() != 0) {
      return context.error(strCat(
          input.name, " is not a scalar: ", context.dims().format(shape.dims)));
    }
  }
  if (var.rankKnown) {
    if (var.rank() == 0)
      return context.error("var must be at least 1 dimensional");
    KILN_RETURN_IF_ERROR(checkGradient(context, var, grad, indices));
  }
  if (context.numOutputs() > 0)
    context.setOutputShape(0, std::move(var));
  return okStatus();
}

} // namespace kiln::shapes
