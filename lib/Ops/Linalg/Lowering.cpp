// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers products of matrices onto loops, their factors onto kernels.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Linalg/LoweringEinsum.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

Status lowerMatMul(LoweringContext &ctx) {
  ctx.setOutput(0, ctx.ir().matmul(
                       ctx.input(0), ctx.input(1), ctx.boolAttr("transpose_a"),
                       ctx.boolAttr("transpose_b"), ctx.outputType()));
  return okStatus();
}

Status lowerSparseMatMul(LoweringContext &ctx) {
  IrBuilder &ir = ctx.ir();
  const mlir::Type element = ctx.outputType().getElementType();
  ctx.setOutput(0, ir.matmul(ir.cast(ctx.input(0), element),
                             ir.cast(ctx.input(1), element),
                             ctx.boolAttr("transpose_a"),
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

/// Whether input i is one matrix, whatever the batches of the other.
bool isOneMatrix(LoweringContext &ctx, int i) {
  const Dims &dims = ctx.inputDims(i);
  return std::all_of(dims.begin(), dims.end() - 2,
                     [](Dim dim) { return dim == Dim::known(1); });
}

/// All rows of x times the only matrix that y has.
Value multiplyRows(LoweringContext &ctx, Value x, Value y) {
  IrBuilder &ir = ctx.ir();
  const Dims &left = ctx.inputDims(0), &right = ctx.inputDims(1);
  const mlir::Type element = ctx.outputType().getElementType();
  const Dim rows = ctx.dims().product(Dims(left.begin(), left.end() - 1)),
            columns = ctx.outputDims().back();
  Value product = ir.matmul(
      ir.reshape(x, ir.tensorType({rows, left.back()}, element)),
      ir.reshape(y, ir.tensorType({right.end()[-2], right.back()}, element)),
      /*transposeLhs=*/false, ctx.boolAttr("adj_y"),
      ir.tensorType({rows, columns}, element));
  return ir.reshape(product, ctx.outputType());
}

Status lowerBatchMatMul(LoweringContext &ctx) {
  IrBuilder &ir = ctx.ir();
  const mlir::Type element = ctx.outputType().getElementType();
  const bool adjointX = ctx.boolAttr("adj_x");
  const bool isShared = isOneMatrix(ctx, 1) && !adjointX;
  auto operand = [&](int i) {
    return ir.cast(isShared ? ctx.input(i) : broadcastBatch(ctx, i), element);
  };
  Value x = operand(0), y = operand(1);
  ctx.setOutput(0, isShared ? multiplyRows(ctx, x, y)
                            : ir.matmul(x, y, adjointX, ctx.boolAttr("adj_y"),
                                        ctx.outputType()));
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

/// Of real numbers as well the results are complex, of the same precision.
Status lowerEig(LoweringContext &ctx) {
  const DType from = ctx.inputDType(0), to = ctx.outputDType();
  const DType expected =
      partType(from) == DType::Float64 ? DType::Complex128 : DType::Complex64;
  if (to != expected)
    return ctx.invalid(
        strCat("Invalid output dtype ", static_cast<int>(to), " vs ",
               static_cast<int>(isComplex(from) ? from : expected)));
  return lowerFactors<computeV>(ctx);
}

/// The values as a row above the vectors.
Status lowerSelfAdjointEigRows(LoweringContext &ctx) {
  IrBuilder &ir = ctx.ir();
  Value x = ctx.input(0);
  const mlir::Type element = IrBuilder::elementOf(x);
  Dims dims = ctx.inputDims(0);
  const auto axis = static_cast<int64_t>(dims.size()) - 2;
  const Dims valueDims(dims.begin(), dims.end() - 1);
  auto call =
      ir.kernelCall("SelfAdjointEigV2", {x},
                    {ir.tensorType(valueDims, element), IrBuilder::typeOf(x)},
                    {/*compute_v=*/1});
  dims[static_cast<size_t>(axis)] = Dim::known(1);
  Value row = ir.reshape(call.getResult(0), ir.tensorType(dims, element));
  ctx.setOutput(0, ir.concat({row, call.getResult(1)}, axis, ctx.outputType()));
  return okStatus();
}

/// The kernel of the op's name.
Status lowerTriangularSolve(LoweringContext &ctx) {
  ctx.callKernel(ctx.opDef().canonicalName,
                 {broadcastBatch(ctx, 0), broadcastBatch(ctx, 1)},
                 {ctx.boolAttr("lower"), ctx.boolAttr("adjoint")});
  return okStatus();
}

/// Rows of x moved by one, up or down, with a row of zeros at the end that is
/// left.
Value movedRows(LoweringContext &ctx, Value x, bool up) {
  IrBuilder &ir = ctx.ir();
  auto type = IrBuilder::typeOf(x);
  const auto rank = static_cast<size_t>(type.getRank());
  Dims dims = ctx.outputDims();
  dims[rank - 2] = ctx.dims().sub(dims[rank - 2], Dim::known(1));
  llvm::SmallVector<int64_t> starts(rank, 0), strides(rank, 1), low(rank, 0);
  starts[rank - 2] = up;
  low[rank - 2] = !up;
  Value part =
      ir.slice(x, starts, strides, ir.tensorType(dims, type.getElementType()));
  return ir.pad(part, ir.scalar(type.getElementType(), 0), low, type);
}

/// The diagonals are columns here: each times the rows that it meets.
Status lowerTridiagonalMatMul(LoweringContext &ctx) {
  IrBuilder &ir = ctx.ir();
  Value rhs = ctx.input(3);
  auto type = IrBuilder::typeOf(rhs);
  const auto rank = static_cast<size_t>(type.getRank());
  if (ctx.outputDims()[rank - 2].isKnown(0)) {
    ctx.setOutput(0, rhs);
    return okStatus();
  }
  auto scaled = [&](int i, Value rows) {
    Dims dims = ctx.outputDims();
    dims.pop_back();
    llvm::SmallVector<int64_t> axes;
    for (size_t axis = 0; axis + 1 < rank; ++axis)
      axes.push_back(static_cast<int64_t>(axis));
    Value column =
        ir.reshape(ctx.input(i), ir.tensorType(dims, type.getElementType()));
    return ir.mul(ir.broadcast(column, type, axes), rows);
  };
  Value sum = ir.add(scaled(1, rhs), scaled(2, movedRows(ctx, rhs, false)));
  ctx.setOutput(0, ir.add(sum, scaled(0, movedRows(ctx, rhs, true))));
  return okStatus();
}

Status lowerTridiagonalSolve(LoweringContext &ctx) {
  const bool pivots = ctx.boolAttr("partial_pivoting"),
             perturbs = ctx.boolAttr("perturb_singular");
  if (perturbs && !pivots)
    return ctx.invalid("Setting perturb_singular requires also setting "
                       "partial_pivoting.");
  ctx.callKernel("TridiagonalSolve", ctx.allInputs(), {pivots, perturbs});
  return okStatus();
}

Status lowerCross(LoweringContext &ctx) {
  IrBuilder &ir = ctx.ir();
  const auto rank = static_cast<size_t>(ctx.inputRank(0));
  Dims dims = ctx.outputDims();
  dims.back() = Dim::known(1);
  auto part = [&](int i, int64_t k) {
    llvm::SmallVector<int64_t> starts(rank, 0), strides(rank, 1);
    starts.back() = k;
    Value x = ctx.input(i);
    return ir.slice(x, starts, strides,
                    ir.tensorType(dims, IrBuilder::elementOf(x)));
  };
  llvm::SmallVector<Value> parts;
  for (int64_t k = 0; k < 3; ++k) {
    const int64_t next = (k + 1) % 3, last = (k + 2) % 3;
    parts.push_back(ir.sub(ir.mul(part(0, next), part(1, last)),
                           ir.mul(part(0, last), part(1, next))));
  }
  ctx.setOutput(
      0, ir.concat(parts, static_cast<int64_t>(rank) - 1, ctx.outputType()));
  return okStatus();
}

} // namespace

void registerLinalgLowerings(LoweringRegistry &registry) {
  registerEinsumLowering(registry);
  registry.add({{"BandedTriangularSolve", lowerTriangularSolve},
                {"MatMul", lowerMatMul},
                {"SparseMatMul", lowerSparseMatMul},
                {"BatchMatMul", lowerBatchMatMul},
                {"BatchMatMulV2", lowerBatchMatMul},
                {"BatchMatMulV3", lowerBatchMatMul},
                {"Cholesky", lowerFactors<>},
                {"CholeskyGrad", lowerFactors<>},
                {"Cross", lowerCross},
                {"Eig", lowerEig},
                {"LogMatrixDeterminant", lowerFactors<>},
                {"Lu", lowerFactors<>},
                {"MatrixDeterminant", lowerFactors<>},
                {"MatrixExponential", lowerFactors<>},
                {"MatrixInverse", lowerFactors<adjoint>},
                {"MatrixSolve", lowerFactors<adjoint>},
                {"MatrixSolveLs", lowerFactors<fast>},
                {"MatrixSquareRoot", lowerFactors<>},
                {"MatrixTriangularSolve", lowerTriangularSolve},
                {"Qr", lowerFactors<fullMatrices>},
                {"SelfAdjointEig", lowerSelfAdjointEigRows},
                {"SelfAdjointEigV2", lowerFactors<computeV>},
                {"Svd", lowerFactors<computeUv, fullMatrices>},
                {"TridiagonalMatMul", lowerTridiagonalMatMul},
                {"TridiagonalSolve", lowerTridiagonalSolve}});
}

} // namespace kiln
