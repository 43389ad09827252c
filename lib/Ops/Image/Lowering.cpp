// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers resizing: gathers of rows that are named by computed indices, scatters
// for gradients, and calls of kernels.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Image/LoweringBoxes.h"
#include "lib/Ops/Image/LoweringColors.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// One dimension of an image that is resized; values are vectors over the new
/// extent.
class Resized {
public:
  Resized(Context &ctx, Dim from, Dim to) : ctx(ctx), ir(ctx.ir()), from(from) {
    floats = ir.tensorType({to}, ir.opBuilder().getF32Type());
    ints = ir.tensorType({to}, ir.opBuilder().getI32Type());
    DimSpace &dims = ctx.dims();
    const Dim one = Dim::known(1);
    Dim above = from, below = to;
    if (ctx.boolAttr("align_corners") && !dims.resolve(to).isKnown(1)) {
      above = dims.sub(from, one);
      below = dims.max(dims.sub(to, one), one);
    }
    Value scale = ir.div(ir.dimScalar(above, floats.getElementType()),
                         ir.dimScalar(below, floats.getElementType()));
    Value index = ir.iota(floats, 0);
    hasCenters = ctx.boolAttr("half_pixel_centers");
    if (hasCenters)
      index = ir.add(index, ir.like(index, 0.5));
    position = ir.mul(index, scale);
  }

  void interpolate() {
    Value at = hasCenters ? ir.sub(position, ir.like(position, 0.5)) : position;
    Value floor = ir.unary<ir::FloorOp>(at);
    weight = ir.sub(at, floor);
    lower = ir.binary<ir::MaxOp>(ir.cast(floor, ints.getElementType()),
                                 ir.splatInt(ints, 0));
    upper = clamped(ir.cast(ir.unary<ir::CeilOp>(at), ints.getElementType()));
  }

  /// The nearest element of each.
  Value nearest() {
    // TensorFlow's round() is away from zero; positions are not negative.
    Value at =
        ctx.boolAttr("align_corners")
            ? ir.unary<ir::FloorOp>(ir.add(position, ir.like(position, 0.5)))
            : ir.unary<ir::FloorOp>(position);
    return clamped(ir.cast(at, ints.getElementType()));
  }

  Value lower, upper, weight;

private:
  Value clamped(Value index) {
    Dim last = ctx.dims().sub(from, Dim::known(1));
    return ir.binary<ir::MinOp>(
        index, ir.broadcast(ir.dimScalar(last, ints.getElementType()), ints));
  }

  Context &ctx;
  IrBuilder &ir;
  Dim from;
  RankedTensorType floats, ints;
  Value position;
  bool hasCenters = false;
};

/// The number of each place (row, column) of the resized image among those of
/// the image, whose rows have `width` places: [rows, columns].
Value placesOf(Context &ctx, Value rows, Value columns, Dim width, Dims sizes) {
  IrBuilder &ir = ctx.ir();
  mlir::Type index = ir.opBuilder().getI32Type();
  RankedTensorType type = ir.tensorType(sizes, index);
  Value widths = ir.broadcast(ir.dimScalar(width, index), type);
  return ir.add(ir.mul(ir.broadcast(rows, type, {0}), widths),
                ir.broadcast(columns, type, {1}));
}

/// An image's rows and columns as one dimension.
Dims joined(Context &ctx, const Dims &image) {
  return {image[0], ctx.dims().mul(image[1], image[2]), image[3]};
}

Status lowerBilinear(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Dims &from = ctx.inputDims(0), &to = ctx.outputDims();
  Value x = ir.cast(ctx.input(0), ir.opBuilder().getF32Type());
  x = ir.reshape(x, ir.tensorType(joined(ctx, from), IrBuilder::elementOf(x)));
  Resized rows(ctx, from[1], to[1]), columns(ctx, from[2], to[2]);
  rows.interpolate();
  columns.interpolate();
  RankedTensorType type = ir.tensorType(to, ir.opBuilder().getF32Type());
  auto picked = [&](Value row, Value column) {
    return ir.gather(x, placesOf(ctx, row, column, from[2], {to[1], to[2]}), 1,
                     type);
  };
  auto between = [&](Value a, Value b, Value weight, int64_t dim) {
    return ir.add(a, ir.mul(ir.sub(b, a), ir.broadcast(weight, type, {dim})));
  };
  Value top = between(picked(rows.lower, columns.lower),
                      picked(rows.lower, columns.upper), columns.weight, 2);
  Value bottom = between(picked(rows.upper, columns.lower),
                         picked(rows.upper, columns.upper), columns.weight, 2);
  ctx.setOutput(0, between(top, bottom, rows.weight, 1));
  return okStatus();
}

Status lowerNearest(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Dims &from = ctx.inputDims(0), &to = ctx.outputDims();
  Value x = ctx.input(0);
  x = ir.reshape(x, ir.tensorType(joined(ctx, from), IrBuilder::elementOf(x)));
  Value rows = Resized(ctx, from[1], to[1]).nearest(),
        columns = Resized(ctx, from[2], to[2]).nearest();
  ctx.setOutput(
      0, ir.gather(x, placesOf(ctx, rows, columns, from[2], {to[1], to[2]}), 1,
                   ir.tensorType(to, IrBuilder::elementOf(x))));
  return okStatus();
}

