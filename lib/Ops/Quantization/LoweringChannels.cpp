// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers what has a range for each channel, and what normalizes channels of
// quantized numbers.
#include "lib/Ops/Quantization/LoweringRange.h"
#include "lib/Support/Strings.h"

#include <cmath>
#include <limits>

namespace kiln {
namespace {

using Context = LoweringContext;
using enum ir::Predicate;

Value magnitude(IrBuilder &ir, Value low, Value high) {
  return max(ir, ir.unary<ir::AbsOp>(low), ir.unary<ir::AbsOp>(high));
}
/// What 2^31 is divided by, as a float.
Value perInteger(IrBuilder &ir, Value x) {
  return ir.div(x, ir.like(x, 2147483648.0));
}
/// All axes but the last.
llvm::SmallVector<int64_t> places(Value x) {
  llvm::SmallVector<int64_t> axes;
  for (int64_t i = 0; i + 1 < IrBuilder::typeOf(x).getRank(); ++i)
    axes.push_back(i);
  return axes;
}
/// A number for each channel, or one for all, of the shape of x.
Value ofChannels(IrBuilder &ir, Value value, Value x) {
  return alongAxis(ir, value, x, IrBuilder::typeOf(x).getRank() - 1);
}

/// Symmetric ranges: integers are multiples of their ends.
Status lowerRequantize(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const bool isSigned = ctx.outputDType(0) == DType::QInt8;
  Value low = firstOf(ctx, 3), high = firstOf(ctx, 4);
  if (isSigned)
    ir.kernelCall("CheckRequestedNegative", {low}, mlir::TypeRange());
  Value scale =
      ir.div(magnitude(ir, ctx.input(1), ctx.input(2)),
             alongAxis(ir, magnitude(ir, low, high), ctx.input(1), 0));
  scale = perInteger(ir, scale);
  scale = ir.mul(scale, ir.like(scale, isSigned ? 127 : 255));
  if (ctx.inputDims(1).size() == 1 &&
      ctx.dims().resolve(ctx.inputDims(1)[0]).isKnown(1))
    scale = ir.reshape(scale, ir.tensorType({}, IrBuilder::elementOf(scale)));
  Value x = ir.cast(integersOf(ctx, 0), ir.elementType(DType::Float32));
  Value y = ir.unary<ir::RoundEvenOp>(ir.mul(x, ofChannels(ir, scale, x)));
  const Ends ends = endsOf(ctx.outputDType(0));
  y = min(ir, max(ir, y, ir.like(y, ends.least)), ir.like(y, ends.most));
  setIntegers(
      ctx, 0,
      ir.cast(y, ir.elementType(isSigned ? DType::Int8 : DType::UInt8)));
  ctx.setOutput(1, low);
  ctx.setOutput(2, high);
  return okStatus();
}

Status lowerRange(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Value x = integersOf(ctx, 0);
  Value least = ir.reduce(ir::ReduceKind::min, x, places(x)),
        most = ir.reduce(ir::ReduceKind::max, x, places(x));
  Value size =
      ir.cast(magnitude(ir, least, most), ir.elementType(DType::Float32));
  Value ranges =
      perInteger(ir, ir.mul(magnitude(ir, ctx.input(1), ctx.input(2)), size));
  Value high = ir.reduce(ir::ReduceKind::max, ranges, {0});
  high = max(ir, high, ir.like(high, std::numeric_limits<float>::min()));
  high =
      min(ir, high,
          ir.like(high, static_cast<double>(ctx.floatAttr("clip_value_max"))));
  Value first = ir.reduce(ir::ReduceKind::min, least, {0});
  ctx.setOutput(
      0, ir.select(ir.compare(ge, first, 0), ir.like(high, 0), ir.neg(high)));
  ctx.setOutput(1, high);
  return okStatus();
}

/// In a range that has room for all that is usual, with 10 bits behind the
/// point.
Status lowerBatchNorm(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  mlir::Type f32 = ir.elementType(DType::Float32);
  const double end = 1 << 20;
  const Range range = {ir.scalar(f32, -end), ir.scalar(f32, end),
                       ctx.outputDType(0)};
  auto floats = [&](int i) {
    return exactFloatsIn(ir, rangeAt(ctx, i + 1, i), integersOf(ctx, i));
  };
  Value mean = floats(3), variance = floats(6), beta = floats(9);
  Value root = ir.sqrt(
      ir.add(variance, ir.like(variance, static_cast<double>(ctx.floatAttr(
                                             "variance_epsilon")))));
  Value scale = ir.div(ir.like(root, 1), root);
  if (ctx.boolAttr("scale_after_normalization"))
    scale = ir.mul(scale, floats(12));
  Value offset = ir.add(ir.mul(ir.neg(mean), scale), beta);
  scale = exactIntegersIn(ir, range, scale);
  offset = exactIntegersIn(ir, range, offset);
  Value x = exactIntegersIn(ir, range, floats(0));
  // What stands for 1 is a number of this range alone.
  const double steps = 4294967296.0, width = 2 * end * (steps / (steps - 1));
  const double one = std::round(steps / width) -
                     std::round(-end * (steps / width)) - 2147483648.0;
  Value y = ir.div(ir.mul(x, ofChannels(ir, scale, x)), ir.like(x, one));
  setIntegers(ctx, 0, ir.add(y, ofChannels(ir, offset, y)));
  ctx.setOutput(1, range.low);
  ctx.setOutput(2, range.high);
  return okStatus();
}

Status lowerInstanceNorm(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const float givenLow = ctx.floatAttr("given_y_min"),
              givenHigh = ctx.floatAttr("given_y_max");
  const bool isGiven = ctx.boolAttr("output_range_given");
  if (isGiven && !(givenLow < givenHigh))
    return ctx.invalid(strCat("given_y_min must be less than given_y_max : ",
                              givenLow, " >= ", givenHigh));
  const Range from = rangeAt(ctx, 1, 0);
  ir.kernelCall("CheckInputRange", {from.low, from.high}, mlir::TypeRange());
  Value x = ir.cast(integersOf(ctx, 0), ir.elementType(DType::Float32));
  const Dims &dims = ctx.inputDims(0);
  Value count = ir.dimScalar(ctx.dims().mul(dims[1], dims[2]),
                             ir.elementType(DType::Float32));
  auto meanOf = [&](Value all) {
    Value sum = ir.reduce(ir::ReduceKind::sum, all, {1, 2});
    return ir.div(sum, alongAxis(ir, count, sum, 0));
  };
  auto spread = [&](Value value) {
    return ir.broadcast(value, IrBuilder::typeOf(x), {0, 3});
  };
  auto number = [&](const char *attr) {
    return ir.like(from.low, static_cast<double>(ctx.floatAttr(attr)));
  };
  Value scale = ir.sub(from.high, from.low);
  scale = ir.div(scale, ir.like(scale, 255));
  Value centered =
      ir.mul(ir.sub(x, spread(meanOf(x))), alongAxis(ir, scale, x, 0));
  Value variance = meanOf(ir.mul(centered, centered));
  variance =
      ir.add(variance, alongAxis(ir, number("variance_epsilon"), variance, 0));
  Value root = ir.sqrt(variance);
  Value y = ir.mul(centered, spread(ir.div(ir.like(root, 1), root)));
  Value low = number("given_y_min"), high = number("given_y_max");
  if (!isGiven) {
    low = ir.reduce(ir::ReduceKind::min, y, {0, 1, 2, 3});
    high = ir.reduce(ir::ReduceKind::max, y, {0, 1, 2, 3});
  }
  Value separation = number("min_separation");
  Value isNarrow = ir.compare(lt, ir.sub(high, low), separation);
  high = ir.select(isNarrow, ir.add(low, separation), high);
  setIntegers(ctx, 0, integersIn(ir, {low, high, ctx.outputDType(0)}, y));
  ctx.setOutput(1, low);
  ctx.setOutput(2, high);
  return okStatus();
}

/// Where the size is the image's own it is moved.
Status lowerResize(Context &ctx) {
  ctx.setOutput(0, ctx.ir().kernelCall("ResizeQuantized", {ctx.input(0)},
                                       ctx.outputType(0),
                                       {ctx.boolAttr("align_corners"),
                                        ctx.boolAttr("half_pixel_centers")}));
  ctx.setOutput(1, ctx.input(2));
  ctx.setOutput(2, ctx.input(3));
  return okStatus();
}

} // namespace

void registerQuantizedChannels(LoweringRegistry &registry) {
  registry.add({{"RequantizePerChannel", lowerRequantize},
                {"RequantizationRangePerChannel", lowerRange},
                {"QuantizedBatchNormWithGlobalNormalization", lowerBatchNorm},
                {"QuantizedInstanceNorm", lowerInstanceNorm},
                {"QuantizedResizeBilinear", lowerResize}});
}

} // namespace kiln
