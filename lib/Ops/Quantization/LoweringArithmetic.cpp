// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers sums and products of integers of two ranges, element by element.
#include "lib/Ops/Quantization/LoweringRange.h"

#include "lib/OpDefs/QuantizedTypes.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// What is said of a range whose first end is not below its last.
enum RangeText : int64_t { firstSum = 2, firstProduct = 4 };

/// Ends the run where a range is none; `text` says which of the kernel's texts
/// is that of the first operand, before that of the second.
void checkRanges(Context &ctx, const Range &x, const Range &y, int64_t text) {
  for (const Range *range : {&x, &y})
    ctx.ir().kernelCall("CheckRangeNotEmpty", {range->low, range->high},
                        mlir::TypeRange(), text++);
}

/// A range that is symmetric and so many times as wide as the wider of two.
Range commonRange(IrBuilder &ir, const Range &x, const Range &y, double times,
                  DType dtype) {
  Value high =
      max(ir, max(ir, x.high, ir.neg(x.low)), max(ir, y.high, ir.neg(y.low)));
  high = ir.mul(high, ir.like(high, times));
  return {ir.neg(high), high, dtype};
}

Value likeOutput(Context &ctx, Value x) {
  return ctx.ir().broadcast(
      x, ir::withElementType(ctx.outputType(), IrBuilder::elementOf(x)));
}

Status lowerBiasAdd(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Range x = rangeAt(ctx, 2, 0), bias = rangeAt(ctx, 4, 1);
  const Range sum = commonRange(ir, x, bias, 1 << 17, ctx.outputDType(0));
  auto converted = [&](const Range &range, int i) {
    return integersIn(ir, sum, floatsIn(ir, range, integersOf(ctx, i)));
  };
  Value zero = exactIntegersIn(ir, sum, ir.like(sum.low, 0));
  Value biases = converted(bias, 1);
  biases = ir.add(biases, alongAxis(ir, zero, biases, 0));
  Value values = converted(x, 0);
  setIntegers(ctx, 0, ir.add(values, likeOutput(ctx, biases)));
  ctx.setOutput(1, sum.low);
  ctx.setOutput(2, sum.high);
  return okStatus();
}

/// The integers 0 and 1 in a wider range tell all others.
Value linearIn(IrBuilder &ir, const Range &to, const Range &from, Value x) {
  auto place = [&](double integer) {
    Value number = ir.scalar(ir.elementType(integerOf(from.dtype)), integer);
    return openIntegersIn(ir, to, exactFloatsIn(ir, from, number));
  };
  mlir::Type i32 = ir.elementType(DType::Int32),
             i64 = ir.elementType(DType::Int64);
  Value start = place(0);
  Value step = ir.cast(ir.cast(ir.sub(place(1), start), i32), i64);
  Value y = ir.cast(x, i64);
  y = ir.add(alongAxis(ir, start, y, 0), ir.mul(y, alongAxis(ir, step, y, 0)));
  y = min(ir, max(ir, y, ir.like(y, to.ends().least)),
          ir.like(y, to.ends().most));
  return ir.cast(y, i32);
}

Status lowerAdd(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Range x = rangeAt(ctx, 2, 0), y = rangeAt(ctx, 4, 1);
  checkRanges(ctx, x, y, firstSum);
  // The ends of both, not of each: |-0.0| and so on are the same here.
  Value least = min(ir, x.low, y.low), most = max(ir, x.high, y.high);
  Value high = max(ir, ir.unary<ir::AbsOp>(least), ir.unary<ir::AbsOp>(most));
  high = ir.mul(high, ir.like(high, 1 << 14));
  const Range sum = {ir.neg(high), high, ctx.outputDType(0)};
  // A kernel of its own converts a single number.
  auto isSingle = [&](int i) {
    return ctx.dims().resolve(ctx.dims().product(ctx.inputDims(i))).isKnown(1);
  };
  const int single = isSingle(0) ? 0 : isSingle(1) ? 1 : -1;
  auto converted = [&](const Range &range, int i) {
    Value integers = integersOf(ctx, i);
    return likeOutput(
        ctx, i == single
                 ? exactIntegersIn(ir, sum, exactFloatsIn(ir, range, integers))
                 : linearIn(ir, sum, range, integers));
  };
  setIntegers(ctx, 0, ir.add(converted(x, 0), converted(y, 1)));
  ctx.setOutput(1, sum.low);
  ctx.setOutput(2, sum.high);
  return okStatus();
}

Status lowerMul(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Range x = rangeAt(ctx, 2, 0), y = rangeAt(ctx, 4, 1);
  checkRanges(ctx, x, y, firstProduct);
  auto fromZero = [&](const Range &range, int i) {
    Value number = ir.cast(integersOf(ctx, i), ir.elementType(DType::Int32));
    return likeOutput(
        ctx, ir.sub(number, alongAxis(ir, zeroOf(ir, range), number, 0)));
  };
  setIntegers(ctx, 0, ir.mul(fromZero(x, 0), fromZero(y, 1)));
  const Range product = rangeOfProducts(ir, x, y, ctx.outputDType(0));
  ctx.setOutput(1, product.low);
  ctx.setOutput(2, product.high);
  return okStatus();
}

} // namespace

void registerQuantizedArithmetic(LoweringRegistry &registry) {
  registry.add({{"QuantizedBiasAdd", lowerBiasAdd},
                {"QuantizedAdd", lowerAdd},
                {"QuantizedMul", lowerMul}});
}

} // namespace kiln
