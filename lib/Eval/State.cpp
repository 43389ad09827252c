// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the ops on variables, and fusions in their tensor form.
#include "lib/Eval/Interpreter.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

using namespace mlir;

namespace kiln::eval {
namespace {

/// The executable's number of a variable.
StatusOr<int64_t> variableIndex(Operation *op, FlatSymbolRefAttr name,
                                Interpreter &interpreter) {
  auto variable =
      mlir::SymbolTable::lookupNearestSymbolFrom<ir::VariableOp>(op, name);
  if (!variable || !interpreter.environment().variables)
    return internalError(strCat("expected variable ", name.getValue().str(),
                                " to be accessible"));
  return static_cast<int64_t>(variable.getIndex());
}

} // namespace

int64_t Interpreter::variableOf(ir::VarWriteOp op) const {
  auto variable = mlir::SymbolTable::lookupNearestSymbolFrom<ir::VariableOp>(
      op, op.getVariableAttr());
  return variable && env.variables ? static_cast<int64_t>(variable.getIndex())
                                   : -1;
}

Status evaluateOp(ir::VarReadOp op, Interpreter &interpreter) {
  KILN_ASSIGN_OR_RETURN(int64_t index,
                        variableIndex(op, op.getVariableAttr(), interpreter));
  KILN_ASSIGN_OR_RETURN(Tensor view,
                        interpreter.environment().variables->read(index));
  KILN_ASSIGN_OR_RETURN(Shape shape, interpreter.shapeOf(op.getType()));
  if (!(view.shape() == shape) || view.dtype() != ir::dtypeOf(op.getType()))
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
