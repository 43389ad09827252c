// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers products of matrices onto loops, their factors onto kernels.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Linalg/LoweringEinsum.h"

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

/// The kernel of the op's name, which takes attributes that are true or false.
template <const char *...attrs> Status lowerFactors(LoweringContext &ctx) {
  ctx.callKernel(ctx.opDef().canonicalName, ctx.allInputs(),
                 {int64_t(ctx.boolAttr(attrs))...});
  return okStatus();
}
constexpr char adjoint[] = "adjoint", computeUv[] = "compute_uv",
               computeV[] = "compute_v", fast[] = "fast",
               fullMatrices[] = "full_matrices";

/// The kernel of the op's name.
Status lowerTriangularSolve(LoweringContext &ctx) {
  ctx.callKernel(ctx.opDef().canonicalName,
                 {broadcastBatch(ctx, 0), broadcastBatch(ctx, 1)},
                 {ctx.boolAttr("lower"), ctx.boolAttr("adjoint")});
  return okStatus();
}

} // namespace

void registerLinalgLowerings(LoweringRegistry &registry) {
  registerEinsumLowering(registry);
  registry.add({{"BandedTriangularSolve", lowerTriangularSolve},
                {"MatMul", lowerMatMul},
                {"BatchMatMul", lowerBatchMatMul},
                {"BatchMatMulV2", lowerBatchMatMul},
                {"Cholesky", lowerFactors<>},
                {"CholeskyGrad", lowerFactors<>},
                {"LogMatrixDeterminant", lowerFactors<>},
                {"Lu", lowerFactors<>},
                {"MatrixDeterminant", lowerFactors<>},
                {"MatrixInverse", lowerFactors<adjoint>},
                {"MatrixSolve", lowerFactors<adjoint>},
                {"MatrixSolveLs", lowerFactors<fast>},
                {"MatrixTriangularSolve", lowerTriangularSolve},
                {"Qr", lowerFactors<fullMatrices>},
                {"SelfAdjointEigV2", lowerFactors<computeV>},
                {"Svd", lowerFactors<computeUv, fullMatrices>}});
}

} // namespace kiln
