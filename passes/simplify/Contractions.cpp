// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls take transposes as flags; reductions of single elements disappear.
#include "passes/simplify/Patterns.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// Whether the transpose swaps the last two dimensions and nothing else.
bool swapsLastTwo(TransposeOp op) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  int64_t rank = permutation.size();
  if (rank < 2 || permutation[rank - 2] != rank - 1 ||
      permutation[rank - 1] != rank - 2)
    return false;
  for (int64_t i = 0; i < rank - 2; ++i)
    if (permutation[i] != i)
      return false;
  return true;
}

// matmul(transpose(x), y) -> matmul(x transposed, y), and the same for y
LogicalResult foldTransposes(MatmulOp op, PatternRewriter &rewriter) {
  bool changed = false;
  auto fold = [&](Value operand, bool &transposed) -> Value {
    auto transpose = operand.getDefiningOp<TransposeOp>();
    if (!transpose || !swapsLastTwo(transpose))
      return operand;
    changed = true;
    transposed = !transposed;
    return transpose.getOperand();
  };
  bool transposeLhs = op.getTransposeLhs(), transposeRhs = op.getTransposeRhs();
  Value lhs = fold(op.getLhs(), transposeLhs),
        rhs = fold(op.getRhs(), transposeRhs);
  if (!changed)
    return rewriter.notifyMatchFailure(
        op, "no operand is a transpose of the last two dimensions");
  rewriter.replaceOpWithNewOp<MatmulOp>(op, op.getType(), lhs, rhs,
                                        transposeLhs, transposeRhs);
  return success();
}

// transpose(matmul(x, y)) -> matmul(y transposed, x transposed): the same
// products, summed in the same order
LogicalResult transposeOfMatmul(TransposeOp op, PatternRewriter &rewriter) {
  auto matmul = op.getOperand().getDefiningOp<MatmulOp>();
  if (!matmul || !swapsLastTwo(op))
    return rewriter.notifyMatchFailure(
        op, "no swap of the last two dimensions of a product");
  if (!matmul->hasOneUse())
    return rewriter.notifyMatchFailure(op, "the product has other users");
  rewriter.replaceOpWithNewOp<MatmulOp>(
      op, op.getType(), matmul.getRhs(), matmul.getLhs(),
      !matmul.getTransposeRhs(), !matmul.getTransposeLhs());
  return success();
}

// reduce(x) -> reshape(x) over dimensions of 1; for floats sum(x) ->
// add(reshape(x), 0): a sum begins with 0, and 0 + -0 = 0
LogicalResult reduceOfUnits(ReduceOp op, PatternRewriter &rewriter) {
  Extents shape = extentsOf(op.getOperand());
  if (!llvm::all_of(op.getAxes(),
                    [&](int64_t axis) { return shape[axis].isKnown(1); }))
    return rewriter.notifyMatchFailure(op,
                                       "more than dimensions of 1 are reduced");
  Value value =
      createReshape(rewriter, op.getLoc(), op.getOperand(), extentsOf(op));
  if (op.getKind() == ReduceKind::sum && isa<FloatType>(elementTypeOf(op))) {
    Value zero = createNumber(rewriter, op.getLoc(), tensorTypeOf(op), 0.0);
    value = AddOp::create(rewriter, op.getLoc(), value, zero);
  }
  rewriter.replaceOp(op, value);
  return success();
}

} // namespace

void populateContractionPatterns(RewritePatternSet &patterns) {
  patterns.add(foldTransposes).add(transposeOfMatmul).add(reduceOfUnits);
}

} // namespace kiln::passes
