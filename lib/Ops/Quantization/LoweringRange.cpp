// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts between the integers of a range and the floats that they stand for,
// step by step as TensorFlow's kernels do: which steps are float32 and which
// float64 decides last digits, and with them integers.
#include "lib/Ops/Quantization/LoweringRange.h"

#include "lib/OpDefs/QuantizedTypes.h"
#include "lib/Support/DTypeDispatch.h"

#include <cmath>
#include <limits>

namespace kiln {

using enum ir::Predicate;

Ends endsOf(DType quantized) {
  return dispatchInteger(integerOf(quantized), []<class T>(T) {
    return Ends{static_cast<double>(std::numeric_limits<T>::min()),
                static_cast<double>(std::numeric_limits<T>::max())};
  });
}

Value roundAway(IrBuilder &ir, Value x) {
  // The number before 0.5: what is added to 0.5 itself gives 1, as the sum is
  // rounded, and what is added to a number below that does not.
  const double half = IrBuilder::elementOf(x).isF32()
                          ? std::nextafter(0.5f, 0.0f)
                          : std::nextafter(0.5, 0.0);
  Value size = ir.unary<ir::AbsOp>(x);
  Value rounded = ir.unary<ir::FloorOp>(ir.add(size, ir.like(x, half)));
  return ir.select(ir.compare(lt, x, 0), ir.neg(rounded), rounded);
}

static Value wide(IrBuilder &ir, Value x) {
  return ir.cast(x, ir.elementType(DType::Float64));
}
static Value single(IrBuilder &ir, Value x) {
  return ir.cast(x, ir.elementType(DType::Float32));
}
/// x of the shape of y, where it is a scalar.
static Value like(IrBuilder &ir, Value x, Value y) {
  return IrBuilder::typeOf(x).getRank() == 0 ? alongAxis(ir, x, y, 0) : x;
}

Value wideRatio(IrBuilder &ir, double numerator, Value divisor) {
  Value denominator = wide(ir, divisor);
  return ir.cast(ir.div(ir.like(denominator, numerator), denominator),
                 IrBuilder::elementOf(divisor));
}

Value integersOf(LoweringContext &ctx, int i) {
  return ctx.ir().cast(ctx.input(i),
                       ctx.ir().elementType(integerOf(ctx.inputDType(i))));
}

void setIntegers(LoweringContext &ctx, int i, Value integers) {
  ctx.setOutput(i, ctx.ir().cast(integers, ctx.outputType(i).getElementType()));
}

Value firstOf(LoweringContext &ctx, int i) {
  IrBuilder &ir = ctx.ir();
  Value x = ctx.input(i);
  const mlir::Type element = IrBuilder::elementOf(x);
  if (IrBuilder::typeOf(x).getRank() == 0)
    return x;
  Value flat = ir.reshape(
      x, ir.tensorType({ctx.dims().product(ctx.inputDims(i))}, element));
  Value one = ir.slice(flat, {0}, {1}, ir.tensorType({Dim::known(1)}, element));
  return ir.reshape(one, ir.tensorType({}, element));
}

Range rangeAt(LoweringContext &ctx, int i, int of) {
  return {firstOf(ctx, i), firstOf(ctx, i + 1), ctx.inputDType(of)};
}

Value floatsIn(IrBuilder &ir, const Range &range, Value integers) {
  Value x = single(ir, integers);
  Value width = wide(ir, ir.sub(range.high, range.low));
  Value scale = single(ir, ir.div(width, ir.like(width, range.ends().width())));
  Value start = ir.mul(roundAway(ir, ir.div(range.low, scale)), scale);
  start = ir.select(ir.compare(eq, range.high, range.low), range.low, start);
  start = ir.sub(start, ir.mul(ir.like(scale, range.ends().least), scale));
  return ir.add(like(ir, start, x), ir.mul(x, like(ir, scale, x)));
}

Value integersIn(IrBuilder &ir, const Range &range, Value floats) {
  const Ends ends = range.ends();
  Value isPoint = ir.compare(eq, range.high, range.low);
  Value ratio = wideRatio(ir, ends.width(), ir.sub(range.high, range.low));
  Value scale = ir.select(isPoint, ir.like(ratio, 0), ratio);
  Value start = ir.sub(roundAway(ir, ir.mul(range.low, scale)),
                       ir.like(scale, ends.least));
  // The largest float that is an int32.
  const double most = std::min(ends.most, 2147483520.0);
  Value y = ir.sub(roundAway(ir, ir.mul(floats, like(ir, scale, floats))),
                   like(ir, start, floats));
  y = min(ir, max(ir, y, ir.like(y, ends.least)), ir.like(y, most));
  return ir.cast(ir.cast(y, ir.elementType(DType::Int32)),
                 ir.elementType(integerOf(range.dtype)));
}

/// The width of the range with the step that is before its first number.
static Value wholeWidth(IrBuilder &ir, const Range &range) {
  const double steps = range.ends().width() + 1;
  Value width = wide(ir, ir.sub(range.high, range.low));
  return ir.mul(width, ir.like(width, steps / (steps - 1)));
}

Value exactFloatsIn(IrBuilder &ir, const Range &range, Value integers) {
  const Ends ends = range.ends();
  Value width = wholeWidth(ir, range);
  Value scale = ir.div(width, ir.like(width, ends.width() + 1));
  Value step = single(ir, scale);
  Value start = wide(ir, ir.mul(roundAway(ir, ir.div(range.low, step)), step));
  Value x = wide(ir, integers);
  Value offset = ir.sub(x, ir.like(x, ends.least));
  Value y = single(
      ir, ir.add(like(ir, start, x), ir.mul(offset, like(ir, scale, x))));
  Value isPoint = ir.compare(eq, range.low, range.high);
  return ir.select(like(ir, isPoint, y), like(ir, range.low, y), y);
}

Value openIntegersIn(IrBuilder &ir, const Range &range, Value floats) {
  const Ends ends = range.ends();
  Value width = wholeWidth(ir, range);
  Value scale = ir.div(ir.like(width, ends.width() + 1), width);
  Value x = wide(ir, floats);
  Value start = roundAway(ir, ir.mul(wide(ir, range.low), scale));
  Value y =
      ir.sub(roundAway(ir, ir.mul(x, like(ir, scale, x))), like(ir, start, x));
  y = ir.cast(y, ir.elementType(DType::Int64));
  Value least = ir.like(y, ends.least);
  Value isPoint = ir.compare(eq, range.low, range.high);
  return ir.select(like(ir, isPoint, y), least, ir.add(y, least));
}

Value exactIntegersIn(IrBuilder &ir, const Range &range, Value floats) {
  Value y = openIntegersIn(ir, range, floats);
  y = min(ir, max(ir, y, ir.like(y, range.ends().least)),
          ir.like(y, range.ends().most));
  return ir.cast(y, ir.elementType(integerOf(range.dtype)));
}

Value zeroOf(IrBuilder &ir, const Range &range) {
  Value zero = openIntegersIn(ir, range, ir.like(range.low, 0));
  return ir.cast(zero, ir.elementType(DType::Int32));
}

Range rangeOfProducts(IrBuilder &ir, const Range &x, const Range &y,
                      DType dtype) {
  auto step = [&](const Range &range) {
    return ir.div(ir.sub(range.high, range.low),
                  ir.like(range.low, static_cast<float>(range.ends().width())));
  };
  Value size = ir.mul(step(x), step(y));
  auto end = [&](double integer) {
    return ir.mul(size, ir.like(size, static_cast<float>(integer)));
  };
  return {end(endsOf(dtype).least), end(endsOf(dtype).most), dtype};
}

} // namespace kiln
