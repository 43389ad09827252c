// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers products of matrices and convolutions of integers of 8 bits onto the
// kernel that multiplies bytes (runtime/kernels/QuantizedProducts.cpp).
//
// With x and w as they are, p and q for what stands for 0 in their ranges, and
// K terms, what is asked for is
//   sum (x - p) (w - q) = sum x w - q sum x - p sum w + K p q
// modulo 2^32. The kernel takes w with a sign: of a type without one w - 128
// and q - 128 are taken, which changes no difference. What depends on the
// filter alone is written as ops, so that it is computed once where the filter
// is a constant.
#include "lib/OpDefs/QuantizedTypes.h"
#include "lib/Ops/Convolution/LoweringWindows.h"
#include "lib/Ops/Quantization/LoweringRange.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// A filter as a matrix [K, N] of bytes with a sign, and what stands for 0.
struct Filter {
  Value bytes, zero;
  Dim rows, columns;
};

Filter filterOf(Context &ctx, Value integers, Value zero, Dim rows,
                Dim columns) {
  IrBuilder &ir = ctx.ir();
  mlir::Type i32 = ir.elementType(DType::Int32);
  const bool hasSign = ctx.inputDType(1) == DType::QInt8;
  Value matrix = ir.reshape(
      integers, ir.tensorType({rows, columns}, IrBuilder::elementOf(integers)));
  if (!hasSign) {
    matrix = ir.cast(matrix, i32);
    matrix = ir.sub(matrix, ir.like(matrix, 128));
    zero = ir.sub(zero, ir.like(zero, 128));
  }
  return {ir.cast(matrix, ir.elementType(DType::Int8)), zero, rows, columns};
}

/// The matrix in panels: [N / 16, K / 4, 16, 4].
Value panelsOf(Context &ctx, const Filter &filter) {
  IrBuilder &ir = ctx.ir();
  DimSpace &dims = ctx.dims();
  constexpr int64_t stepRows = 4, panelColumns = 16;
  auto parts = [&](Dim extent, int64_t size) {
    return dims.floorDiv(dims.add(extent, Dim::known(size - 1)),
                         Dim::known(size));
  };
  const Dim steps = parts(filter.rows, stepRows),
            panels = parts(filter.columns, panelColumns);
  mlir::Type i8 = ir.elementType(DType::Int8);
  const Dims padded = {dims.mul(steps, Dim::known(stepRows)),
                       dims.mul(panels, Dim::known(panelColumns))};
  Value whole = filter.bytes;
  if (!dims.equal(padded[0], filter.rows) ||
      !dims.equal(padded[1], filter.columns))
    whole = ir.pad(whole, ir.scalar(i8, 0), {0, 0}, ir.tensorType(padded, i8));
  whole = ir.reshape(whole, ir.tensorType({steps, Dim::known(stepRows), panels,
                                           Dim::known(panelColumns)},
                                          i8));
  return ir.transpose(whole, {2, 0, 3, 1});
}

/// How windows lie in an image: as Product in the kernel's file reads it.
using Window = Dims;

void setRange(Context &ctx, const Range &range) {
  ctx.setOutput(1, range.low);
  ctx.setOutput(2, range.high);
}

/// Sets output 0 to the product of the windows of an image [B, H, W, C], in
/// which `zero` stands for 0, and a filter [K, N].
void multiply(Context &ctx, Value image, Value zero, const Filter &filter,
              const Window &window, const Dims &places) {
  IrBuilder &ir = ctx.ir();
  mlir::Type i32 = ir.elementType(DType::Int32),
             i64 = ir.elementType(DType::Int64);
  Value sums = ir.reduce(ir::ReduceKind::sum, ir.cast(filter.bytes, i32), {0});
  Value count = ir.cast(ir.dimScalar(filter.rows, i64), i32);
  Value terms =
      ir.sub(alongAxis(ir, ir.mul(ir.mul(count, zero), filter.zero), sums, 0),
             ir.mul(sums, alongAxis(ir, zero, sums, 0)));
  Value product = ir.kernelCall(
      "QuantizedProduct",
      {image, panelsOf(ctx, filter), terms, ir.neg(filter.zero), zero,
       ir.contents(ir.tensorType({Dim::known(6)}, i64), window)},
      ir.tensorType(places, i32));
  setIntegers(ctx, 0,
              ir.reshape(product, ir.tensorType(ctx.outputDims(), i32)));
}

