// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at an op's operands: what is large, and where it lies.
#include "passes/fuse/Recompute.h"

#include "dialect/Kiln.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// Whether an element costs one step and cannot fail.
static bool isArithmetic(Operation *op) {
  return isa<AddOp, SubOp, MulOp>(op) &&
         isa<FloatType>(cast<RankedTensorType>(op->getResult(0).getType())
                            .getElementType());
}

/// Whether the value lies in memory until the function ends. A variable and
/// what a loop carries may be written over, so that a later use costs a copy.
static bool staysInMemory(Value value,
                          function_ref<bool(Operation *)> isInGroup) {
  if (Operation *def = value.getDefiningOp())
    return !isInGroup(def) && !isa<VarReadOp>(def);
  return isa<func::FuncOp>(value.getParentBlock()->getParentOp());
}

SmallVector<Operation *>
opsToRecompute(Operation *op, function_ref<bool(Operation *)> isInGroup) {
  if (!isArithmetic(op) || llvm::none_of(op->getUsers(), isInGroup))
    return {};
  SmallVector<Operation *> ops;
  Value large;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (def && (isa<BroadcastOp>(def) || reuseOf(def) == Reuse::Inline)) {
      if (!llvm::is_contained(ops, def))
        ops.push_back(def);
      continue;
    }
    if ((large && large != operand) || !staysInMemory(operand, isInGroup))
      return {};
    large = operand;
  }
  if (!large)
    return {};
  ops.push_back(op);
  return ops;
}

} // namespace kiln::passes
