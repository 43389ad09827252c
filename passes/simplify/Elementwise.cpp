// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves elementwise ops to where there is less to compute, or where more ops
// share one shape.
#include "passes/simplify/Patterns.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// The elementwise op on other operands, in the shape of `shape`.
Value cloneOn(Operation *op, ArrayRef<Value> operands, ArrayRef<Extent> shape,
              PatternRewriter &rewriter) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(ir::tensorTypeOf(shape, elementTypeOf(op->getResult(0))));
  state.addAttributes(op->getAttrs());
  return rewriter.create(state)->getResult(0);
}

/// A value that repeats one element: a splat constant or a broadcast of a
/// scalar.
bool isUniform(Value value) {
  return splatElement(value) || broadcastScalar(value);
}

/// The same uniform value in another shape.
Value uniformIn(Value value, ArrayRef<Extent> shape,
                PatternRewriter &rewriter) {
  RankedTensorType type = ir::tensorTypeOf(shape, elementTypeOf(value));
  if (TypedAttr element = splatElement(value))
    return createSplat(rewriter, value.getLoc(), type, element);
  Value scalar = broadcastScalar(value);
  if (shape.empty())
    return scalar;
  return BroadcastOp::create(rewriter, value.getLoc(), type, scalar,
                             ArrayRef<int64_t>());
}

bool mayBeEmpty(Value value) {
  return llvm::any_of(extentsOf(value), [](const Extent &extent) {
    return !extent.isKnown() || extent.value == 0;
  });
}

// f(broadcast(x), broadcast(y)) -> broadcast(f(x, y)) where both have one shape
// and map; splats and broadcasts of scalars go along with any other. Not where
// f may fail and the result may have no elements.
struct HoistAboveBroadcasts : OpTraitRewritePattern<OpTrait::Elementwise> {
  using OpTraitRewritePattern::OpTraitRewritePattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    Value result = op->getResult(0);
    if (tensorTypeOf(result).getRank() == 0)
      return rewriter.notifyMatchFailure(op, "a scalar is broadcast nowhere");
    BroadcastOp model;
    for (Value operand : op->getOperands()) {
      if (isUniform(operand))
        continue;
      auto broadcast = operand.getDefiningOp<BroadcastOp>();
      if (!broadcast || (model && (broadcast.getMap() != model.getMap() ||
                                   extentsOf(broadcast.getOperand()) !=
                                       extentsOf(model.getOperand()))))
        return rewriter.notifyMatchFailure(
            op, "an operand is no broadcast, or one of another shape");
      model = broadcast;
    }
    if (cast<TensorOp>(op).mayFail() && mayBeEmpty(result))
      return rewriter.notifyMatchFailure(
          op, "the op may fail, and there may be no element");
    Extents shape;
    SmallVector<int64_t> map;
    if (model) {
      shape = extentsOf(model.getOperand());
      map.assign(model.getMap().begin(), model.getMap().end());
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          isUniform(operand)
              ? uniformIn(operand, shape, rewriter)
              : operand.getDefiningOp<BroadcastOp>().getOperand());
    Value value = cloneOn(op, operands, shape, rewriter);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, result.getType(), value, map);
    return success();
  }
};

// f(reshape(x), reshape(y)) -> reshape(f(x, y)) where x and y have one shape;
// likewise transposes of one permutation. Not where the view stays for another
// user and nothing is joined, which would part the users' shapes, nor where it
// drops dimensions of 1: fewer dimensions match more often.
template <typename View>
struct SinkBelow : OpTraitRewritePattern<OpTrait::Elementwise> {
  using OpTraitRewritePattern::OpTraitRewritePattern;

  static bool areAlike(View a, View b) {
    if (a.getOperand().getType() != b.getOperand().getType() &&
        extentsOf(a.getOperand()) != extentsOf(b.getOperand()))
      return false;
    if constexpr (std::is_same_v<View, TransposeOp>)
      return a.getPermutation() == b.getPermutation();
    return true;
  }

  static Value createView(View like, RankedTensorType type, Value operand,
                          PatternRewriter &rewriter) {
    if constexpr (std::is_same_v<View, TransposeOp>)
      return TransposeOp::create(rewriter, like.getLoc(), type, operand,
                                 like.getPermutation());
    else
      return ReshapeOp::create(rewriter, like.getLoc(), type, operand);
  }

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    SmallPtrSet<Operation *, 4> views;
    View model;
    bool staysForOthers = false;
    for (Value operand : op->getOperands()) {
      if (isUniform(operand))
        continue;
      auto view = operand.getDefiningOp<View>();
      if (!view || (model && !areAlike(view, model)))
        return rewriter.notifyMatchFailure(
            op, "an operand is no such view, or one of another shape");
      model = view;
      views.insert(view);
      staysForOthers |= llvm::any_of(
          operand.getUsers(), [&](Operation *user) { return user != op; });
    }
    if (!model || (staysForOthers &&
                   (views.size() < 2 || std::is_same_v<View, TransposeOp>)))
      return rewriter.notifyMatchFailure(op, "nothing is joined");
    Extents shape = extentsOf(model.getOperand());
    Extents viewed = extentsOf(model.getResult());
    if (shape.size() > viewed.size() &&
        withoutUnits(shape) == withoutUnits(viewed))
      return rewriter.notifyMatchFailure(op, "the view drops dimensions of 1");
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      auto view = operand.getDefiningOp<View>();
      operands.push_back(view ? view.getOperand()
                              : uniformIn(operand, shape, rewriter));
    }
    Value value = cloneOn(op, operands, shape, rewriter);
    rewriter.replaceOp(
        op, createView(model, tensorTypeOf(op->getResult(0)), value, rewriter));
    return success();
  }
};

} // namespace

void populateElementwisePatterns(RewritePatternSet &patterns) {
  patterns
      .add<HoistAboveBroadcasts, SinkBelow<ReshapeOp>, SinkBelow<TransposeOp>>(
          patterns.getContext());
}

} // namespace kiln::passes
