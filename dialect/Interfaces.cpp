// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface's dispatch, and what its methods share.
#include "dialect/Kiln.h"

#include "mlir/IR/Matchers.h"

#include "dialect/KilnInterfaces.cpp.inc"

using namespace mlir;

namespace kiln::ir {

Placement placementOf(Operation *op) {
  auto tensorOp = dyn_cast<TensorOp>(op);
  return tensorOp ? tensorOp.getPlacement() : Placement::Outside;
}

bool endsRuns(Operation *op) {
  if (auto tensorOp = dyn_cast<TensorOp>(op))
    return tensorOp.mayFail();
  return isa<GuardOp, DefineOp>(op);
}

Reuse reuseOf(Operation *op) {
  auto tensorOp = dyn_cast<TensorOp>(op);
  return tensorOp ? tensorOp.getReuse() : Reuse::Stored;
}

bool isContraction(Operation *op) {
  auto tensorOp = dyn_cast<TensorOp>(op);
  return tensorOp && tensorOp.getCostKind() == CostKind::Contraction;
}

Access sameAccess(int64_t rank) {
  Access access;
  for (int64_t dim = 0; dim < rank; ++dim)
    access.push_back(DimAccess::same(static_cast<int>(dim)));
  return access;
}

int64_t rankOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

Extents resultExtentsOf(Operation *op) {
  return op->getNumResults() == 0 ? Extents() : extentsOf(op->getResult(0));
}

static Extents withoutUnits(Value value) {
  Extents extents = extentsOf(value);
  llvm::erase_if(extents,
                 [](const Extent &extent) { return extent.isKnown(1); });
  return extents;
}

bool isSameWithoutUnits(Value a, Value b) {
  return withoutUnits(a) == withoutUnits(b);
}

/// Whether an integer operand may have an element for which `isBad` holds: it
/// does unless it is a constant without one.
static bool mayHave(Value operand, function_ref<bool(const APInt &)> isBad) {
  if (!isa<IntegerType>(getElementTypeOrSelf(operand.getType())))
    return false;
  DenseIntElementsAttr constant;
  if (!matchPattern(operand, m_Constant(&constant)))
    return true;
  return llvm::any_of(constant.getValues<APInt>(), isBad);
}

bool mayBeZero(Value divisor) {
  return mayHave(divisor, [](const APInt &bits) { return bits.isZero(); });
}

bool mayBeNegative(Value exponent) {
  return !isUnsigned(getElementTypeOrSelf(exponent.getType())) &&
         mayHave(exponent, [](const APInt &bits) { return bits.isNegative(); });
}

} // namespace kiln::ir