Status lowerMatMul(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Range a = rangeAt(ctx, 2, 0), b = rangeAt(ctx, 4, 1);
  ir.kernelCall("CheckRangeNotEmpty", {a.low, a.high}, mlir::TypeRange(), 0);
  ir.kernelCall("CheckRangeNotEmpty", {b.low, b.high}, mlir::TypeRange(), 1);
  auto matrix = [&](int i, const char *transposed) {
    Value x = integersOf(ctx, i);
    return ctx.boolAttr(transposed) ? ir.transpose(x, {1, 0}) : x;
  };
  const Dim inner = ctx.inputDims(1)[ctx.boolAttr("transpose_b") ? 1 : 0],
            rows = ctx.outputDims()[0], columns = ctx.outputDims()[1],
            one = Dim::known(1), none = Dim::known(0);
  Value image =
      ir.reshape(matrix(0, "transpose_a"),
                 ir.tensorType({one, one, rows, inner}, DType::UInt8));
  multiply(
      ctx, image, zeroOf(ir, a),
      filterOf(ctx, matrix(1, "transpose_b"), zeroOf(ir, b), inner, columns),
      {one, one, one, one, none, none}, {one, one, rows, columns});
  setRange(ctx, rangeOfProducts(ir, a, b, ctx.outputDType(0)));
  return okStatus();
}

/// Where the first window begins before an image: half of what all windows
/// reach beyond it, rounded towards 0. TensorFlow's kernel computes that with
/// any padding and strides: where windows leave out the image's end, it leaves
/// out some of the beginning as well.
Dim paddingBefore(Context &ctx, Dim image, Dim window, Dim places,
                  int64_t stride) {
  DimSpace &dims = ctx.dims();
  const int64_t more = ctx.stringAttr("padding") == "VALID" ? 1 : 0;
  const Dim none = Dim::known(0), two = Dim::known(2);
  Dim reach =
      dims.add(dims.mul(dims.sub(places, Dim::known(1)), Dim::known(stride)),
               Dim::known(more));
  Dim beyond = dims.sub(dims.add(reach, window), image);
  Dim within = dims.sub(none, beyond);
  return dims.sub(dims.floorDiv(dims.max(beyond, none), two),
                  dims.floorDiv(dims.max(within, none), two));
}

/// The numbers of a filter with a sign are symmetric, and those of its image
/// are multiples of its end: oneDNN's kernels, the only ones that TensorFlow
/// has for such filters, look at the ends of ranges for the result's range
/// alone.
Range symmetricRange(IrBuilder &ir, const Range &image, const Range &filter,
                     DType dtype) {
  auto step = [&](const Range &range, double width) {
    return ir.div(ir.sub(range.high, range.low), ir.like(range.low, width));
  };
  Value size = ir.mul(step(image, 255), step(filter, 254));
  Value high = ir.mul(size, ir.like(size, 2147483647.0));
  return {ir.neg(high), high, dtype};
}

Status lowerConv2D(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  DimSpace &dims = ctx.dims();
  const Dims &image = ctx.inputDims(0), &filter = ctx.inputDims(1),
             &places = ctx.outputDims();
  const bool isSymmetric = ctx.inputDType(1) == DType::QInt8;
  const int64_t stride = ctx.intsAttr("strides")[1];
  auto before = [&](size_t i) {
    Dim low =
        paddingBefore(ctx, image[i + 1], filter[i], places[i + 1], stride);
    return isSymmetric ? dims.max(low, Dim::known(0)) : low;
  };
  const Range x = rangeAt(ctx, 2, 0), y = rangeAt(ctx, 4, 1);
  auto zero = [&](const Range &range) {
    return isSymmetric ? ir.scalar(ir.elementType(DType::Int32), 0)
                       : zeroOf(ir, range);
  };
  const Dim rows = dims.product({filter[0], filter[1], filter[2]});
  multiply(ctx, integersOf(ctx, 0), zero(x),
           filterOf(ctx, integersOf(ctx, 1), zero(y), rows, filter[3]),
           {filter[0], filter[1], Dim::known(stride), Dim::known(stride),
            before(0), before(1)},
           places);
  setRange(ctx, isSymmetric ? symmetricRange(ir, x, y, ctx.outputDType(0))
                            : rangeOfProducts(ir, x, y, ctx.outputDType(0)));
  return okStatus();
}

