// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of resized and cropped images, and of their colors.
#include "lib/Autodiff/GradientCall.h"

#include <array>

namespace kiln {
namespace {

/// **Source**: _CropAndResizeGrad; by the boxes as if the method were bilinear.
void cropGradient(GradientCall &call) {
  Output image = call.in(0), boxes = call.in(1), of = call.in(2);
  Output dy = call.grad();
  if (isFloating(image.dtype()) && image.dtype() != DType::BFloat16) {
    AttrMap attrs = call.attrs({"method"});
    attrs.set("T", image.dtype());
    call.set(0, addOp("CropAndResizeGradImage",
                      {dy, boxes, of, ops::shape(image)}, attrs));
  }
  call.set(1, addOp("CropAndResizeGradBoxes", {dy, image, boxes, of}));
}

/// The hue is ((c + 1) - (c + 2)) / (max - min) of the color c that is largest,
/// colors counted in a circle, and an offset; the saturation 1 - min / max; the
/// value max. Ties go as in TensorFlow. **Source**: _RGBToHSVGrad.
void hueGradient(GradientCall &call) {
  Output rgb = call.in(0), hsv = call.out(), dy = call.grad();
  DType dtype = rgb.dtype();
  auto number = [&](const Output &truth) { return ops::cast(truth, dtype); };
  auto inverse = [&](const Output &x) {
    return addOp("DivNoNan", {ops::constant(1.0, {.dtype = dtype}), x});
  };
  auto square = [](const Output &x) { return addOp("Square", {x}); };
  std::array<Output, 3> x, d, largest, smallest, isAbove;
  for (int i = 0; i < 3; ++i) {
    x[static_cast<size_t>(i)] = rgb[{ellipsis(), i}];
    d[static_cast<size_t>(i)] = dy[{ellipsis(), i}];
  }
  Output saturation = hsv[{ellipsis(), 1}], value = hsv[{ellipsis(), 2}];
  const auto &[r, g, b] = x;
  largest = {number((r >= b) & (r >= g)), number((g > r) & (g >= b)),
             number((b > r) & (b > g))};
  smallest = {number((r < b) & (r < g)), number((g <= r) & (g < b)),
              number((b <= r) & (b <= g))};
  for (size_t i = 0; i < 3; ++i)
    isAbove[i] = number(x[i] > 0);
  std::vector<Output> results;
  for (size_t i = 0; i < 3; ++i) {
    size_t n = (i + 1) % 3, p = (i + 2) % 3;
    Output ofSaturation =
        isAbove[i] *
        (largest[i] * (smallest[n] * x[n] + smallest[p] * x[p]) *
             inverse(square(x[i])) -
         smallest[i] * inverse(largest[n] * x[n] + largest[p] * x[p]));
    Output asLargest = -(isAbove[i] * largest[i] * (x[n] - x[p]) *
                         inverse(square(saturation)) * inverse(square(value)));
    Output asFormer =
        isAbove[n] * largest[n] *
        (smallest[i] * (x[p] - x[n]) * inverse(square(x[i] - x[n])) -
         smallest[p] * inverse(x[n] - x[p]));
    Output asNext =
        isAbove[p] * largest[p] *
        (smallest[i] * (x[p] - x[n]) * inverse(square(x[p] - x[i])) +
         smallest[n] * inverse(x[p] - x[n]));
    Output ofHue = (asLargest + asFormer + asNext) / 6.0;
    results.push_back(d[2] * largest[i] + d[1] * ofSaturation + d[0] * ofHue);
  }
  call.set(0, ops::stack(results, {.axis = -1}));
}

/// The transforms that lead back. **Source**: flat_transforms_to_matrices,
/// matrices_to_flat_transforms.
Output inverseTransforms(const Output &transforms) {
  Output matrices;
  {
    NameScope scope("flat_transforms_to_matrices");
    Output flat = addOp("Reshape", {transforms, vectorOf({-1, 8})});
    Output count = ops::shape(flat)[0];
    Output rows = ops::concat({flat, ops::ones(ops::stack({count, 1}))}, 1);
    matrices = addOp("Reshape", {rows, vectorOf({-1, 3, 3})});
  }
  Output inverse = addOp("MatrixInverse", {matrices});
  NameScope scope("matrices_to_flat_transforms");
  Output flat = addOp("Reshape", {inverse, vectorOf({-1, 9})});
  flat = flat / flat[{sliceAll(), slice(8, 9)}];
  return flat[{sliceAll(), sliceTo(8)}];
}

/// **Source**: _image_projective_transform_grad, and that of V3.
void transformGradient(GradientCall &call) {
  Output image = call.in(0);
  std::vector<std::variant<Input, InputList>> inputs = {
      call.grad(), inverseTransforms(call.in(1)),
      ops::stridedSlice(ops::shape(image), {1}, {3}, {1})};
  if (call.node.numInputs() > 3)
    inputs.emplace_back(Input(ops::constant(0.0, {.dtype = DType::Float32})));
  call.set(0, addOp(call.node.op(), inputs,
                    call.attrs({"interpolation", "fill_mode"})));
}

} // namespace

void registerImageGradients(GradientRegistry &registry) {
  registry.add({"CropAndResize"}, cropGradient);
  registry.add({"ImageProjectiveTransformV2", "ImageProjectiveTransformV3"},
               transformGradient);
  registry.add({"RGBToHSV"}, hueGradient);
  registry.add({"ScaleAndTranslate"}, [](GradientCall &call) {
    call.set(0, addOp("ScaleAndTranslateGrad",
                      {call.grad(), call.in(0), call.in(2), call.in(3)},
                      call.attrs({"kernel_type", "antialias"})));
  });
  registry.add({"ResizeBilinear"}, [](GradientCall &call) {
    call.set(0, addOp("ResizeBilinearGrad", {call.grad(), call.in(0)},
                      call.attrs({"align_corners", "half_pixel_centers"})));
  });
  registry.add({"ResizeBicubic"}, [](GradientCall &call) {
    const DType dtype = call.in(0).dtype();
    if (dtype == DType::Float32 || dtype == DType::Float64)
      call.set(0, addOp("ResizeBicubicGrad", {call.grad(), call.in(0)},
                        call.attrs({"align_corners", "half_pixel_centers"})));
  });
  registry.add({"ResizeNearestNeighbor"}, [](GradientCall &call) {
    Output size = ops::stridedSlice(ops::shape(call.in(0)), {1}, {3}, {1});
    call.set(0, addOp("ResizeNearestNeighborGrad", {call.grad(), size},
                      call.attrs({"align_corners", "half_pixel_centers"})));
  });
}

} // namespace kiln
