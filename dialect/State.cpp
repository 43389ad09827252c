// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies that variable ops name a declared variable of their type.
#include "dialect/Kiln.h"

using namespace mlir;

namespace kiln::ir {

/// The declaration that `op` names, with a type check against `type` where one
/// is given.
static LogicalResult verifyVariable(Operation *op, FlatSymbolRefAttr name,
                                    Type type, SymbolTableCollection &symbols) {
  auto variable = symbols.lookupNearestSymbolFrom<VariableOp>(op, name);
  // variable_c1
  if (!variable)
    return op->emitOpError("expected a declared variable, got ") << name;
  auto tensor = cast_if_present<RankedTensorType>(type);
  // variable_c2
  bool fits =
      variable.getResized()
          ? !tensor ||
                tensor.getElementType() ==
                    cast<RankedTensorType>(variable.getType()).getElementType()
          : !type || variable.getType() == type;
  if (!fits)
    return op->emitOpError("expected the variable's type ")
           << variable.getType() << ", got " << type;
  return success();
}

LogicalResult VarReadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariable(*this, getVariableAttr(), getType(), symbols);
}

LogicalResult VarWriteOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariable(*this, getVariableAttr(), getValue().getType(),
                        symbols);
}

LogicalResult
VarIsInitializedOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariable(*this, getVariableAttr(), Type(), symbols);
}

} // namespace kiln::ir
