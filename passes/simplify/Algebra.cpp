// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algebra on single elements that keeps every bit.
#include "passes/simplify/Patterns.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

bool isFloat(Value value) { return isa<FloatType>(elementTypeOf(value)); }

/// Replaces `op` by the splat of a number.
LogicalResult replaceByNumber(Operation *op, double number,
                              PatternRewriter &rewriter) {
  rewriter.replaceOp(op, createNumber(rewriter, op->getLoc(),
                                      tensorTypeOf(op->getResult(0)), number));
  return success();
}

//===--- Signs ------------------------------------------------------------===//

// neg(neg(x)) -> x
LogicalResult simplifyNeg(NegOp op, PatternRewriter &rewriter) {
  auto inner = op.getOperand().getDefiningOp<NegOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "the operand is no neg");
  rewriter.replaceOp(op, inner.getOperand());
  return success();
}

// abs(neg(x)) -> abs(x); abs(abs(x)) -> abs(x)
LogicalResult simplifyAbs(AbsOp op, PatternRewriter &rewriter) {
  if (auto inner = op.getOperand().getDefiningOp<AbsOp>()) {
    rewriter.replaceOp(op, inner.getResult());
    return success();
  }
  auto inner = op.getOperand().getDefiningOp<NegOp>();
  if (!inner || isUnsigned(elementTypeOf(op)))
    return rewriter.notifyMatchFailure(
        op, "the operand is no neg of signed numbers");
  rewriter.replaceOpWithNewOp<AbsOp>(op, inner.getOperand());
  return success();
}

//===--- Sums -------------------------------------------------------------===//

// add(x, -0.0) -> x, for integers add(x, 0) -> x. Wrong for floats: add(x, 0.0)
// -> x, since -0 + 0 = 0. add(x, neg(y)) -> sub(x, y); a - b is a + (-b),
// rounded once.
LogicalResult simplifyAdd(AddOp op, PatternRewriter &rewriter) {
  double neutral = isFloat(op) ? -0.0 : 0.0;
  for (auto [x, y] : {std::pair(op.getLhs(), op.getRhs()),
                      std::pair(op.getRhs(), op.getLhs())}) {
    if (isSplatOf(y, neutral)) {
      rewriter.replaceOp(op, x);
      return success();
    }
    if (auto neg = y.getDefiningOp<NegOp>()) {
      rewriter.replaceOpWithNewOp<SubOp>(op, x, neg.getOperand());
      return success();
    }
  }
  return rewriter.notifyMatchFailure(op, "no operand is 0 or a neg");
}

// sub(x, 0) -> x: also for floats, since -0 - 0 = -0. sub(x, neg(y)) -> add(x,
// y). sub(x, x) -> 0 for integers: a NaN or an infinity gives NaN. Wrong:
// neg(sub(x, y)) -> sub(y, x), since -(x - x) = -0.
LogicalResult simplifySub(SubOp op, PatternRewriter &rewriter) {
  if (isSplatOf(op.getRhs(), 0.0)) {
    rewriter.replaceOp(op, op.getLhs());
    return success();
  }
  if (auto neg = op.getRhs().getDefiningOp<NegOp>()) {
    rewriter.replaceOpWithNewOp<AddOp>(op, op.getLhs(), neg.getOperand());
    return success();
  }
  if (op.getLhs() == op.getRhs() && !isFloat(op))
    return replaceByNumber(op, 0, rewriter);
  return rewriter.notifyMatchFailure(
      op, "no operand is 0 or a neg, nor are both the same integers");
}

//===--- Products ---------------------------------------------------------===//

// mul(x, 1) -> x; mul(x, 0) -> 0 for integers; mul(neg(x), neg(y)) -> mul(x,
// y); mul(neg(x), c) -> mul(x, -c)
LogicalResult simplifyMul(MulOp op, PatternRewriter &rewriter) {
  for (auto [x, y] : {std::pair(op.getLhs(), op.getRhs()),
                      std::pair(op.getRhs(), op.getLhs())}) {
    if (isSplatOf(y, 1)) {
      rewriter.replaceOp(op, x);
      return success();
    }
    if (isSplatOf(y, 0) && !isFloat(op))
      return replaceByNumber(op, 0, rewriter);
    auto neg = x.getDefiningOp<NegOp>();
    if (!neg)
      continue;
    if (auto other = y.getDefiningOp<NegOp>()) {
      rewriter.replaceOpWithNewOp<MulOp>(op, neg.getOperand(),
                                         other.getOperand());
      return success();
    }
    if (auto factor = dyn_cast_if_present<FloatAttr>(splatElement(y))) {
      auto negated = FloatAttr::get(factor.getType(), -factor.getValue());
      Value constant =
          createSplat(rewriter, op.getLoc(), tensorTypeOf(y), negated);
      rewriter.replaceOpWithNewOp<MulOp>(op, neg.getOperand(), constant);
      return success();
    }
  }
  return rewriter.notifyMatchFailure(op,
                                     "no operand has a factor to take along");
}