/// Adds parts [B, H, W, C], each at its places, to an image of zeros, row of
/// channels by row.
Value addAtPlaces(Context &ctx, llvm::ArrayRef<Value> parts,
                  llvm::ArrayRef<Value> places, const Dims &from,
                  const Dims &image) {
  IrBuilder &ir = ctx.ir();
  DimSpace &dims = ctx.dims();
  mlir::Type element = IrBuilder::elementOf(parts[0]),
             index = ir.opBuilder().getI64Type();
  Dim rows = dims.product({from[0], from[1], from[2]}),
      targets = dims.product({image[0], image[1], image[2]});
  RankedTensorType type = ir.tensorType({targets, image[3]}, element);
  RankedTensorType grid = ir.tensorType({from[0], from[1], from[2]}, index);
  Value begin = ir.mul(
      ir.iota(grid, 0),
      ir.broadcast(ir.dimScalar(dims.mul(image[1], image[2]), index), grid));
  Value sums = ir.scalar(element, 0);
  for (auto [part, place] : llvm::zip_equal(parts, places)) {
    Value at = ir.add(begin, ir.broadcast(ir.cast(place, index), grid, {1, 2}));
    sums = ir.scatter(ir::ScatterKind::add, sums,
                      ir.reshape(at, ir.tensorType({rows}, index)),
                      ir.reshape(part, ir.tensorType({rows, from[3]}, element)),
                      type);
  }
  return ir.reshape(sums, ir.tensorType(image, element));
}

Status lowerBilinearGradient(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Dims &from = ctx.inputDims(0), &to = ctx.outputDims();
  Value gradient = ctx.input(0);
  RankedTensorType type = IrBuilder::typeOf(gradient);
  Resized rows(ctx, to[1], from[1]), columns(ctx, to[2], from[2]);
  rows.interpolate();
  columns.interpolate();
  llvm::SmallVector<Value> parts, places;
  auto weight = [&](Value of, bool isUpper, int64_t dim) {
    Value own = isUpper ? of : ir.sub(ir.like(of, 1), of);
    return ir.broadcast(own, type, {dim});
  };
  for (bool isLow : {true, false})
    for (bool isLeft : {true, false}) {
      parts.push_back(ir.mul(ir.mul(gradient, weight(rows.weight, !isLow, 1)),
                             weight(columns.weight, !isLeft, 2)));
      places.push_back(placesOf(ctx, isLow ? rows.lower : rows.upper,
                                isLeft ? columns.lower : columns.upper, to[2],
                                {from[1], from[2]}));
    }
  Value image = addAtPlaces(ctx, parts, places, from, to);
  ctx.setOutput(0, ir.cast(image, ctx.outputType().getElementType()));
  return okStatus();
}

Status lowerNearestGradient(Context &ctx) {
  const Dims &from = ctx.inputDims(0), &to = ctx.outputDims();
  Value rows = Resized(ctx, to[1], from[1]).nearest(),
        columns = Resized(ctx, to[2], from[2]).nearest();
  Value places = placesOf(ctx, rows, columns, to[2], {from[1], from[2]});
  ctx.setOutput(0, addAtPlaces(ctx, ctx.input(0), places, from, to));
  return okStatus();
}

Status lowerBicubic(Context &ctx) {
  ctx.callKernel(
      "ResizeBicubic", ctx.input(0),
      {ctx.boolAttr("align_corners"), ctx.boolAttr("half_pixel_centers")});
  return okStatus();
}

Status lowerBicubicGradient(Context &ctx) {
  ctx.callKernel(
      "ResizeBicubicGradient", ctx.input(0),
      {ctx.boolAttr("align_corners"), ctx.boolAttr("half_pixel_centers")});
  return okStatus();
}

Status lowerArea(Context &ctx) {
  ctx.callKernel("ResizeArea", ctx.input(0), {ctx.boolAttr("align_corners")});
  return okStatus();
}

} // namespace

void registerImageLowerings(LoweringRegistry &registry) {
  registry.add({{"ResizeBilinear", lowerBilinear},
                {"ResizeBilinearGrad", lowerBilinearGradient},
                {"ResizeBicubicGrad", lowerBicubicGradient},
                {"ResizeNearestNeighborGrad", lowerNearestGradient},
                {"SampleDistortedBoundingBox", lowerSampledBox},
                {"SampleDistortedBoundingBoxV2", lowerSampledBox},
                {"StatelessSampleDistortedBoundingBox", lowerSampledBox},
                {"AdjustContrastv2", lowerAdjustContrast},
                {"AdjustHue", lowerAdjustHue},
                {"AdjustSaturation", lowerAdjustSaturation},
                {"RGBToHSV", lowerRgbToHsv},
                {"HSVToRGB", lowerHsvToRgb}});
  registry.addMoves({{"ResizeNearestNeighbor", lowerNearest},
                     {"ResizeArea", lowerArea},
                     {"ResizeBicubic", lowerBicubic},
                     {"DrawBoundingBoxes", lowerDrawnBoxes},
                     {"DrawBoundingBoxesV2", lowerDrawnBoxes},
                     {"CropAndResize", lowerCrops},
                     {"CropAndResizeGradImage", lowerCropsOfImage},
                     {"CropAndResizeGradBoxes", lowerCropsOfBoxes},
                     {"NonMaxSuppression", lowerSuppression},
                     {"NonMaxSuppressionV2", lowerSuppression},
                     {"NonMaxSuppressionV3", lowerSuppression},
                     {"NonMaxSuppressionV4", lowerSuppression},
                     {"NonMaxSuppressionV5", lowerSuppression},
                     {"NonMaxSuppressionWithOverlaps", lowerSuppression},
                     {"CombinedNonMaxSuppression", lowerCombinedSuppression}});
}

} // namespace kiln
