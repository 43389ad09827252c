// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers quantization to arithmetic: a scale and bounds, of one range or of one
// for each place of an axis, and what is done with each element.
#include "lib/Ops/Quantization/LoweringRange.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace kiln {
namespace {

using Context = LoweringContext;
using enum ir::Predicate;

/// All axes but one, or all.
llvm::SmallVector<int64_t> otherAxes(Value x, int64_t axis) {
  llvm::SmallVector<int64_t> axes;
  for (int64_t i = 0; i < IrBuilder::typeOf(x).getRank(); ++i)
    if (i != axis)
      axes.push_back(i);
  return axes;
}

//===--- QuantizeAndDequantize --------------------------------------------===//

struct Scale {
  Value low, high, scale, inverse;
};

/// The scale that brings the range into the integers of the bits and keeps 0.
Scale scaleOf(IrBuilder &ir, Value low, Value high, int64_t bits, bool isSigned,
              bool isNarrow) {
  const int64_t half = int64_t(1) << (bits - 1);
  const auto least =
      static_cast<double>(isSigned ? (isNarrow ? 1 - half : -half) : 0);
  const auto most =
      static_cast<double>(isSigned ? half - 1 : 2 * (half - 1) + 1);
  const double unbounded = IrBuilder::elementOf(low).isF32()
                               ? std::numeric_limits<float>::max()
                               : std::numeric_limits<double>::max();
  auto side = [&](double integer, Value end) {
    return ir.select(ir.compare(gt, ir.mul(ir.like(end, integer), end), 0),
                     ir.div(ir.like(end, integer), end),
                     ir.like(end, unbounded));
  };
  Value lowSide = side(least, low), highSide = side(most, high);
  Value isLow = ir.compare(lt, lowSide, highSide);
  Value inverse = ir.select(isLow, ir.div(low, ir.like(low, least)),
                            ir.div(high, ir.like(high, most)));
  return {ir.select(isLow, low, ir.mul(ir.like(low, least), inverse)),
          ir.select(isLow, ir.mul(ir.like(high, most), inverse), high),
          ir.select(isLow, lowSide, highSide), inverse};
}

/// The ends of the range: inputs, or attributes of the first op.
std::pair<Value, Value> givenRange(Context &ctx) {
  if (ctx.numInputs() > 1)
    return {ctx.input(1), ctx.input(2)};
  auto end = [&](const char *name) {
    return ctx.ir().scalar(IrBuilder::elementOf(ctx.input(0)),
                           static_cast<double>(ctx.floatAttr(name)));
  };
  return {end("input_min"), end("input_max")};
}

Status lowerQuantized(Context &ctx, int64_t bits, bool roundsUp) {
  const bool isSigned = ctx.boolAttr("signed_input"),
             hasRange = ctx.boolAttr("range_given");
  if (bits <= 0 || bits >= (isSigned ? 62 : 63))
    return ctx.invalid(strCat("num_bits is out of range: ", bits,
                              " with signed_input_ ", int(isSigned)));
  IrBuilder &ir = ctx.ir();
  const int64_t axis = ctx.numInputs() > 1 ? ctx.intAttr("axis") : -1;
  Value x = ctx.input(0), low, high;
  if (hasRange) {
    std::tie(low, high) = givenRange(ctx);
    if (axis == -1)
      ir.kernelCall("CheckQuantizedRange", {low, high}, mlir::TypeRange());
  } else {
    low = ir.reduce(ir::ReduceKind::min, x, otherAxes(x, axis));
    high = ir.reduce(ir::ReduceKind::max, x, otherAxes(x, axis));
  }
  const Scale scale =
      scaleOf(ir, low, high, bits, isSigned,
              ctx.numInputs() > 1 && ctx.boolAttr("narrow_range"));
  auto spread = [&](Value value) { return alongAxis(ir, value, x, axis); };
  Value y = x;
  if (hasRange)
    y = max(ir, min(ir, y, spread(scale.high)), spread(scale.low));
  y = ir.mul(y, spread(scale.scale));
  y = roundsUp ? ir.unary<ir::FloorOp>(ir.add(y, ir.like(y, 0.5)))
               : ir.unary<ir::RoundEvenOp>(y);
  ctx.setOutput(0, ir.mul(y, spread(scale.inverse)));
  return okStatus();
}

Status lowerByAttribute(Context &ctx) {
  return lowerQuantized(ctx, ctx.intAttr("num_bits"),
                        ctx.stringAttr("round_mode") == "HALF_UP");
}

Status lowerQuantizedInFixedRange(Context &ctx) {
  return lowerQuantized(ctx, ctx.intAttr("num_bits"), /*roundsUp=*/false);
}

Status lowerByInput(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> bits, ctx.ints(3));
  return lowerQuantized(ctx, bits[0], /*roundsUp=*/false);
}