// div(x, 1) -> x; div(x, 2^k) -> mul(x, 2^-k) for floats: both are exact up to
// one rounding of the same number; div(neg(x), neg(y)) -> div(x, y) for floats:
// integers overflow differently
LogicalResult simplifyDiv(DivOp op, PatternRewriter &rewriter) {
  if (isSplatOf(op.getRhs(), 1)) {
    rewriter.replaceOp(op, op.getLhs());
    return success();
  }
  if (!isFloat(op))
    return rewriter.notifyMatchFailure(op, "integers overflow differently");
  if (auto divisor =
          dyn_cast_if_present<FloatAttr>(splatElement(op.getRhs()))) {
    APFloat inverse = divisor.getValue();
    if (!divisor.getValue().getExactInverse(&inverse))
      return rewriter.notifyMatchFailure(op,
                                         "the divisor's inverse is not exact");
    auto factor = FloatAttr::get(divisor.getType(), inverse);
    Value constant =
        createSplat(rewriter, op.getLoc(), tensorTypeOf(op.getRhs()), factor);
    rewriter.replaceOpWithNewOp<MulOp>(op, op.getLhs(), constant);
    return success();
  }
  auto lhs = op.getLhs().getDefiningOp<NegOp>(),
       rhs = op.getRhs().getDefiningOp<NegOp>();
  if (!lhs || !rhs)
    return rewriter.notifyMatchFailure(op, "not both operands are negs");
  rewriter.replaceOpWithNewOp<DivOp>(op, lhs.getOperand(), rhs.getOperand());
  return success();
}

// floor_div(x, 1) -> x for integers: floats round down
LogicalResult simplifyFloorDiv(FloorDivOp op, PatternRewriter &rewriter) {
  if (isFloat(op) || !isSplatOf(op.getRhs(), 1))
    return rewriter.notifyMatchFailure(op, "no division of integers by 1");
  rewriter.replaceOp(op, op.getLhs());
  return success();
}

// rem(x, 1) -> 0, floor_mod(x, 1) -> 0 for integers
template <typename Op>
LogicalResult simplifyRemainder(Op op, PatternRewriter &rewriter) {
  if (isFloat(op) || !isSplatOf(op.getRhs(), 1))
    return rewriter.notifyMatchFailure(op, "no remainder of integers by 1");
  return replaceByNumber(op, 0, rewriter);
}

//===--- Choices ----------------------------------------------------------===//

// max(x, x) -> x and so on
template <typename Op>
LogicalResult simplifyIdempotent(Op op, PatternRewriter &rewriter) {
  if (op.getLhs() != op.getRhs())
    return rewriter.notifyMatchFailure(op, "the operands differ");
  rewriter.replaceOp(op, op.getLhs());
  return success();
}

// and(x, true) -> x; and(x, false) -> false; or(x, false) -> x; or(x, true) ->
// true
template <typename Op>
LogicalResult simplifyLogical(Op op, PatternRewriter &rewriter) {
  constexpr bool neutral = std::is_same_v<Op, AndOp>;
  if (!elementTypeOf(op).isInteger(1))
    return rewriter.notifyMatchFailure(op,
                                       "bits of integers have no such neutral");
  for (auto [x, y] : {std::pair(op.getLhs(), op.getRhs()),
                      std::pair(op.getRhs(), op.getLhs())}) {
    if (!isSplatOf(y, 0) && !isSplatOf(y, 1))
      continue;
    rewriter.replaceOp(op, isSplatOf(y, neutral) ? x : y);
    return success();
  }
  return rewriter.notifyMatchFailure(op,
                                     "no operand is true or false everywhere");
}

Predicate inverse(Predicate predicate) {
  switch (predicate) {
  case Predicate::eq:
    return Predicate::ne;
  case Predicate::ne:
    return Predicate::eq;
  case Predicate::lt:
    return Predicate::ge;
  case Predicate::le:
    return Predicate::gt;
  case Predicate::gt:
    return Predicate::le;
  case Predicate::ge:
    return Predicate::lt;
  }
  return predicate;
}

// not(not(x)) -> x; not(compare p) -> compare of the inverse; with floats for
// eq and ne alone: a NaN is neither less nor not less
LogicalResult simplifyNot(NotOp op, PatternRewriter &rewriter) {
  if (auto inner = op.getOperand().getDefiningOp<NotOp>()) {
    rewriter.replaceOp(op, inner.getOperand());
    return success();
  }
  auto compare = op.getOperand().getDefiningOp<CompareOp>();
  if (!compare)
    return rewriter.notifyMatchFailure(op, "the operand is no not or compare");
  Predicate predicate = compare.getPredicate();
  if (isFloat(compare.getLhs()) && predicate != Predicate::eq &&
      predicate != Predicate::ne)
    return rewriter.notifyMatchFailure(
        op, "a NaN fails the comparison and its inverse");
  rewriter.replaceOpWithNewOp<CompareOp>(op, op.getType(), inverse(predicate),
                                         compare.getLhs(), compare.getRhs());
  return success();
}

