// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers products and inverses of matrices.
#include "lib/Import/LoweringRegistry.h"

namespace kiln {
namespace {

Status lowerMatMul(LoweringContext &ctx) {
  ctx.setOutput(0, ctx.ir().matmul(
                       ctx.input(0), ctx.input(1), ctx.boolAttr("transpose_a"),
                       ctx.boolAttr("transpose_b"), ctx.outputType()));
  return okStatus();
}

/// Input i with the leading dimensions of the result.
Value broadcastBatch(LoweringContext &ctx, int i) {
  const Dims &own = ctx.inputDims(i);
  Dims dims = ctx.outputDims();
  dims.resize(dims.size() - 2);
  dims.insert(dims.end(), own.end() - 2, own.end());
  Value value = ctx.input(i);
  return ctx.ir().broadcast(
      value, ctx.ir().tensorType(dims, IrBuilder::elementOf(value)));
}

Status lowerBatchMatMul(LoweringContext &ctx) {
  Value x = broadcastBatch(ctx, 0), y = broadcastBatch(ctx, 1);
  ctx.setOutput(0, ctx.ir().matmul(x, y, ctx.boolAttr("adj_x"),
                                   ctx.boolAttr("adj_y"), ctx.outputType()));
  return okStatus();
}

Status lowerMatrixInverse(LoweringContext &ctx) {
  ctx.setOutput(0, ctx.ir().kernelCall("MatrixInverse", ctx.input(0),
                                       ctx.outputType(),
                                       {ctx.boolAttr("adjoint")}));
  return okStatus();
}

} // namespace

void registerLinalgLowerings(LoweringRegistry &registry) {
  registry.add({{"MatMul", lowerMatMul},
                {"BatchMatMul", lowerBatchMatMul},
                {"BatchMatMulV2", lowerBatchMatMul},
                {"MatrixInverse", lowerMatrixInverse}});
}

} // namespace kiln
