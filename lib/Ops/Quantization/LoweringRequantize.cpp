// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers what gives the integers of a range another range or another type, and
// what moves or bounds them in theirs.
#include "lib/Ops/Quantization/LoweringRange.h"

#include "lib/OpDefs/QuantizedTypes.h"
#include "lib/Support/StatusMacros.h"

#include <numeric>

namespace kiln {
namespace {

using Context = LoweringContext;
using enum ir::Predicate;

void setRange(Context &ctx, const Range &range, int first = 1) {
  ctx.setOutput(first, range.low);
  ctx.setOutput(first + 1, range.high);
}

//===--- Another range ----------------------------------------------------===//

/// Numbers of 16 bits behind the point, as int64 scalars: what an int32 is
/// multiplied by (and then divided by 2^32), and what is added to it.
struct FixedPoint {
  Value scale, offset;
};

/// How TensorFlow's kernel brings integers of 32 bits into a range of 8.
FixedPoint fixedPoint(IrBuilder &ir, const Range &from, const Range &to) {
  mlir::Type f32 = ir.elementType(DType::Float32),
             f64 = ir.elementType(DType::Float64),
             i64 = ir.elementType(DType::Int64);
  constexpr double one = 65536;
  Value fromWidth = ir.sub(from.high, from.low),
        toWidth = ir.sub(to.high, to.low);
  Value isPoint = ir.compare(eq, toWidth, 0);
  Value width = ir.cast(toWidth, f64);
  auto unlessPoint = [&](Value x) {
    return ir.select(isPoint, ir.like(x, 0), x);
  };
  Value steps = unlessPoint(ir.cast(ir.div(ir.like(width, 255), width), f32));
  Value middle = ir.add(from.low, from.high);
  middle = ir.div(middle, ir.like(middle, 2));
  Value start = ir.mul(ir.mul(middle, steps), ir.like(steps, one));
  Value factor = ir.cast(fromWidth, f64);
  factor = ir.div(ir.mul(ir.like(factor, 255 * one), factor), width);
  Value zero = ir.cast(to.low, f64);
  zero = ir.div(ir.mul(ir.like(zero, one), ir.mul(zero, ir.like(zero, 255))),
                width);
  Value offset = ir.sub(ir.cast(start, i64),
                        unlessPoint(ir.cast(roundAway(ir, zero), i64)));
  return {unlessPoint(ir.cast(factor, i64)),
          ir.add(offset, ir.like(offset, one / 2))};
}

/// (x * scale / 2^32 + offset) / 2^16 within [0, 255], rounded down each time.
/// The kernel reads x by way of float32, which rounds what has more than 24
/// bits, the largest to 2^31.
/// All in 32 bits, of which vectors hold twice as many as of 64:
///   x * scale / 2^32 = x * high + x * low / 2^32 where scale = high * 2^32 +
///   low, wrapped as the product in 64 bits is;
/// and the sum is bounded before it is made.
Value requantized(IrBuilder &ir, const FixedPoint &by, Value x) {
  mlir::Type i32 = ir.elementType(DType::Int32),
             i64 = ir.elementType(DType::Int64);
  auto half = [&](Value number) {
    return ir.binary<ir::ShiftRightOp>(number, ir.like(number, 32));
  };
  auto like = [&](Value scalar) { return alongAxis(ir, scalar, x, 0); };
  Value read = ir.cast(x, ir.elementType(DType::Float32));
  Value isTop = ir.compare(ge, read, 2147483648.0);
  x = ir.cast(read, i32);
  Value low = ir.cast(by.scale, i32);
  Value high = ir.cast(half(ir.sub(by.scale, ir.cast(low, i64))), i32);
  Value part =
      ir.cast(half(ir.mul(ir.cast(x, i64), ir.cast(like(low), i64))), i32);
  Value top = ir.binary<ir::ShiftLeftOp>(by.scale, ir.like(by.scale, 31));
  Value product = ir.select(isTop, like(ir.cast(half(top), i32)),
                            ir.add(ir.mul(x, like(high)), part));

  constexpr double least = -2147483648.0, most = 2147483647.0,
                   largest = 256 * 65536.0 - 1;
  auto bounded = [&](Value number, double from, double to) {
    return min(ir, max(ir, number, ir.like(number, from)), ir.like(number, to));
  };
  Value offset = bounded(by.offset, -most, most + 1 + largest);
  Value first = ir.neg(offset), last = ir.sub(ir.like(offset, largest), offset);
  first = ir.cast(bounded(first, least, most), i32);
  last = ir.cast(bounded(last, least, most), i32);
  product = min(ir, max(ir, product, like(first)), like(last));
  Value sum = ir.add(product, like(ir.cast(offset, i32)));
  return ir.cast(ir.binary<ir::ShiftRightOp>(sum, ir.like(sum, 16)),
                 ir.elementType(DType::UInt8));
}

Value inRange(IrBuilder &ir, const Range &from, const Range &to, Value x) {
  if (from.dtype == DType::QInt32 && to.dtype == DType::QUInt8)
    return requantized(ir, fixedPoint(ir, from, to), x);
  return integersIn(ir, to, floatsIn(ir, from, x));
}

/// The range of what the integers stand for, with 0 as its end or in it.
Range usedRange(IrBuilder &ir, const Range &range, Value x) {
  llvm::SmallVector<int64_t> axes(
      static_cast<size_t>(IrBuilder::typeOf(x).getRank()));
  std::iota(axes.begin(), axes.end(), 0);
  Value low = exactFloatsIn(ir, range, ir.reduce(ir::ReduceKind::min, x, axes));
  Value high =
      exactFloatsIn(ir, range, ir.reduce(ir::ReduceKind::max, x, axes));
  return {min(ir, ir.like(low, 0), low), high, range.dtype};
}

Status lowerRequantize(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Range to = {ctx.input(3), ctx.input(4), ctx.outputDType(0)};
  ir.kernelCall("CheckRequestedRange", {to.low, to.high}, mlir::TypeRange());
  setIntegers(ctx, 0, inRange(ir, rangeAt(ctx, 1, 0), to, integersOf(ctx, 0)));
  setRange(ctx, to);
  return okStatus();
}

Status lowerRequantizationRange(Context &ctx) {
  setRange(ctx, usedRange(ctx.ir(), rangeAt(ctx, 1, 0), integersOf(ctx, 0)), 0);
  return okStatus();
}

Status lowerShrink(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Value x = integersOf(ctx, 0);
  const Range from = rangeAt(ctx, 1, 0);
  Range to = usedRange(ir, from, x);
  to.dtype = ctx.outputDType(0);
  setIntegers(ctx, 0, inRange(ir, from, to, x));
  setRange(ctx, to);
  return okStatus();
}

//===--- The same range ---------------------------------------------------===//

/// At least what stands for 0; at most what stands for `most`, if that is
/// given.
Status activate(Context &ctx, const Range &range, Value most) {
  if (ctx.inputDType(0) != ctx.outputDType(0))
    return ctx.unimplemented("activations of another type than their input");
  IrBuilder &ir = ctx.ir();
  Value x = integersOf(ctx, 0);
  auto bound = [&](Value number) {
    return alongAxis(ir, exactIntegersIn(ir, range, number), x, 0);
  };
  Value y = max(ir, x, bound(ir.like(range.low, 0)));
  setIntegers(ctx, 0, most ? min(ir, y, bound(most)) : y);
  setRange(ctx, range);
  return okStatus();
}

Status lowerRelu(Context &ctx) {
  return activate(ctx, rangeAt(ctx, 1, 0), Value());
}
Status lowerRelu6(Context &ctx) {
  const Range range = rangeAt(ctx, 1, 0);
  return activate(ctx, range, ctx.ir().like(range.low, 6));
}
Status lowerReluX(Context &ctx) {
  return activate(ctx, rangeAt(ctx, 2, 0), ctx.input(1));
}

Status lowerReshape(Context &ctx) {
  ctx.setOutput(0, ctx.ir().reshape(ctx.input(0), ctx.outputType()));
  setRange(ctx, rangeAt(ctx, 2, 0));
  return okStatus();
}

/// Parts that have the range of the whole are moved; others are converted.
Status lowerConcat(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const DType dtype = ctx.outputDType(0);
  const int count = (ctx.numInputs() - 1) / 3;
  KILN_ASSIGN_OR_RETURN(
      int64_t axis, ctx.axis(0, static_cast<int64_t>(ctx.outputDims().size())));
  std::vector<Range> ranges;
  for (int i = 0; i < count; ++i)
    ranges.push_back(
        {firstOf(ctx, 1 + count + i), firstOf(ctx, 1 + 2 * count + i), dtype});
  Range whole = ranges[0];
  whole.low = min(ir, whole.low, ir.like(whole.low, 0));
  for (const Range &range : llvm::drop_begin(ranges)) {
    whole.low = min(ir, whole.low, range.low);
    whole.high = max(ir, whole.high, range.high);
  }
  if (whole.ends().least < 0) {
    whole.high = max(ir, ir.unary<ir::AbsOp>(whole.low),
                     ir.unary<ir::AbsOp>(whole.high));
    whole.low = ir.neg(whole.high);
  }
  llvm::SmallVector<Value> parts;
  for (int i = 0; i < count; ++i) {
    const Range &range = ranges[static_cast<size_t>(i)];
    Value x = integersOf(ctx, i + 1);
    Value isSame = ir.binary<ir::AndOp>(ir.compare(eq, range.low, whole.low),
                                        ir.compare(eq, range.high, whole.high));
    Value y = integersIn(ir, whole, floatsIn(ir, range, x));
    parts.push_back(ir.select(alongAxis(ir, isSame, x, 0), x, y));
  }
  setIntegers(ctx, 0,
              ir.concat(parts, axis,
                        ir.tensorType(ctx.outputDims(), integerOf(dtype))));
  setRange(ctx, whole);
  return okStatus();
}

} // namespace

void registerRequantization(LoweringRegistry &registry) {
  registry.add({{"Requantize", lowerRequantize},
                {"RequantizationRange", lowerRequantizationRange},
                {"QuantizeDownAndShrinkRange", lowerShrink},
                {"QuantizedRelu", lowerRelu},
                {"QuantizedRelu6", lowerRelu6},
                {"QuantizedReluX", lowerReluX},
                {"QuantizedReshape", lowerReshape},
                {"QuantizedConcat", lowerConcat}});
}

} // namespace kiln
