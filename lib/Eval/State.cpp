// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the ops on variables, and fusions in their tensor form.
#include "lib/Eval/Interpreter.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

using namespace mlir;

namespace kiln::eval {
namespace {

StatusOr<int64_t> variableIndex(Operation *op, FlatSymbolRefAttr name,
                                Interpreter &interpreter) {
  int64_t index = interpreter.variableOf(op, name);
  if (index < 0)
    return internalError(strCat("expected variable ", name.getValue().str(),
                                " to be accessible"));
  return index;
}

} // namespace

int64_t Interpreter::variableOf(Operation *user, FlatSymbolRefAttr name) const {
  if (!env.variables)
    return -1;
  if (variables.empty())
    for (auto variable :
         user->getParentOfType<ModuleOp>().getOps<ir::VariableOp>())
      variables[variable.getSymNameAttr()] =
          static_cast<int64_t>(variable.getIndex());
  auto found = variables.find(name.getAttr());
  return found == variables.end() ? -1 : found->second;
}

Status evaluateOp(ir::VarReadOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(int64_t index,
                        variableIndex(op, op.getVariableAttr(), interpreter));
  KILN_ASSIGN_OR_RETURN(Tensor view,
                        interpreter.environment().variables->read(index));
  KILN_ASSIGN_OR_RETURN(Shape shape, interpreter.shapeOf(op.getType()));
  if (!(view.shape() == shape) ||
      storedAs(view.dtype()) != ir::dtypeOf(op.getType()))
    return internalError(strCat("expected a variable of shape ",
                                shape.toString(), ", got ",
                                view.shape().toString()));
  KILN_ASSIGN_OR_RETURN(view, movableForm(view));
  interpreter.bind(op.getResult(), EvalValue{std::move(view), /*isSplat=*/false,
                                             /*isOwned=*/false, index});
  return okStatus();
}

Status evaluateOp(ir::VarWriteOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(int64_t index,
                        variableIndex(op, op.getVariableAttr(), interpreter));
  KILN_RETURN_IF_ERROR(interpreter.beforeEffect(op, index));
  KILN_RETURN_IF_ERROR(interpreter.detachViews(index));
  KILN_ASSIGN_OR_RETURN(Tensor value, interpreter.dense(op.getValue()));
  return interpreter.environment().variables->write(index, value);
}

Status evaluateOp(ir::VarIsInitializedOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(int64_t index,
                        variableIndex(op, op.getVariableAttr(), interpreter));
  KILN_ASSIGN_OR_RETURN(Tensor result, interpreter.allocateFor(op.getResult()));
  *static_cast<bool *>(result.mutableRawData()) =
      interpreter.environment().variables->isInitialized(index);
  interpreter.bindOwned(op.getResult(), std::move(result));
  return okStatus();
}

Status evaluateOp(ir::FusionOp op, Interpreter &interpreter) {
  if (!op.getOuts().empty())
    return internalError("expected a fusion of tensors, got one of buffers");
  EvalValues arguments;
  for (Value operand : op.getIns())
    arguments.push_back(interpreter.contents(operand));
  KILN_ASSIGN_OR_RETURN(
      EvalValues yielded,
      interpreter.runRegion(op.getBody().front(), std::move(arguments)));
  for (auto [result, value] : llvm::zip_equal(op->getResults(), yielded))
    interpreter.bind(result, std::move(value));
  return okStatus();
}

} // namespace kiln::eval
