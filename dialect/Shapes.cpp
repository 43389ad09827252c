// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies the ops that give symbols their values in a run.
#include "dialect/Kiln.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace kiln::ir {

template <class Op> static LogicalResult verifyOperands(Op op) {
  // define_c1, guard_c1
  if (op.getSymbols().size() != 2 || op.getValues().size() != 2)
    return op.emitOpError("expected two numbers or symbols, got ")
           << op.getSymbols().size();
  return success();
}

LogicalResult DefineOp::verify() {
  // define_c2; define_c1 below
  if (static_cast<int64_t>(getId()) < 0)
    return emitOpError("expected the id of a symbol, got ")
           << static_cast<int64_t>(getId());
  return verifyOperands(*this);
}

LogicalResult GuardOp::verify() { return verifyOperands(*this); }

LogicalResult BindOp::verify() {
  // bind_c1
  if (getIns().size() != getNumResults())
    return emitOpError("expected a result an operand, got ")
           << getNumResults() << " of " << getIns().size();
  llvm::SmallDenseSet<int64_t> named;
  for (auto [operand, result] : llvm::zip_equal(getIns(), getResults())) {
    auto from = cast<RankedTensorType>(operand.getType());
    auto to = cast<RankedTensorType>(result.getType());
    if (from.getElementType() != to.getElementType() ||
        from.getRank() != to.getRank())
      return emitOpError("expected a result of the operand's element type and "
                         "rank, got ")
             << to << " of " << from;
    for (const Extent &extent : extentsOf(to))
      named.insert(extent.symbol);
  }
  // bind_c2
  for (int64_t id : getBinds())
    if (id < 0 || !named.contains(id))
      return emitOpError("expected symbols of results, got s") << id;
  return success();
}

} // namespace kiln::ir
