// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hands each fusion that has loops of its own to its emitter.
#include "passes/vectorize/Kernels.h"

#include "passes/vectorize/KernelBuilder.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
static void emitLoops(FusionOp fusion, OpBuilder &builder,
                      VectorRegisters registers, const Streaming *streaming) {
  Block &body = fusion.getBody().front();
  auto ops = body.without_terminator();
  KernelBuilder kernel(
      builder, ops.empty() ? fusion.getLoc() : kernelOpOf(fusion)->getLoc(),
      registers, streaming);
  KernelBuffers buffers(fusion);
  if (!ops.empty())
    TypeSwitch<Operation *>(kernelOpOf(fusion))
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

void emitKernel(FusionOp fusion, const KernelSchedule &schedule,
                OpBuilder &builder) {
  emitStreamedOrNot(fusion, schedule.streaming, builder,
                    [&](const Streaming *streaming) {
                      emitLoops(fusion, builder, schedule.registers, streaming);
                    });
}

} // namespace kiln::passes
