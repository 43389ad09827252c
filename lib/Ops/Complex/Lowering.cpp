// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers what makes complex numbers and takes them apart, and arithmetic on
// them, onto real arithmetic on their parts.
#include "lib/OpDefs/QuantizedTypes.h"
#include "lib/Ops/Complex/LoweringParts.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

using ir::Predicate;
using Context = LoweringContext;

//===--- Parts ------------------------------------------------------------===//

/// TensorFlow has kernels for numbers and parts of one precision alone.
Status checkPrecision(Context &ctx, DType whole, DType part) {
  if (partType(whole) == part)
    return okStatus();
  return ctx.invalid(strCat("No OpKernel was registered to support Op '",
                            ctx.node().op(), "' with these attrs: [T=DT_",
                            dtypeTfName(whole), ", Tout=DT_", dtypeTfName(part),
                            "]"));
}

Status lowerComplex(Context &ctx) {
  KILN_RETURN_IF_ERROR(
      checkPrecision(ctx, ctx.outputDType(), ctx.inputDType(0)));
  auto operand = [&](int i) {
    Value x = ctx.input(i);
    return ctx.ir().broadcast(
        x, ir::withElementType(ctx.outputType(), IrBuilder::elementOf(x)));
  };
  ctx.setOutput(0, Parts{operand(0), operand(1)});
  return okStatus();
}

template <Value (*compute)(IrBuilder &, const Parts &)>
Status lowerToReal(Context &ctx) {
  KILN_RETURN_IF_ERROR(
      checkPrecision(ctx, ctx.inputDType(0), ctx.outputDType()));
  ctx.setOutput(0, compute(ctx.ir(), ctx.inputParts(0)));
  return okStatus();
}
Value real(IrBuilder &, const Parts &x) { return x.real; }
Value imag(IrBuilder &, const Parts &x) { return x.imag; }

//===--- Arithmetic -------------------------------------------------------===//

template <Parts (*compute)(IrBuilder &, const Parts &)>
Status lowerOneComplex(Context &ctx) {
  ctx.setOutput(0, compute(ctx.ir(), ctx.inputParts(0)));
  return okStatus();
}
template <Parts (*compute)(IrBuilder &, const Parts &, const Parts &)>
Status lowerTwoComplex(Context &ctx) {
  Parts x = broadcastParts(ctx, 0), y = broadcastParts(ctx, 1);
  ctx.setOutput(0, compute(ctx.ir(), x, y));
  return okStatus();
}

Parts square(IrBuilder &ir, const Parts &x) { return parts::mul(ir, x, x); }
Parts reciprocal(IrBuilder &ir, const Parts &x) {
  return parts::div(ir, parts::constant(ir, x, 1), x);
}
/// The difference times its conjugate: real.
Parts squaredDifference(IrBuilder &ir, const Parts &x, const Parts &y) {
  Parts difference = parts::sub(ir, x, y);
  return parts::mul(ir, difference, parts::conj(ir, difference));
}
/// On the unit circle, or 0.
Parts sign(IrBuilder &ir, const Parts &x) {
  return parts::select(ir, parts::isZero(ir, x), parts::constant(ir, x, 0),
                       parts::shrunk(ir, x, parts::abs(ir, x)));
}
Parts onesLike(IrBuilder &ir, const Parts &x) {
  return parts::constant(ir, x, 1);
}

Parts zeroWhereZero(IrBuilder &ir, const Parts &where, const Parts &result) {
  return parts::select(ir, parts::isZero(ir, where),
                       parts::constant(ir, where, 0), result);
}
Parts divNoNan(IrBuilder &ir, const Parts &x, const Parts &y) {
  return zeroWhereZero(ir, y, parts::div(ir, x, y));
}
Parts mulNoNan(IrBuilder &ir, const Parts &x, const Parts &y) {
  return zeroWhereZero(ir, y, parts::mul(ir, x, y));
}
Parts xdivy(IrBuilder &ir, const Parts &x, const Parts &y) {
  return parts::select(ir, parts::isZero(ir, x), x, parts::div(ir, x, y));
}