//===--- Depthwise --------------------------------------------------------===//

/// Products with a bias that is brought to what they are multiples of, added as
/// floats and rounded once.
Value withBias(IrBuilder &ir, Value products, Value bias, const Range &image,
               const Range &filter) {
  auto size = [&](const Range &range) {
    return max(ir, ir.unary<ir::AbsOp>(range.low),
               ir.unary<ir::AbsOp>(range.high));
  };
  Value width = ir.mul(size(image), size(filter));
  Value scale = ir.div(ir.like(width, 255.0 * 127.0), width);
  Value y = ir.mul(bias, alongAxis(ir, scale, bias, 0));
  Value x = ir.cast(products, ir.elementType(DType::Float32));
  x = ir.unary<ir::RoundEvenOp>(ir.add(x, alongAxis(ir, y, x, 3)));
  return ir.cast(x, ir.elementType(DType::Int32));
}

template <bool hasBias, bool isRelu> Status lowerDepthwise(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const int first = hasBias ? 3 : 2;
  const Range x = rangeAt(ctx, first, 0), y = rangeAt(ctx, first + 2, 1);
  mlir::Type i32 = ir.elementType(DType::Int32);
  WindowLowering w(ctx, 2);
  const Dims &filter = ctx.inputDims(1);
  KILN_RETURN_IF_ERROR(w.plan(ctx.inputDims(0), {filter[0], filter[1]}));
  KILN_RETURN_IF_ERROR(w.someTaps().status());
  Shaped padded = w.padForWindows({integersOf(ctx, 0), ctx.inputDims(0)},
                                  ir.scalar(ir.elementType(DType::UInt8), 0));
  Value weights = integersOf(ctx, 1), sum;
  Dims all = padded.dims;
  w.forEachTap([&](llvm::ArrayRef<int64_t> tap) {
    Shaped part = w.tapOf(padded, tap);
    all = part.dims;
    all.push_back(filter[3]);
    auto type = ir.tensorType(all, i32);
    Value image = ir.broadcast(ir.cast(part.value, i32), type, {0, 1, 2, 3});
    Value own = ir.slice(
        weights, {tap[0], tap[1], 0, 0}, {1, 1, 1, 1},
        ir.tensorType({Dim::known(1), Dim::known(1), filter[2], filter[3]},
                      DType::Int8));
    own = ir.cast(
        ir.reshape(own, ir.tensorType({filter[2], filter[3]}, DType::Int8)),
        i32);
    Value term = ir.mul(image, ir.broadcast(own, type, {3, 4}));
    sum = sum ? ir.add(sum, term) : term;
  });
  auto type = ir.tensorType(ctx.outputDims(), i32);
  // Windows may have no elements.
  Value result = sum ? ir.reshape(sum, type) : ir.splat(type, 0);
  if (hasBias)
    result = withBias(ir, result, ctx.input(2), x, y);
  if (isRelu)
    result = max(ir, result, ir.like(result, 0));
  setIntegers(ctx, 0, result);
  setRange(ctx, symmetricRange(ir, x, y, ctx.outputDType(0)));
  return okStatus();
}

} // namespace

void registerQuantizedProducts(LoweringRegistry &registry) {
  registry.add(
      {{"QuantizedMatMul", lowerMatMul},
       {"QuantizedConv2D", lowerConv2D},
       {"QuantizedDepthwiseConv2D", lowerDepthwise<false, false>},
       {"QuantizedDepthwiseConv2DWithBias", lowerDepthwise<true, false>},
       {"QuantizedDepthwiseConv2DWithBiasAndRelu",
        lowerDepthwise<true, true>}});
}

} // namespace kiln
