// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a nest tells about its axes, and an op about the nests that it fits in.
#include "passes/analysis/LoopNest.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

std::optional<int64_t> Axis::knownExtent() const {
  int64_t product = 1;
  for (const Extent &factor : factors)
    if (!factor.isKnown() || llvm::MulOverflow(product, factor.value, product))
      return std::nullopt;
  return product;
}

std::optional<int64_t> Axis::foldedExtent() const {
  if (llvm::any_of(factors,
                   [](const Extent &factor) { return factor.isKnown(0); }))
    return 0;
  return knownExtent();
}

bool isInnerReduction(ReduceOp op) {
  int64_t rank = cast<RankedTensorType>(op.getOperand().getType()).getRank();
  return llvm::is_contained(op.getAxes(), rank - 1);
}

RankedTensorType uniformShape(ArrayRef<Operation *> ops) {
  RankedTensorType first;
  auto isOther = [&](Value value) {
    auto own = cast<RankedTensorType>(value.getType());
    first = first ? first : own;
    return own != first && (own.getShape() != first.getShape() ||
                            own.getEncoding() != first.getEncoding());
  };
  for (Operation *op : ops)
    if (placementOf(op) != Placement::Nest ||
        (!op->hasTrait<OpTrait::Elementwise>() && !isa<ConstantOp>(op)) ||
        llvm::any_of(op->getResults(), isOther) ||
        llvm::any_of(op->getOperands(), isOther))
      return {};
  return first ? RankedTensorType::get(first.getShape(),
                                       IntegerType::get(first.getContext(), 1),
                                       first.getEncoding())
               : first;
}

} // namespace kiln::passes
