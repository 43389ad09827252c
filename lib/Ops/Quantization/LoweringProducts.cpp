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
#include "lib/Ops/Quantization/LoweringRange.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// A filter as a matrix [K, N] of bytes with a sign, and what stands for 0.
struct Filter {
  Value bytes, zero;
  Dim rows, columns;
};

Filter filterOf(Context &ctx, Value integers, const Range &range, Dim rows,
                Dim columns) {
  IrBuilder &ir = ctx.ir();
  mlir::Type i32 = ir.elementType(DType::Int32);
  Value matrix = ir.reshape(
      integers, ir.tensorType({rows, columns}, IrBuilder::elementOf(integers)));
  Value zero = zeroOf(ir, range);
  if (range.dtype == DType::QUInt8) {
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

/// Sets the outputs to the product of the windows of an image [B, H, W, C] and
/// a filter [K, N].
Status multiply(Context &ctx, Value image, const Range &imageRange,
                const Filter &filter, const Range &filterRange,
                const Window &window, const Dims &places) {
  IrBuilder &ir = ctx.ir();
  mlir::Type i32 = ir.elementType(DType::Int32),
             i64 = ir.elementType(DType::Int64);
  Value zero = zeroOf(ir, imageRange);
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
  const Range range =
      rangeOfProducts(ir, imageRange, filterRange, ctx.outputDType(0));
  ctx.setOutput(1, range.low);
  ctx.setOutput(2, range.high);
  return okStatus();
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
  return multiply(ctx, image, a,
                  filterOf(ctx, matrix(1, "transpose_b"), b, inner, columns), b,
                  {one, one, one, one, none, none}, {one, one, rows, columns});
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

Status lowerConv2D(Context &ctx) {
  DimSpace &dims = ctx.dims();
  const Dims &image = ctx.inputDims(0), &filter = ctx.inputDims(1),
             &places = ctx.outputDims();
  const int64_t stride = ctx.intsAttr("strides")[1];
  const Range x = rangeAt(ctx, 2, 0), y = rangeAt(ctx, 4, 1);
  const Dim rows = dims.product({filter[0], filter[1], filter[2]});
  const Window window = {
      filter[0],
      filter[1],
      Dim::known(stride),
      Dim::known(stride),
      paddingBefore(ctx, image[1], filter[0], places[1], stride),
      paddingBefore(ctx, image[2], filter[1], places[2], stride)};
  return multiply(ctx, integersOf(ctx, 0), x,
                  filterOf(ctx, integersOf(ctx, 1), y, rows, filter[3]), y,
                  window, places);
}

} // namespace

void registerQuantizedProducts(LoweringRegistry &registry) {
  registry.add(
      {{"QuantizedMatMul", lowerMatMul}, {"QuantizedConv2D", lowerConv2D}});
}

} // namespace kiln
