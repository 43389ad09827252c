// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formulas of arithmetic on complex numbers.
#include "lib/Ops/Complex/LoweringParts.h"

#include <limits>

namespace kiln::parts {

using ir::Predicate;

constexpr double infinity = std::numeric_limits<double>::infinity();

Parts add(IrBuilder &ir, const Parts &x, const Parts &y) {
  return {ir.add(x.real, y.real), ir.add(x.imag, y.imag)};
}

Parts sub(IrBuilder &ir, const Parts &x, const Parts &y) {
  return {ir.sub(x.real, y.real), ir.sub(x.imag, y.imag)};
}

Parts neg(IrBuilder &ir, const Parts &x) {
  return {ir.neg(x.real), ir.neg(x.imag)};
}

Parts conj(IrBuilder &ir, const Parts &x) { return {x.real, ir.neg(x.imag)}; }

Parts mul(IrBuilder &ir, const Parts &x, const Parts &y) {
  return {ir.sub(ir.mul(x.real, y.real), ir.mul(x.imag, y.imag)),
          ir.add(ir.mul(x.real, y.imag), ir.mul(x.imag, y.real))};
}

Parts scaled(IrBuilder &ir, const Parts &x, Value factor) {
  return {ir.mul(x.real, factor), ir.mul(x.imag, factor)};
}

Parts shrunk(IrBuilder &ir, const Parts &x, Value divisor) {
  return {ir.div(x.real, divisor), ir.div(x.imag, divisor)};
}

Parts div(IrBuilder &ir, const Parts &x, const Parts &y) {
  Value largest = ir.binary<ir::MaxOp>(ir.unary<ir::AbsOp>(y.real),
                                       ir.unary<ir::AbsOp>(y.imag));
  Parts small = shrunk(ir, y, largest);
  Value square =
      ir.add(ir.mul(small.real, small.real), ir.mul(small.imag, small.imag));
  Parts product = mul(ir, x, conj(ir, small));
  return shrunk(ir, shrunk(ir, product, square), largest);
}

Parts constant(IrBuilder &ir, const Parts &like, double real) {
  return {ir.like(like.real, real), ir.like(like.real, 0)};
}

Parts select(IrBuilder &ir, Value condition, const Parts &x, const Parts &y) {
  return {ir.select(condition, x.real, y.real),
          ir.select(condition, x.imag, y.imag)};
}

Value isZero(IrBuilder &ir, const Parts &x) {
  return ir.binary<ir::AndOp>(ir.compare(Predicate::eq, x.real, 0.0),
                              ir.compare(Predicate::eq, x.imag, 0.0));
}

Value isInfinite(IrBuilder &ir, const Parts &x) {
  auto is = [&](Value part) {
    return ir.compare(Predicate::eq, ir.unary<ir::AbsOp>(part), infinity);
  };
  return ir.binary<ir::OrOp>(is(x.real), is(x.imag));
}

// largest * sqrt(1 + (smallest / largest)^2)
Value abs(IrBuilder &ir, const Parts &x) {
  Value a = ir.unary<ir::AbsOp>(x.real), b = ir.unary<ir::AbsOp>(x.imag);
  Value high = ir.binary<ir::MaxOp>(a, b), low = ir.binary<ir::MinOp>(a, b);
  Value ratio = ir.div(low, high);
  Value size =
      ir.mul(high, ir.sqrt(ir.add(ir.like(high, 1), ir.mul(ratio, ratio))));
  // 0 / 0 of zeros; infinity is the size of (infinity, NaN), too.
  size = ir.select(ir.compare(Predicate::eq, high, 0.0), high, size);
  return ir.select(isInfinite(ir, x), ir.like(high, infinity), size);
}

Value angle(IrBuilder &ir, const Parts &x) {
  return ir.binary<ir::Atan2Op>(x.imag, x.real);
}

Parts exp(IrBuilder &ir, const Parts &x) {
  Value size = ir.exp(x.real);
  Parts result = scaled(
      ir, {ir.unary<ir::CosOp>(x.imag), ir.unary<ir::SinOp>(x.imag)}, size);
  // exp(-infinity) is 0 in all directions, and what is real stays real.
  Value none = ir.compare(Predicate::eq, x.real, -infinity);
  result = select(ir, none, {size, size}, result);
  Value isReal = ir.compare(Predicate::eq, x.imag, 0.0);
  return {ir.select(isReal, size, result.real),
          ir.select(isReal, x.imag, result.imag)};
}

Parts log(IrBuilder &ir, const Parts &x) {
  return {ir.log(abs(ir, x)), angle(ir, x)};
}

// With w = sqrt((|re| + |x|) / 2): (w, im / 2w) on the right of the imaginary
// axis, (|im| / 2w, +-w) on the left of it.
Parts sqrt(IrBuilder &ir, const Parts &x) {
  Value half = ir.like(x.real, 0.5), zero = ir.like(x.real, 0);
  Value root = ir.sqrt(ir.add(ir.mul(half, ir.unary<ir::AbsOp>(x.real)),
                              ir.mul(half, abs(ir, x))));
  Value other = ir.mul(half, ir.div(x.imag, root));
  // -0 is below: its reciprocal is.
  Value isBelow = ir.binary<ir::OrOp>(
      ir.compare(Predicate::lt, x.imag, 0.0),
      ir.compare(Predicate::lt, ir.div(ir.like(x.imag, 1), x.imag), 0.0));
  Value isLeft = ir.compare(Predicate::lt, x.real, 0.0);
  Parts result{
      ir.select(isLeft, ir.unary<ir::AbsOp>(other), root),
      ir.select(isLeft, ir.select(isBelow, ir.neg(root), root), other)};
  result =
      select(ir, ir.compare(Predicate::eq, root, 0.0), {zero, x.imag}, result);
  Value isFar =
      ir.compare(Predicate::eq, ir.unary<ir::AbsOp>(x.imag), infinity);
  return select(ir, isFar, {ir.like(x.real, infinity), x.imag}, result);
}

} // namespace kiln::parts