// Gradients: those that TensorFlow's kernels conjugate themselves, and, of tanh
// and sigmoid, those that its graphs do.
Parts reciprocalGrad(IrBuilder &ir, const Parts &y, const Parts &dy) {
  Parts slope = parts::conj(ir, parts::mul(ir, y, y));
  return parts::neg(ir, parts::mul(ir, dy, slope));
}
Parts sqrtGrad(IrBuilder &ir, const Parts &y, const Parts &dy) {
  Parts half = parts::scaled(ir, dy, ir.like(dy.real, 0.5));
  return zeroWhereZero(ir, dy, parts::div(ir, half, parts::conj(ir, y)));
}
Parts rsqrtGrad(IrBuilder &ir, const Parts &y, const Parts &dy) {
  Parts turned = parts::conj(ir, y);
  Parts cube = parts::mul(ir, parts::mul(ir, turned, turned), turned);
  return parts::mul(ir, dy, parts::scaled(ir, cube, ir.like(cube.real, -0.5)));
}
Parts tanhGrad(IrBuilder &ir, const Parts &y, const Parts &dy) {
  return parts::mul(
      ir, dy, parts::sub(ir, parts::constant(ir, y, 1), parts::mul(ir, y, y)));
}
Parts sigmoidGrad(IrBuilder &ir, const Parts &y, const Parts &dy) {
  return parts::mul(
      ir, dy, parts::mul(ir, y, parts::sub(ir, parts::constant(ir, y, 1), y)));
}

template <bool negated> Status lowerEqual(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Parts x = broadcastParts(ctx, 0), y = broadcastParts(ctx, 1);
  auto equal = [&](Value a, Value b) {
    return ir.compare(Predicate::eq, a, b);
  };
  Value same =
      ir.binary<ir::AndOp>(equal(x.real, y.real), equal(x.imag, y.imag));
  ctx.setOutput(0, negated ? ir.unary<ir::NotOp>(same) : same);
  return okStatus();
}

/// Of a complex number that becomes another kind the imaginary part is lost.
Status lowerComplexCast(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const DType from = ctx.inputDType(0), to = ctx.outputDType();
  if (from == DType::String || to == DType::String)
    return ctx.unimplemented(strCat("Cast ", dtypeTfName(from), " to ",
                                    dtypeTfName(to), " is not supported"));
  if (!isComplex(from)) {
    mlir::Type part = ir.elementType(partType(to));
    Value x = ctx.input(0);
    if (DType number = integerOf(from); number != from)
      x = ir.cast(x, ir.elementType(number));
    x = ir.cast(x, part);
    ctx.setOutput(0, Parts{x, ir.like(x, 0)});
    return okStatus();
  }
  Parts x = ctx.inputParts(0);
  if (isComplex(to)) {
    mlir::Type part = ir.elementType(partType(to));
    ctx.setOutput(0, Parts{ir.cast(x.real, part), ir.cast(x.imag, part)});
    return okStatus();
  }
  Value number = x.real;
  if (DType integer = integerOf(to); integer != to)
    number = ir.cast(number, ir.elementType(integer));
  ctx.setOutput(0, ir.cast(number, ctx.outputType().getElementType()));
  return okStatus();
}

} // namespace

void registerComplexLowerings(LoweringRegistry &registry) {
  registry.add({{"Complex", lowerComplex},
                {"Real", lowerToReal<real>},
                {"Imag", lowerToReal<imag>},
                {"ComplexAbs", lowerToReal<parts::abs>},
                {"Angle", lowerToReal<parts::angle>},
                {"Conj", lowerOneComplex<parts::conj>}});
  registry.addComplex(
      {{"Cast", lowerComplexCast},
       {"Equal", lowerEqual<false>},
       {"NotEqual", lowerEqual<true>},
       {"OnesLike", lowerOneComplex<onesLike>},
       {"Sign", lowerOneComplex<sign>},
       {"Square", lowerOneComplex<square>},
       {"Reciprocal", lowerOneComplex<reciprocal>},
       {"Mul", lowerTwoComplex<parts::mul>},
       {"Div", lowerTwoComplex<parts::div>},
       {"RealDiv", lowerTwoComplex<parts::div>},
       {"DivNoNan", lowerTwoComplex<divNoNan>},
       {"MulNoNan", lowerTwoComplex<mulNoNan>},
       {"Xdivy", lowerTwoComplex<xdivy>},
       {"SquaredDifference", lowerTwoComplex<squaredDifference>},
       {"ReciprocalGrad", lowerTwoComplex<reciprocalGrad>},
       {"InvGrad", lowerTwoComplex<reciprocalGrad>},
       {"SqrtGrad", lowerTwoComplex<sqrtGrad>},
       {"RsqrtGrad", lowerTwoComplex<rsqrtGrad>},
       {"TanhGrad", lowerTwoComplex<tanhGrad>},
       {"SigmoidGrad", lowerTwoComplex<sigmoidGrad>}});
  registerLinearLowerings(registry);
  registerComplexFunctions(registry);
}

} // namespace kiln
