// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the product of a matrix that has few elements and another: rows of the
// one, times the elements, added to rows of the result.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Indexing/LoweringRows.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// A column of the pairs of indices.
Value columnOf(Context &ctx, int64_t column) {
  IrBuilder &ir = ctx.ir();
  Value pairs = ctx.input(0);
  const mlir::Type element = IrBuilder::elementOf(pairs);
  const Dim count = ctx.inputDims(0)[0];
  Value part = ir.slice(pairs, {0, column}, {1, 1},
                        ir.tensorType({count, Dim::known(1)}, element));
  return ir.reshape(part, ir.tensorType({count}, element));
}

Status lowerSparseTensorDenseMatMul(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const bool isAdjoint = ctx.boolAttr("adjoint_a");
  Value b = ctx.input(3);
  Dims depth = ctx.inputDims(3);
  if (ctx.boolAttr("adjoint_b")) {
    b = ir.transpose(b, {1, 0});
    std::swap(depth[0], depth[1]);
  }
  const mlir::Type element = IrBuilder::elementOf(b);
  const Dims count = {ctx.inputDims(0)[0]}, &dims = ctx.outputDims();
  const Dims terms = {count[0], dims[1]};
  RowIndices inner = rowIndices(
      ctx, columnOf(ctx, isAdjoint ? 0 : 1), count, {depth[0]},
      isAdjoint ? IndexCheck::AdjointColumns : IndexCheck::ProductColumns);
  RowIndices outer =
      rowIndices(ctx, columnOf(ctx, isAdjoint ? 1 : 0), count, {dims[0]},
                 isAdjoint ? IndexCheck::AdjointRows : IndexCheck::ProductRows);
  RankedTensorType type = ir.tensorType(terms, element);
  Value rows = ir.gather(b, inner.value, 0, type);
  rows = ir.mul(ir.broadcast(ctx.input(1), type, {0}), rows);
  Value zero =
      IrBuilder::isFloat(b) ? ir.scalar(element, 0) : ir.scalarInt(element, 0);
  ctx.setOutput(0, ir.scatter(ir::ScatterKind::add, zero, outer.value, rows,
                              ctx.outputType()));
  return okStatus();
}

} // namespace

void registerProductLowerings(LoweringRegistry &registry) {
  registry.add({{"SparseTensorDenseMatMul", lowerSparseTensorDenseMatMul}});
}

} // namespace kiln
