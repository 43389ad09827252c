// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers what is done with boxes in images: calls of kernels.
#include "lib/Ops/Image/LoweringBoxes.h"

#include "lib/Ops/Random/LoweringDraws.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <bit>
#include <limits>

namespace kiln {
namespace {

using Context = LoweringContext;

int64_t isNearest(const Context &ctx) {
  return ctx.stringAttr("method") == "nearest" ? 1 : 0;
}

/// Two numbers, each above 0. `name` begins the error's text.
Status checkRange(const Context &ctx, const std::vector<float> &range,
                  std::string_view name) {
  if (range.size() != 2)
    return ctx.invalid(strCat(name, " range field must specify 2 dimensions"));
  if (!(range[0] > 0 && range[1] > 0))
    return ctx.invalid(strCat(name, " range must be non-negative: [", range[0],
                              ", ", range[1], "]"));
  return okStatus();
}

} // namespace

Status lowerSampledBox(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const std::vector<float> ratios = ctx.floatsAttr("aspect_ratio_range"),
                           areas = ctx.floatsAttr("area_range");
  llvm::SmallVector<Value> inputs = ctx.allInputs();
  if (inputs.size() == 2) {
    const float covered = ctx.floatAttr("min_object_covered");
    if (!(covered >= 0))
      return ctx.invalid(
          strCat("Min object covered must be non-negative: ", covered));
    inputs.push_back(ir.scalar(ir.opBuilder().getF32Type(), covered));
  }
  KILN_RETURN_IF_ERROR(checkRange(ctx, ratios, "Aspect ratio"));
  KILN_RETURN_IF_ERROR(checkRange(ctx, areas, "Area"));
  if (!(areas[0] <= 1 && areas[1] <= 1))
    return ctx.invalid(strCat("Area range must be less then or equal to 1.0: [",
                              areas[0], ", ", areas[1], "]"));
  const int64_t tries = ctx.intAttr("max_attempts");
  if (tries <= 0)
    return ctx.invalid(strCat("Max attempts must be non-negative: ", tries));
  const bool hasSeed = inputs.size() == 4;
  if (hasSeed)
    inputs[3] = stateOfSeeds(ctx, 3);
  auto bitsOf = [](float number) -> int64_t {
    return std::bit_cast<int32_t>(number);
  };
  ctx.callKernel(hasSeed ? "SampleBoxOfState" : "SampleBox", inputs,
                 {hasSeed ? 0 : ctx.randomStream(),
                  ctx.boolAttr("use_image_if_no_bounding_boxes"), tries,
                  bitsOf(ratios[0]), bitsOf(ratios[1]), bitsOf(areas[0]),
                  bitsOf(areas[1])});
  return okStatus();
}

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
