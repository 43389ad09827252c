// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers what is done with boxes in images: calls of kernels.
#include "lib/Ops/Image/LoweringBoxes.h"

#include <limits>

namespace kiln {
namespace {

using Context = LoweringContext;

int64_t isNearest(const Context &ctx) {
  return ctx.stringAttr("method") == "nearest" ? 1 : 0;
}

} // namespace

Status lowerDrawnBoxes(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  llvm::SmallVector<Value> inputs = ctx.allInputs();
  if (inputs.size() == 2)
    inputs.push_back(ir.splat(
        RankedTensorType::get({0, 4}, ir.opBuilder().getF32Type()), 0));
  ctx.callKernel("DrawBoundingBoxes", inputs);
  return okStatus();
}

Status lowerCrops(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  Value outside = ir.scalar(ir.opBuilder().getF32Type(),
                            ctx.floatAttr("extrapolation_value"));
  ctx.callKernel("CropAndResize",
                 {ctx.input(0), ctx.input(1), ctx.input(2), outside},
                 {isNearest(ctx)});
  return okStatus();
}

Status lowerCropsOfImage(Context &ctx) {
  ctx.callKernel("CropGradientOfImage",
                 {ctx.input(0), ctx.input(1), ctx.input(2)}, {isNearest(ctx)});
  return okStatus();
}

Status lowerCropsOfBoxes(Context &ctx) {
  ctx.callKernel("CropGradientOfBoxes", ctx.allInputs());
  return okStatus();
}

/// Limits that the op does not have are those that nothing exceeds.
Status lowerSuppression(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const OpDef &def = ctx.opDef();
  mlir::Type f32 = ir.opBuilder().getF32Type();
  llvm::SmallVector<Value> inputs = ctx.allInputs();
  if (inputs.size() == 3)
    inputs.push_back(ir.scalar(f32, ctx.floatAttr("iou_threshold")));
  if (inputs.size() == 4)
    inputs.push_back(ir.scalar(f32, std::numeric_limits<float>::lowest()));
  if (inputs.size() == 5)
    inputs.push_back(ir.scalar(f32, 0));
  const bool fills = def.findAttr("pad_to_max_output_size") &&
                     ctx.boolAttr("pad_to_max_output_size");
  ctx.callKernel("NonMaxSuppression", inputs,
                 {def.inputs[0].name == "overlaps" ? 1 : 0, fills ? 1 : 0});
  return okStatus();
}

Status lowerCombinedSuppression(Context &ctx) {
  ctx.callKernel("CombinedNonMaxSuppression", ctx.allInputs(),
                 {ctx.boolAttr("clip_boxes") ? 1 : 0});
  return okStatus();
}

} // namespace kiln