/// x where low <= input <= high, else 0.
Value inRange(IrBuilder &ir, Value x, Value input, Value low, Value high) {
  Value isIn = ir.binary<ir::AndOp>(ir.compare(ge, input, low),
                                    ir.compare(le, input, high));
  return ir.mul(x, ir.cast(isIn, IrBuilder::elementOf(x)));
}

Status lowerQuantizedGrad(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const int64_t axis = ctx.intAttr("axis");
  Value x = ctx.input(1);
  ctx.setOutput(0, inRange(ir, ctx.input(0), x,
                           alongAxis(ir, ctx.input(2), x, axis),
                           alongAxis(ir, ctx.input(3), x, axis)));
  ctx.setOutput(1, ir.splat(ctx.outputType(1), 0));
  ctx.setOutput(2, ir.splat(ctx.outputType(2), 0));
  return okStatus();
}

//===--- FakeQuant --------------------------------------------------------===//

/// A range moved so that 0 is one of its steps.
struct Nudged {
  Value low, high, scale, inverse;
  Value isNothing; ///< both ends are 0
};

Nudged nudge(IrBuilder &ir, Value low, Value high, double least, double most) {
  Value width = ir.sub(high, low), steps = ir.like(low, most - least);
  Value scale = ir.div(width, steps), inverse = ir.div(steps, width);
  Value from = ir.like(low, least), to = ir.like(low, most);
  Value place = ir.sub(from, ir.div(low, scale));
  Value whole = ir.unary<ir::FloorOp>(place);
  Value rest = ir.cast(ir.compare(ge, ir.sub(place, whole), 0.5),
                       IrBuilder::elementOf(low));
  Value zero =
      ir.select(ir.compare(lt, place, from), from,
                ir.select(ir.compare(gt, place, to), to, ir.add(whole, rest)));
  return {
      ir.mul(ir.sub(from, zero), scale), ir.mul(ir.sub(to, zero), scale), scale,
      inverse,
      ir.binary<ir::AndOp>(ir.compare(eq, low, 0), ir.compare(eq, high, 0))};
}

/// The range of a node whose first input that is quantized is number `inputs`.
StatusOr<Nudged> rangeOf(Context &ctx, int inputs) {
  IrBuilder &ir = ctx.ir();
  const int64_t bits = ctx.intAttr("num_bits");
  if (bits < 2 || bits > 16)
    return ctx.invalid("num_bits must be between 2 and 16, inclusive");
  Value low, high;
  if (ctx.numInputs() > inputs + 1) {
    low = ctx.input(inputs + 1);
    high = ctx.input(inputs + 2);
  } else {
    const float from = ctx.floatAttr("min"), to = ctx.floatAttr("max");
    if (from >= to)
      return ctx.invalid(
          strCat("min has to be smaller than max, was: ", from, " >= ", to));
    mlir::Type f32 = ir.elementType(DType::Float32);
    low = ir.scalar(f32, from);
    high = ir.scalar(f32, to);
  }
  return nudge(ir, low, high, ctx.boolAttr("narrow_range") ? 1 : 0,
               static_cast<double>((int64_t(1) << bits) - 1));
}

