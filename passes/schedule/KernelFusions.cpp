// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognizes the fusions whose ops have loops of their own.
#include "passes/schedule/KernelFusions.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// A transpose that no other op has joined, and whose elements that are
/// neighbours on one side are not on the other: a nest would read them one by
/// one.
static bool isLoneTranspose(Operation *op) {
  auto transpose = dyn_cast<TransposeOp>(op);
  if (!transpose)
    return false;
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  const int64_t last = static_cast<int64_t>(permutation.size()) - 1;
  auto isWide = [](const Extent &extent) {
    return !extent.isKnown() || extent.value >= lanes / 2;
  };
  Extents from = extentsOf(transpose.getOperand());
  return permutation.back() != last && isWide(from[last]) &&
         isWide(from[permutation.back()]) &&
         storageType(
             cast<RankedTensorType>(transpose.getType()).getElementType())
                 .getIntOrFloatBitWidth() <= 64;
}

Operation *kernelOpOf(FusionOp fusion) {
  auto ops = fusion.getBody().front().without_terminator();
  auto contraction =
      llvm::find_if(ops, [](Operation &op) { return isContraction(&op); });
  return contraction == ops.end() ? &*ops.begin() : &*contraction;
}

bool isKernelFusion(FusionOp fusion) {
  auto ops = fusion.getBody().front().without_terminator();
  return ops.empty() || isContraction(kernelOpOf(fusion)) ||
         (llvm::hasSingleElement(ops) &&
          (placementOf(&*ops.begin()) == Placement::Kernel ||
           isLoneTranspose(&*ops.begin())));
}

KernelSchedule chooseKernelSchedule(FusionOp fusion,
                                    const VectorTarget &target) {
  return {target.registers, chooseStreaming(fusion, target.minStreamedBytes)};
}

} // namespace kiln::passes
