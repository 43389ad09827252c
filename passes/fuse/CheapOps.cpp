// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Erases and clones ops of a block, from its end on.
#include "passes/fuse/CheapOps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

void eraseDeadOps(Block &block) {
  SmallVector<Operation *> all(
      llvm::make_pointer_range(block.without_terminator()));
  for (Operation *op : llvm::reverse(all))
    if (isOpTriviallyDead(op))
      op->erase();
}

void cloneCheapOps(Block &block, const RunSymbols &runSymbols, bool hasChecks) {
  SmallVector<Operation *>
      copied; // the users' side first: a view of a view is cloned for each
  for (Operation &op : block.without_terminator())
    if (reuseOf(&op) != Reuse::Stored)
      copied.push_back(&op);
  for (Operation *op : llvm::reverse(copied)) {
    OpBuilder builder(op);
    bool isMoved =
        op->getNumOperands() == 0 &&
        (namesAny(op, runSymbols) ||
         (hasChecks &&
          !cast<ShapedType>(op->getResult(0).getType()).hasStaticShape()));
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      bool isInside = use.getOwner()->getBlock() != &block;
      if (!isMoved &&
          (staysOutside(use.getOwner()) || (op->hasOneUse() && !isInside)))
        continue;
      builder.setInsertionPoint(use.getOwner());
      use.set(builder.clone(*op)->getResult(0));
    }
    if (op->use_empty())
      op->erase();
  }
}

} // namespace kiln::passes