/// TensorFlow divides by the scale where the range is one input.
template <bool divides> Status lowerFakeQuant(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Nudged range, rangeOf(ctx, 0));
  IrBuilder &ir = ctx.ir();
  Value x = ctx.input(0);
  const int64_t axis = IrBuilder::typeOf(x).getRank() - 1;
  auto spread = [&](Value value) { return alongAxis(ir, value, x, axis); };
  Value zero = ir.unary<ir::FloorOp>(ir.add(
      ir.mul(ir.neg(range.low), range.inverse), ir.like(range.low, 0.5)));
  Value shifted =
      ir.sub(max(ir, min(ir, x, spread(range.high)), spread(range.low)),
             spread(range.low));
  Value scaled = divides ? ir.div(shifted, spread(range.scale))
                         : ir.mul(shifted, spread(range.inverse));
  Value steps = ir.unary<ir::FloorOp>(
      ir.add(ir.sub(scaled, spread(zero)), ir.like(x, 0.5)));
  Value y = ir.mul(steps, spread(range.scale));
  ctx.setOutput(0, ir.select(spread(range.isNothing), ir.like(y, 0), y));
  return okStatus();
}

Status lowerFakeQuantGrad(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Nudged range, rangeOf(ctx, 1));
  IrBuilder &ir = ctx.ir();
  Value gradient = ctx.input(0), x = ctx.input(1);
  const int64_t rank = IrBuilder::typeOf(x).getRank();
  const bool isPerChannel =
      ctx.numOutputs() > 1 && IrBuilder::typeOf(range.low).getRank() == 1;
  const int64_t axis = isPerChannel ? rank - 1 : -1;
  auto spread = [&](Value value) { return alongAxis(ir, value, x, axis); };
  Value low = spread(range.low), high = spread(range.high),
        isNothing = spread(range.isNothing);
  ctx.setOutput(
      0, ir.select(isNothing, gradient, inRange(ir, gradient, x, low, high)));
  if (ctx.numOutputs() == 1)
    return okStatus();
  auto total = [&](Value isOut) {
    Value part = ir.mul(gradient, ir.cast(isOut, IrBuilder::elementOf(x)));
    Value sum = ir.reduce(ir::ReduceKind::sum, part, otherAxes(x, axis));
    return ir.select(range.isNothing, ir.like(sum, 0), sum);
  };
  ctx.setOutput(1, total(ir.compare(lt, x, low)));
  ctx.setOutput(2, total(ir.compare(gt, x, high)));
  return okStatus();
}

} // namespace

void registerQuantizationLowerings(LoweringRegistry &registry) {
  registry.add(
      {{"QuantizeAndDequantize", lowerQuantizedInFixedRange},
       {"QuantizeAndDequantizeV2", lowerByAttribute},
       {"QuantizeAndDequantizeV3", lowerByInput},
       {"QuantizeAndDequantizeV4Grad", lowerQuantizedGrad},
       {"QuantizeV2", lowerQuantize},
       {"Dequantize", lowerDequantize},
       {"FakeQuantWithMinMaxArgs", lowerFakeQuant<false>},
       {"FakeQuantWithMinMaxVars", lowerFakeQuant<true>},
       {"FakeQuantWithMinMaxVarsPerChannel", lowerFakeQuant<false>},
       {"FakeQuantWithMinMaxArgsGradient", lowerFakeQuantGrad},
       {"FakeQuantWithMinMaxVarsGradient", lowerFakeQuantGrad},
       {"FakeQuantWithMinMaxVarsPerChannelGradient", lowerFakeQuantGrad}});
  registerQuantizedArithmetic(registry);
  registerQuantizedChannels(registry);
  registerQuantizedProducts(registry);
  registerRequantization(registry);
}

} // namespace kiln
