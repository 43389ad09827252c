// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-decompose: products with a vector become mul and reduce, and reductions
// get axes that one loop walks.
#include "passes/Passes.h"
#include "passes/simplify/Patterns.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

#define GEN_PASS_DEF_KILNDECOMPOSE
#include "passes/Passes.h.inc"

namespace {

//===--- Products with a vector -------------------------------------------===//

/// One operand of a matmul, seen as [B..., outer, K] or [B..., K, outer].
struct Factor {
  Value value;
  Extents batch;
  Extent outer, inner;
  bool innerIsLast;

  Factor(Value value, bool innerIsLast)
      : value(value), innerIsLast(innerIsLast) {
    Extents shape = extentsOf(value);
    Extent last = shape.pop_back_val(), first = shape.pop_back_val();
    batch = shape;
    outer = innerIsLast ? first : last;
    inner = innerIsLast ? last : first;
  }

  bool isVector() const { return outer.isKnown(1); }
};

/// `value` as [B..., extent], repeated along the dimension that it lacks of
/// `shape`.
Value spreadVector(const Factor &vector, Extent extent, size_t missing,
                   ArrayRef<Extent> shape, Location loc,
                   PatternRewriter &rewriter) {
  Extents own = vector.batch;
  own.push_back(extent);
  Value value = createReshape(rewriter, loc, vector.value, own);
  SmallVector<int64_t> map;
  for (size_t i = 0; i < shape.size(); ++i)
    if (i != missing)
      map.push_back(i);
  return BroadcastOp::create(
      rewriter, loc, ir::tensorTypeOf(shape, elementTypeOf(value)), value, map);
}

/// The products of two operands in the shape of one, in the order of the
/// matmul's operands.
Value createProduct(Value value, Value other, bool valueIsLhs, Location loc,
                    PatternRewriter &rewriter) {
  return valueIsLhs ? MulOp::create(rewriter, loc, value, other)
                    : MulOp::create(rewriter, loc, other, value);
}

// matmul(x : [B, M, 1], y : [B, 1, N]) -> mul(broadcast(x), broadcast(y))
LogicalResult decomposeOuterProduct(MatmulOp op, PatternRewriter &rewriter) {
  Factor lhs(op.getLhs(), !op.getTransposeLhs()),
      rhs(op.getRhs(), op.getTransposeRhs());
  if (!lhs.inner.isKnown(1))
    return rewriter.notifyMatchFailure(
        op, "the inner dimension is not known to be 1");
  Extents shape = extentsOf(op);
  size_t rank = shape.size();
  Value x =
      spreadVector(lhs, lhs.outer, rank - 1, shape, op.getLoc(), rewriter);
  Value y =
      spreadVector(rhs, rhs.outer, rank - 2, shape, op.getLoc(), rewriter);
  rewriter.replaceOpWithNewOp<MulOp>(op, x, y);
  return success();
}

// matmul(x : [B, M, K], y : [B, K, 1]) -> reduce(mul(x, broadcast(y))) over K,
// wherever K stands in x: no operand is transposed in memory. Likewise with x
// as the vector.
LogicalResult decomposeVectorProduct(MatmulOp op, PatternRewriter &rewriter) {
  Factor lhs(op.getLhs(), !op.getTransposeLhs()),
      rhs(op.getRhs(), op.getTransposeRhs());
  if (lhs.inner.isKnown(1) || (!lhs.isVector() && !rhs.isVector()))
    return rewriter.notifyMatchFailure(op, "no operand is a vector");
  bool matrixIsLhs = rhs.isVector();
  const Factor &matrix = matrixIsLhs ? lhs : rhs,
               &vector = matrixIsLhs ? rhs : lhs;
  Location loc = op.getLoc();
  Extents result = extentsOf(op);
  Value product;
  int64_t axis = 0;
  if (matrix.isVector()) { // a dot product
    Extents shape = matrix.batch;
    shape.push_back(matrix.inner);
    product = createProduct(createReshape(rewriter, loc, matrix.value, shape),
                            createReshape(rewriter, loc, vector.value, shape),
                            matrixIsLhs, loc, rewriter);
    axis = shape.size() - 1;
  } else {
    Extents shape = extentsOf(matrix.value);
    axis = shape.size() - (matrix.innerIsLast ? 1 : 2);
    size_t missing = shape.size() - (matrix.innerIsLast ? 2 : 1);
    Value spread =
        spreadVector(vector, vector.inner, missing, shape, loc, rewriter);
    product = createProduct(matrix.value, spread, matrixIsLhs, loc, rewriter);
  }
  Extents kept = extentsOf(product);
  kept.erase(kept.begin() + axis);
  Value sum =
      ReduceOp::create(rewriter, loc, ir::tensorTypeOf(kept, elementTypeOf(op)),
                       ReduceKind::sum, product, ArrayRef<int64_t>{axis});
  rewriter.replaceOp(op, createReshape(rewriter, loc, sum, result));
  return success();
}

//===--- Reductions -------------------------------------------------------===//

// reduce(x : [s0, 1]) -> reduce(reshape(x) : [s0]): dimensions of 1 neither
// part axes nor make an order
LogicalResult dropUnitsOfReduce(ReduceOp op, PatternRewriter &rewriter) {
  Extents shape = extentsOf(op.getOperand()), result;
  SmallVector<int64_t> axes;
  int64_t kept = 0;
  for (auto [index, extent] : llvm::enumerate(shape)) {
    if (extent.isKnown(1))
      continue;
    if (llvm::is_contained(op.getAxes(), static_cast<int64_t>(index)))
      axes.push_back(kept);
    else
      result.push_back(extent);
    ++kept;
  }
  if (kept == static_cast<int64_t>(shape.size()) || axes.empty())
    return rewriter.notifyMatchFailure(
        op, "no dimension is 1, or all that are reduced are");
  Location loc = op.getLoc();
  Value operand =
      createReshape(rewriter, loc, op.getOperand(), withoutUnits(shape));
  Value reduced = ReduceOp::create(rewriter, loc,
                                   ir::tensorTypeOf(result, elementTypeOf(op)),
                                   op.getKind(), operand, axes);
  rewriter.replaceOp(op, createReshape(rewriter, loc, reduced, extentsOf(op)));
  return success();
}

// reduce(x) over axes in several runs -> reduce(transpose(x)) over one run: the
// last one where the last dimension is among the axes, the first one otherwise.
// The linear index of the axes, and so the order of the sum, stays.
LogicalResult gatherReducedAxes(ReduceOp op, PatternRewriter &rewriter) {
  ArrayRef<int64_t> axes = op.getAxes();
  if (axes.empty() ||
      axes.back() - axes.front() + 1 == static_cast<int64_t>(axes.size()))
    return rewriter.notifyMatchFailure(op, "the axes are one run");
  Extents shape = extentsOf(op.getOperand()), permuted;
  int64_t rank = shape.size();
  SmallVector<int64_t> kept, permutation, newAxes;
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(axes, i))
      kept.push_back(i);
  bool isSuffix = axes.back() == rank - 1;
  llvm::append_range(permutation, isSuffix ? ArrayRef<int64_t>(kept) : axes);
  llvm::append_range(permutation, isSuffix ? axes : ArrayRef<int64_t>(kept));
  for (int64_t source : permutation)
    permuted.push_back(shape[source]);
  for (size_t i = 0; i < axes.size(); ++i)
    newAxes.push_back((isSuffix ? kept.size() : 0) + i);
  Value operand = TransposeOp::create(
      rewriter, op.getLoc(), ir::tensorTypeOf(permuted, elementTypeOf(op)),
      op.getOperand(), permutation);
  rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), op.getKind(), operand,
                                        newAxes);
  return success();
}

class KilnDecomposePass : public impl::KilnDecomposeBase<KilnDecomposePass> {
public:
  using KilnDecomposeBase::KilnDecomposeBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    set.add(decomposeOuterProduct).add(decomposeVectorProduct);
    set.add(dropUnitsOfReduce).add(gatherReducedAxes);
    // The reshapes and broadcasts that the rewrites make find others to merge
    // with.
    populateViewPatterns(set);
    populateElementwisePatterns(set);
    populateContractionPatterns(set);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(getOperation(), patterns, config)))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }

private:
  FrozenRewritePatternSet patterns;
};

} // namespace
} // namespace kiln::passes
