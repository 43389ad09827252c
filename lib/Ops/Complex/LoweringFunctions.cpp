// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the elementary functions of complex numbers: those of real numbers
// that the parts are, or a kernel.
#include "lib/Ops/Complex/LoweringParts.h"

#include "runtime/abi/ComplexFunction.h"

#include <limits>

namespace kiln {
namespace {

using ir::Predicate;
using Context = LoweringContext;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Op> Value real(IrBuilder &ir, Value x) {
  return ir.unary<Op>(x);
}

/// size * direction, where 0 in a direction stays 0 whatever the size is.
Value along(IrBuilder &ir, Value size, Value direction) {
  return ir.select(ir.compare(Predicate::eq, direction, 0.0), direction,
                   ir.mul(size, direction));
}

Parts rsqrt(IrBuilder &ir, const Parts &x) {
  Parts one = parts::constant(ir, x, 1), zero = parts::constant(ir, x, 0);
  Parts result = parts::div(ir, one, parts::sqrt(ir, x));
  result = parts::select(ir, parts::isInfinite(ir, x), zero, result);
  Parts atZero{ir.like(x.real, infinity),
               ir.like(x.real, std::numeric_limits<double>::quiet_NaN())};
  return parts::select(ir, parts::isZero(ir, x), atZero, result);
}

// (e^re - 1) cos(im) + (cos(im) - 1), the latter as -2 sin(im / 2)^2.
Parts expm1(IrBuilder &ir, const Parts &x) {
  Value half = real<ir::SinOp>(ir, ir.mul(x.imag, ir.like(x.imag, 0.5)));
  Value less = ir.mul(ir.like(half, 2), ir.mul(half, half));
  Value grown =
      along(ir, real<ir::CosOp>(ir, x.imag), real<ir::Expm1Op>(ir, x.real));
  return {ir.sub(grown, less), parts::exp(ir, x).imag};
}

// Near 0: log1p(re (2 + re) + im^2) / 2, as the square of the distance of 1 + x
// from 0 is one more than that.
Parts log1p(IrBuilder &ir, const Parts &x) {
  Parts moved{ir.add(x.real, ir.like(x.real, 1)), x.imag};
  Value excess = ir.add(ir.mul(x.real, ir.add(x.real, ir.like(x.real, 2))),
                        ir.mul(x.imag, x.imag));
  Value near = ir.mul(ir.like(excess, 0.5), real<ir::Log1pOp>(ir, excess));
  Value isNear = ir.compare(Predicate::lt, parts::abs(ir, x), 0.5);
  return {ir.select(isNear, near, ir.log(parts::abs(ir, moved))),
          parts::angle(ir, moved)};
}

Parts sinh(IrBuilder &ir, const Parts &x) {
  return {along(ir, real<ir::CosOp>(ir, x.imag), real<ir::SinhOp>(ir, x.real)),
          along(ir, real<ir::CoshOp>(ir, x.real), real<ir::SinOp>(ir, x.imag))};
}
Parts cosh(IrBuilder &ir, const Parts &x) {
  Value sine = real<ir::SinOp>(ir, x.imag);
  return {ir.mul(real<ir::CoshOp>(ir, x.real), real<ir::CosOp>(ir, x.imag)),
          along(ir, real<ir::SinhOp>(ir, x.real), sine)};
}

// With t = tan(im), b = 1 + t^2, s = sinh(re): (b s cosh(re), t) / (1 + b s^2).
// What is far from the imaginary axis is +-1, and nearly real.
Parts tanh(IrBuilder &ir, const Parts &x) {
  Value one = ir.like(x.real, 1);
  Value t = real<ir::TanOp>(ir, x.imag), s = real<ir::SinhOp>(ir, x.real);
  Value b = ir.add(one, ir.mul(t, t)), bs = ir.mul(b, s);
  Value below = ir.add(one, ir.mul(bs, s));
  Value size = ir.unary<ir::AbsOp>(x.real);
  Value isFar = ir.compare(Predicate::gt, size, 20.0);
  Value rest = ir.exp(ir.mul(ir.like(size, -2), size));
  Value slope = ir.mul(ir.like(rest, 4), ir.mul(real<ir::SinOp>(ir, x.imag),
                                                real<ir::CosOp>(ir, x.imag)));
  // A NaN of an infinite imaginary part does not reach the real one there.
  return {ir.select(isFar, real<ir::SignOp>(ir, x.real),
                    ir.div(ir.mul(bs, real<ir::CoshOp>(ir, x.real)), below)),
          ir.select(isFar, along(ir, slope, rest), ir.div(t, below))};
}

/// f(x) as -i g(ix), for sine and tangent.
template <Parts (*hyperbolic)(IrBuilder &, const Parts &)>
Parts turned(IrBuilder &ir, const Parts &x) {
  Parts result = hyperbolic(ir, {ir.neg(x.imag), x.real});
  return {result.imag, ir.neg(result.real)};
}
Parts cos(IrBuilder &ir, const Parts &x) {
  return cosh(ir, {ir.neg(x.imag), x.real});
}

/// 1 / (1 + exp(-x)); 0 where that power is infinite.
Parts sigmoid(IrBuilder &ir, const Parts &x) {
  Parts power = parts::exp(ir, parts::neg(ir, x));
  Parts one = parts::constant(ir, x, 1);
  Parts result = parts::div(ir, one, parts::add(ir, one, power));
  return parts::select(ir, parts::isInfinite(ir, power),
                       parts::constant(ir, x, 0), result);
}

/// exp(y log(x)); 0 to the power of something with a positive real part is 0.
Parts pow(IrBuilder &ir, const Parts &x, const Parts &y) {
  Parts result = parts::exp(ir, parts::mul(ir, y, parts::log(ir, x)));
  Value isZero = ir.binary<ir::AndOp>(parts::isZero(ir, x),
                                      ir.compare(Predicate::gt, y.real, 0.0));
  return parts::select(ir, isZero, parts::constant(ir, x, 0), result);
}

Parts unlessZero(IrBuilder &ir, const Parts &x, const Parts &result) {
  return parts::select(ir, parts::isZero(ir, x), x, result);
}
Parts xlogy(IrBuilder &ir, const Parts &x, const Parts &y) {
  return unlessZero(ir, x, parts::mul(ir, x, parts::log(ir, y)));
}
Parts xlog1py(IrBuilder &ir, const Parts &x, const Parts &y) {
  return unlessZero(ir, x, parts::mul(ir, x, log1p(ir, y)));
}

template <Parts (*compute)(IrBuilder &, const Parts &)>
Status lowerOneFunction(Context &ctx) {
  ctx.setOutput(0, compute(ctx.ir(), ctx.inputParts(0)));
  return okStatus();
}
template <Parts (*compute)(IrBuilder &, const Parts &, const Parts &)>
Status lowerTwoFunction(Context &ctx) {
  Parts x = broadcastParts(ctx, 0), y = broadcastParts(ctx, 1);
  ctx.setOutput(0, compute(ctx.ir(), x, y));
  return okStatus();
}

/// A function whose cuts and edges take more than a formula.
template <ComplexFunction function> Status lowerByKernel(Context &ctx) {
  ctx.setOutput(0, ctx.ir().kernelCall("ComplexFunction", ctx.input(0),
                                       ctx.outputType(),
                                       {static_cast<int64_t>(function)}));
  return okStatus();
}

} // namespace

void registerComplexFunctions(LoweringRegistry &registry) {
  using enum ComplexFunction;
  registry.addComplex({{"Exp", lowerOneFunction<parts::exp>},
                       {"Expm1", lowerOneFunction<expm1>},
                       {"Log", lowerOneFunction<parts::log>},
                       {"Log1p", lowerOneFunction<log1p>},
                       {"Sqrt", lowerOneFunction<parts::sqrt>},
                       {"Rsqrt", lowerOneFunction<rsqrt>},
                       {"Sin", lowerOneFunction<turned<sinh>>},
                       {"Cos", lowerOneFunction<cos>},
                       {"Tan", lowerOneFunction<turned<tanh>>},
                       {"Sinh", lowerOneFunction<sinh>},
                       {"Cosh", lowerOneFunction<cosh>},
                       {"Tanh", lowerOneFunction<tanh>},
                       {"Sigmoid", lowerOneFunction<sigmoid>},
                       {"Pow", lowerTwoFunction<pow>},
                       {"Xlogy", lowerTwoFunction<xlogy>},
                       {"Xlog1py", lowerTwoFunction<xlog1py>}});
  registry.addComplex({{"Asin", lowerByKernel<Asin>},
                       {"Acos", lowerByKernel<Acos>},
                       {"Atan", lowerByKernel<Atan>},
                       {"Asinh", lowerByKernel<Asinh>},
                       {"Acosh", lowerByKernel<Acosh>},
                       {"Atanh", lowerByKernel<Atanh>}});
}

} // namespace kiln
