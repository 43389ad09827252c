// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the ops on variables.
#include "lib/Eval/Interpreter.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::eval {

static StatusOr<VariableAccess *> accessOf(const Interpreter &interpreter) {
  VariableAccess *access = interpreter.environment().variables;
  if (!access)
    return internalError("expected variables to be accessible");
  return access;
}

Status evaluateOp(const Op &op, const VarReadOp &read,
                  Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(VariableAccess * variables, accessOf(interpreter));
  KILN_ASSIGN_OR_RETURN(Tensor view, variables->read(read.variable));
  ValueId result = interpreter.resultOf(op);
  KILN_ASSIGN_OR_RETURN(Shape shape, interpreter.shapeOf(result));
  if (!(view.shape() == shape) ||
      storedAs(view.dtype()) != interpreter.program.dtypeOf(result))
    return internalError(strCat("expected a variable of shape ",
                                shape.toString(), ", got ",
                                view.shape().toString()));
  KILN_ASSIGN_OR_RETURN(view, movableForm(view));
  interpreter.bind(result, EvalValue{std::move(view), /*isSplat=*/false,
                                     /*isOwned=*/false, read.variable});
  return okStatus();
}

Status evaluateOp(const Op &op, const VarWriteOp &write,
                  Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(VariableAccess * variables, accessOf(interpreter));
  KILN_RETURN_IF_ERROR(interpreter.beforeEffect(op, write.variable));
  KILN_RETURN_IF_ERROR(interpreter.detachViews(write.variable));
  KILN_ASSIGN_OR_RETURN(Tensor value,
                        interpreter.dense(interpreter.operandOf(op)));
  return variables->write(write.variable, value);
}

Status evaluateOp(const Op &op, const VarIsInitializedOp &asked,
                  Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(VariableAccess * variables, accessOf(interpreter));
  ValueId target = interpreter.resultOf(op);
  KILN_ASSIGN_OR_RETURN(Tensor result, interpreter.allocateFor(target));
  *static_cast<bool *>(result.mutableRawData()) =
      variables->isInitialized(asked.variable);
  interpreter.bindOwned(target, std::move(result));
  return okStatus();
}

} // namespace kiln::eval
