// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape function of optimizer steps.
#include "lib/Ops/Training/Shape.h"

#include "lib/Ops/State/Shape.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {

Status inferApply(InferenceContext &context) {
  const DType dtype = context.typeAttr("T");
  SymShape shape = variableShape(context, 0);
  for (int i = 0; i < context.numInputs(); ++i) {
    const ArgDef &arg = context.def().inputs[static_cast<size_t>(i)];
    const bool isVariable = arg.isRef || arg.dtype == DType::Resource;
    const std::optional<HandleInfo> &handle = context.input(i).handle;
    if (handle && handle->dtype != dtype)
      return context.error(strCat("Trying to update variable ", arg.name,
                                  " with wrong dtype. Expected ",
                                  dtypeTfName(handle->dtype), " got ",
                                  dtypeTfName(dtype)));
    const SymShape other =
        isVariable ? variableShape(context, i) : context.inputShape(i);
    if (isVariable || arg.name == "grad" || arg.name == "delta") {
      std::string prefix =
          strCat("var and ", arg.name, " do not have the same shape");
      KILN_ASSIGN_OR_RETURN(
          shape,
          sameShape(context, shape, other, {.prefix = prefix, .joiner = " "}));
    } else if (other.rankKnown && other.rank() != 0) {
      return context.error(strCat(
          arg.name, " is not a scalar: ", context.dims().format(other.dims)));
    }
  }
  if (context.numOutputs() > 0)
    context.setOutputShape(0, std::move(shape));
  return okStatus();
}

} // namespace kiln::shapes