// compare(x, x) -> true or false, unless x may be NaN
LogicalResult simplifyCompare(CompareOp op, PatternRewriter &rewriter) {
  if (op.getLhs() != op.getRhs() || isFloat(op.getLhs()))
    return rewriter.notifyMatchFailure(op,
                                       "the operands differ, or may be NaN");
  Predicate predicate = op.getPredicate();
  bool holds = predicate == Predicate::eq || predicate == Predicate::le ||
               predicate == Predicate::ge;
  return replaceByNumber(op, holds, rewriter);
}

// select(c, x, x) -> x; select(true, x, y) -> x; select(false, x, y) -> y;
// select(not(c), x, y) -> select(c, y, x); select(c, true, false) -> c;
// select(c, false, true) -> not(c)
LogicalResult simplifySelect(SelectOp op, PatternRewriter &rewriter) {
  Value condition = op.getCondition(), onTrue = op.getOnTrue(),
        onFalse = op.getOnFalse();
  if (onTrue == onFalse || isSplatOf(condition, 1)) {
    rewriter.replaceOp(op, onTrue);
    return success();
  }
  if (isSplatOf(condition, 0)) {
    rewriter.replaceOp(op, onFalse);
    return success();
  }
  if (auto inner = condition.getDefiningOp<NotOp>()) {
    rewriter.replaceOpWithNewOp<SelectOp>(op, inner.getOperand(), onFalse,
                                          onTrue);
    return success();
  }
  if (!elementTypeOf(op).isInteger(1))
    return rewriter.notifyMatchFailure(
        op, "the condition is not known and the choices are no bools");
  if (isSplatOf(onTrue, 1) && isSplatOf(onFalse, 0)) {
    rewriter.replaceOp(op, condition);
    return success();
  }
  if (!isSplatOf(onTrue, 0) || !isSplatOf(onFalse, 1))
    return rewriter.notifyMatchFailure(op,
                                       "the choices are not true and false");
  rewriter.replaceOpWithNewOp<NotOp>(op, condition);
  return success();
}

//===--- Casts ------------------------------------------------------------===//

/// Whether every value of `from` is a value of `to`, and no two become one.
bool keepsAll(Type from, Type to) {
  if (from == to || from.isInteger(1))
    return true;
  if (to.isInteger(1))
    return false;
  unsigned bits = from.getIntOrFloatBitWidth(),
           wanted = to.getIntOrFloatBitWidth();
  if (isa<FloatType>(from) || wanted <= bits)
    return isa<FloatType>(to) && wanted > bits;
  if (isa<IntegerType>(to))
    return isUnsigned(from) || !isUnsigned(to);
  // A number of ui32 in f64 is out of the range of a cast to i32, where ui32
  // would wrap.
  return to.isF32() ? bits <= 16 : !isUnsigned(from) || bits < 32;
}

// cast(x) -> x where the type stays; cast(cast(x)) -> cast(x) where the inner
// one loses nothing
LogicalResult simplifyCast(CastOp op, PatternRewriter &rewriter) {
  if (op.getOperand().getType() == op.getType()) {
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
  auto inner = op.getOperand().getDefiningOp<CastOp>();
  if (!inner ||
      !keepsAll(elementTypeOf(inner.getOperand()), elementTypeOf(inner)))
    return rewriter.notifyMatchFailure(
        op, "the operand is no cast that loses nothing");
  Type from = elementTypeOf(inner.getOperand()), to = elementTypeOf(op);
  if (from == to) {
    rewriter.replaceOp(op, inner.getOperand());
    return success();
  }
  if (isNarrowFloat(from) || (isNarrowFloat(to) && !from.isF32()))
    return rewriter.notifyMatchFailure(op, "f16 and bf16 go through f32");
  rewriter.replaceOpWithNewOp<CastOp>(op, op.getType(), inner.getOperand());
  return success();
}

} // namespace

void populateAlgebraPatterns(RewritePatternSet &patterns) {
  patterns.add(simplifyNeg)
      .add(simplifyAbs)
      .add(simplifyAdd)
      .add(simplifySub)
      .add(simplifyMul)
      .add(simplifyDiv);
  patterns.add(simplifyFloorDiv)
      .add(simplifyRemainder<RemOp>)
      .add(simplifyRemainder<FloorModOp>);
  patterns.add(simplifyIdempotent<MaxOp>).add(simplifyIdempotent<MinOp>);
  patterns.add(simplifyIdempotent<AndOp>).add(simplifyIdempotent<OrOp>);
  patterns.add(simplifyLogical<AndOp>).add(simplifyLogical<OrOp>);
  patterns.add(simplifyNot)
      .add(simplifyCompare)
      .add(simplifySelect)
      .add(simplifyCast);
}

} // namespace kiln::passes
