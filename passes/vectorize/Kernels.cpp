// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognizes the fusions that have a loop nest of their own and hands each to
// its emitter.
#include "passes/vectorize/Kernels.h"

#include "passes/analysis/LoopNest.h"

#include "llvm/ADT/TypeSwitch.h"

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

/// The one op that has loops of its own: a contraction, which others may
/// follow, or the only one.
static Operation *kernelOp(FusionOp fusion) {
  auto ops = fusion.getBody().front().without_terminator();
  auto contraction =
      llvm::find_if(ops, [](Operation &op) { return isContraction(&op); });
  return contraction == ops.end() ? &*ops.begin() : &*contraction;
}

bool isSpecialKernel(FusionOp fusion) {
  auto ops = fusion.getBody().front().without_terminator();
  return ops.empty() || isContraction(kernelOp(fusion)) ||
         (llvm::hasSingleElement(ops) &&
          (placementOf(&*ops.begin()) == Placement::Kernel ||
           isLoneTranspose(&*ops.begin())));
}

void emitSpecialKernel(FusionOp fusion, OpBuilder &builder,
                       VectorRegisters registers, const Streaming *streaming) {
  Block &body = fusion.getBody().front();
  auto ops = body.without_terminator();
  KernelBuilder kernel(
      builder, ops.empty() ? fusion.getLoc() : kernelOp(fusion)->getLoc(),
      registers, streaming);
  KernelBuffers buffers(fusion);
  if (!ops.empty())
    TypeSwitch<Operation *>(kernelOp(fusion))
        .Case<MatmulOp>(
            [&](MatmulOp op) { emitMatmul(op, fusion, buffers, kernel); })
        .Case<ConvolveOp>(
            [&](ConvolveOp op) { emitConvolve(op, fusion, buffers, kernel); })
        .Case<ArgReduceOp>(
            [&](ArgReduceOp op) { emitArgReduce(op, buffers, kernel); })
        .Case<ScatterOp>(
            [&](ScatterOp op) { emitScatter(op, buffers, kernel); })
        .Case<TransposeOp>(
            [&](TransposeOp op) { emitTranspose(op, buffers, kernel); })
        .Case<ConcatOp>(
            [&](ConcatOp op) { emitConcat(op, fusion, buffers, kernel); })
        .Case<PadOp>([&](PadOp op) { emitPad(op, buffers, kernel); })
        .Case<SliceOp>(
            [&](SliceOp op) { emitComputedSlice(op, buffers, kernel); })
        .Case<ConstantOp>(
            [&](ConstantOp op) { emitSmallConstant(op, buffers, kernel); })
        .Case<DimsOp>([&](DimsOp op) { emitDims(op, buffers, kernel); });
  // Copies: of inputs, and of the result to its other destinations.
  for (auto [index, value] :
       llvm::enumerate(cast<YieldOp>(body.getTerminator()).getValues())) {
    bool isInput = isa<BlockArgument>(value);
    if (isInput || index != buffers.target)
      kernel.copyShared(buffers.outs[index], kernel.index(0),
                        isInput ? buffers.in(value) : buffers.out(),
                        kernel.index(0), kernel.product(extentsOf(value)));
  }
}

} // namespace kiln::passes
